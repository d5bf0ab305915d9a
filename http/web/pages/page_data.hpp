// A page's data as its template reads them, and figures as German readers do.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "actors/sign_in/values.hpp"
#include "http/web/template.hpp"

namespace http {

TemplateData flag(bool on);
/// A text, or the absence of its section.
TemplateData text_or_none(const std::string& text);
inline TemplateData list() { return TemplateData(TemplateData::type::list); }
inline TemplateData object() { return TemplateData(TemplateData::type::object); }

/// "23.11.2026" in the machine's time zone; "nie" for 0.
std::string german_date(std::int64_t ms);
/// "23.11.2026, 18:05 Uhr"
std::string german_time(std::int64_t ms);
/// "in 5 Minuten", "in 2 Stunden"
std::string german_wait(std::int64_t seconds);

/// The German sentence for somebody whose order was refused. Not for unfit_password.
std::string sentence_of(const actors::MemberReply& reply);
std::string sentence_of(actors::PasswordFault fault);

/// Now, ms since 1970.
std::int64_t page_now_ms();

}  // namespace http
