// What a member of a pair tells its operators in figures; families of /metrics.
#pragma once
#include <string>
#include <vector>

namespace http {

struct ClusterFigure {
  const char* name;
  const char* help;
  double value = 0;
  bool only_grows = false;
};

/// Prometheus text format 0.0.4.
std::string metrics_text(const std::vector<ClusterFigure>& figures);

}  // namespace http
