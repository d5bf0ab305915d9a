// The mails to people who sign up or change how they sign in: German, plain text.
#pragma once
#include <string>

namespace actors {

struct MailWords {
  std::string subject, text;
};

/// `link` is a page of the web application.
MailWords words_to_confirm(const std::string& link);
/// For somebody who signs up again.
MailWords words_account_exists(const std::string& sign_in_link, const std::string& password_link);
MailWords words_new_password(const std::string& link);
MailWords words_password_changed(const std::string& password_link, const std::string& account_link);
MailWords words_confirm_new_email(const std::string& link);
/// To the old address: asked for, and done.
MailWords words_email_changes(const std::string& new_email);
MailWords words_email_changed(const std::string& new_email);
MailWords words_passkey_added(const std::string& name, const std::string& account_link);
MailWords words_account_closed();

}  // namespace actors
