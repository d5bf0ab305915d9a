// roofd account add|grant, roofd key add|list|revoke: they work with a stopped and with a running server.
#include <algorithm>
#include <iostream>

#include "actors/accounts/email.hpp"
#include "http/commands/administer.hpp"
#include "http/commands/commands.hpp"
#include "http/commands/configuration.hpp"

namespace http {
namespace {

class AdminConfig : public CommandConfig {
 public:
  AdminConfig() {
    opt_group{custom_options_, "global"}.add(data_dir, "data-dir", "the service's data directory");
  }
  std::string data_dir;
};

class AccountConfig : public AdminConfig {
 public:
  AccountConfig() {
    opt_group{custom_options_, "global"}
        .add(email, "email", "the account's e-mail address")
        .add(plan, "plan", "add: regular, or test: one address, thirty days")
        .add(account, "account", "grant: the test account that becomes a regular one, instead of --email");
  }
  std::string account;
  std::string email;
  std::string plan = "regular";
};

class KeyConfig : public AdminConfig {
 public:
  KeyConfig() {
    opt_group{custom_options_, "global"}
        .add(account, "account", "the account's id")
        .add(name, "name", "add: what the key is called")
        .add(key, "key", "revoke: which one, twelve digits as list shows them");
  }
  std::string account;
  std::string name;
  std::string key;
};

/// One of the command's verbs, and its options.
template <class Config>
std::optional<int> parse(Config& config, const char* command, const std::vector<std::string>& verbs,
                         const Arguments& arguments) {
  const bool help = !arguments.empty() && arguments[0] == "--help";
  if (!help && (arguments.empty() || std::find(verbs.begin(), verbs.end(), arguments[0]) == verbs.end())) {
    std::string all = verbs.front();
    for (std::size_t i = 1; i < verbs.size(); ++i) all += (i + 1 == verbs.size() ? " or " : ", ") + verbs[i];
    return refuse(std::string("roofd ") + command + " is followed by " + all, 2);
  }
  const Arguments options(arguments.begin() + (help ? 0 : 1), arguments.end());
  if (const auto code = config.parse_or_exit_code(options, "")) return code;
  if (config.data_dir.empty()) return refuse("--data-dir is missing", 2);
  return {};
}

}  // namespace

int account_command(const Arguments& arguments) {
  AccountConfig config;
  if (const auto code = parse(config, "account", {"add", "grant"}, arguments)) return *code;
  if (arguments[0] == "grant") {
    if (config.account.empty() == config.email.empty())
      return refuse("either --email or --account is needed", 2);
    return print(
        administer(config.data_dir,
                   {{"command", "account grant"}, {"account", config.account}, {"email", config.email}}));
  }
  if (!actors::normal_email(config.email)) return refuse("--email is not an e-mail address", 2);
  if (config.plan != "regular" && config.plan != "test") return refuse("--plan is regular or test", 2);
  return print(administer(config.data_dir,
                          {{"command", "account add"}, {"email", config.email}, {"plan", config.plan}}));
}

int key_command(const Arguments& arguments) {
  KeyConfig config;
  if (const auto code = parse(config, "key", {"add", "list", "revoke"}, arguments)) return *code;
  const std::string& verb = arguments[0];
  if (config.account.empty()) return refuse("--account is missing", 2);
  if (verb == "add" && config.name.empty()) return refuse("--name is missing", 2);
  if (verb == "revoke" && config.key.empty()) return refuse("--key is missing", 2);
  return print(administer(
      config.data_dir,
      {{"command", "key " + verb}, {"account", config.account}, {"name", config.name}, {"key", config.key}}));
}

}  // namespace http
