// Every URI that an answer carries, made in one place. None ever holds a key.
#pragma once
#include <cstdint>
#include <string>

namespace http {

struct Links {
  std::string base_url;  ///< the contract's {base_url}, with /api/v1, without a slash at the end
  std::string web_url;   ///< the web application

  std::string project(std::uint64_t id) const { return base_url + "/projekte/" + std::to_string(id); }
  std::string analysis(std::uint64_t id) const { return project(id) + "/dachanalyse"; }
  std::string media(std::uint64_t id) const { return project(id) + "/medien"; }
  std::string overview_image(std::uint64_t id) const { return project(id) + "/bilder/uebersicht"; }
  std::string surface_image(std::uint64_t id, int surface) const {
    return project(id) + "/bilder/flaeche/" + std::to_string(surface);
  }
  std::string orthophoto(std::uint64_t id) const { return project(id) + "/orthofoto"; }
  std::string model(std::uint64_t id) const { return project(id) + "/modell"; }
  std::string economics(std::uint64_t id) const {
    return web_url + "/projekte/" + std::to_string(id) + "/wirtschaftlichkeit";
  }
  std::string next_page(int limit, std::uint64_t before) const {
    return base_url + "/projekte?limit=" + std::to_string(limit) + "&vor_id=" + std::to_string(before);
  }
  std::string error(const std::string& code) const { return base_url + "/doku#fehler-" + code; }
  std::string documentation() const { return base_url + "/doku"; }
  std::string guide() const { return base_url + "/anleitung"; }
  std::string description() const { return base_url + "/openapi.json"; }
};

}  // namespace http
