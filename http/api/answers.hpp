// From the actors' answers to HTTP: one body per outcome.
#pragma once
#include <string>

#include "actors/values.hpp"
#include "http/api/links.hpp"
#include "http/wire/response.hpp"

namespace http {

/// What an answer needs to know about the request it answers.
struct AnswerContext {
  const Links& links;
  std::string request_id;
  int retry_at_least_s = 0;  ///< GET /analyse must not be polled faster than every ten seconds
  int page_limit = 0;        ///< of a listing
};

Response response_of(const actors::Answer& answer, const AnswerContext& context);

}  // namespace http
