// From a request's body and query to a command: checks types, bounds and characters. Invalid input becomes a
// Refusal, which travels like any command, so that the key is checked and the request counted first.
#pragma once
#include <cstdint>
#include <string>

#include "actors/values.hpp"
#include "http/wire/request.hpp"

namespace http {

inline constexpr std::size_t kNameMax = 150;     // characters
inline constexpr std::size_t kAddressMax = 200;  // characters
inline constexpr double kConsumptionMax_kwh = 100'000'000;
inline constexpr int kPageDefault = 100;
inline constexpr int kPageMax = 200;
inline constexpr int kWidthMin_px = 200;
inline constexpr int kWidthMax_px = 2000;
inline constexpr int kWidthDefault_px = 800;
inline constexpr std::size_t kBodyMax = 64 * 1024;  // bytes

actors::Command read_create_project(const Request& request);
actors::Command read_single_call(const Request& request);
actors::Command read_list_projects(const Request& request);
actors::Command read_query_analysis(const std::string& project);
actors::Command read_restart(const Request& request, const std::string& project);
actors::Command read_media_list(const std::string& project);
actors::Command read_surface_image(const Request& request, const std::string& project,
                                   const std::string& surface);
actors::Command read_overview_image(const Request& request, const std::string& project);
actors::Command read_orthophoto(const std::string& project);
actors::Command read_model(const std::string& project);

}  // namespace http
