#pragma once
#include "actors/mail/mail.hpp"

namespace test {

inline actors::Mail some_mail() {
  return {.id = "4711.a-b_c",
          .written_ms = 1'795'535'631'999,
          .from = {"Dachanalyse", "dach@example.org"},
          .to = {"", "anna@example.org"},
          .subject = "Bitte bestaetigen",
          .text = "Guten Tag\n"};
}

inline std::string bytes_of(const actors::Mail& mail) { return actors::mail_text(mail).value_or("no mail"); }

}  // namespace test
