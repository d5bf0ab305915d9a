#include "http/commands/commands.hpp"

#include <iostream>

namespace http {

int refuse(const std::string& sentence, int exit_code) {
  std::cerr << "roofd: " << sentence << "\n";
  return exit_code;
}

}  // namespace http
