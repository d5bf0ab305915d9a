// The program's commands. Each takes its arguments and returns the exit code: 0 done, 1 failed, 2 wrong
// usage.
#pragma once
#include <string>
#include <vector>

namespace http {

using Arguments = std::vector<std::string>;

/// Prints the sentence on stderr and returns the exit code.
int refuse(const std::string& sentence, int exit_code = 2);

int serve_command(const Arguments& arguments);          // serve.cpp
int worker_command(const Arguments& arguments);         // worker.cpp
int account_command(const Arguments& arguments);        // account.cpp
int key_command(const Arguments& arguments);            // account.cpp
int backup_command(const Arguments& arguments);         // care.cpp
int restore_command(const Arguments& arguments);        // care.cpp
int inspect_command(const Arguments& arguments);        // care.cpp
int config_command(const Arguments& arguments);         // care.cpp
int project_command(const Arguments& arguments);        // project.cpp
int result_command(const Arguments& arguments);         // project.cpp
int sample_region_command(const Arguments& arguments);  // sample_region.cpp
int geodata_command(const Arguments& arguments);        // geodata.cpp
int cluster_command(const Arguments& arguments);        // cluster.cpp
int version_command(const Arguments& arguments);        // version.cpp

}  // namespace http
