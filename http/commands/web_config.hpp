// The web application's options: [web] and [mail] in roofd.conf.
#pragma once
#include <caf/config_option_adder.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "actors/sign_in/options.hpp"
#include "http/api/links.hpp"
#include "http/web/site.hpp"

namespace http {

struct WebConfig {
  std::string shown = "on";      ///< whether there are pages
  std::string sign_up = "open";  ///< whether people may make test accounts themselves
  std::uint32_t makers = 2;      ///< actors that make pages
  WebOptions pages;
  std::string smtp_password_file;
  std::string smtp_tls = "required";
  std::uint32_t password_memory_mb = 64;
  actors::SignInOptions sign_in;

  bool enabled() const { return shown == "on"; }
  void add_to(caf::config_option_set& options);
  /// A sentence about the first option with an invalid value.
  std::optional<std::string> fault() const;
  /// With what depends on other options and files. The error is a sentence.
  tl::expected<actors::SignInOptions, std::string> resolved_sign_in(const Links& links,
                                                                    const std::string& data_dir) const;
  WebOptions resolved_pages(const std::string& data_dir) const;
};

}  // namespace http
