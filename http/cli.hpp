// The program's commands; each takes its arguments and returns the exit code: 0 done, 1 failed, 2 wrongly
// called.
#pragma once
#include <string>
#include <vector>

namespace http {

using Arguments = std::vector<std::string>;

int serve_command(const Arguments& arguments);          // cli_serve.cpp
int account_command(const Arguments& arguments);        // cli_account.cpp
int key_command(const Arguments& arguments);            // cli_account.cpp
int backup_command(const Arguments& arguments);         // cli_care.cpp
int restore_command(const Arguments& arguments);        // cli_care.cpp
int inspect_command(const Arguments& arguments);        // cli_care.cpp
int config_command(const Arguments& arguments);         // cli_care.cpp
int project_command(const Arguments& arguments);        // cli_project.cpp
int result_command(const Arguments& arguments);         // cli_project.cpp
int sample_region_command(const Arguments& arguments);  // cli_sample_region.cpp

}  // namespace http
