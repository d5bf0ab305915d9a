// roofd version: which build this is. Two machines with the same line compute the same bytes.
#include <iostream>

#include "actors/workers/worker_facts.hpp"
#include "http/commands/commands.hpp"

namespace http {

int version_command(const Arguments& arguments) {
  if (arguments == Arguments{"--help"}) {
    std::cout << "usage: roofd version (or --version)\n";
    return 0;
  }
  if (!arguments.empty()) return refuse("usage: roofd version");
  std::cout << "roofd, build " << actors::build_of_this_program() << "\n";
  return 0;
}

}  // namespace http
