// Form bodies: what browsers send, and what nobody's browser sends.
#include "http/web/form_fields.hpp"

#include <gtest/gtest.h>

namespace {

using namespace http;
using namespace std::string_literals;

constexpr auto kFormType = "application/x-www-form-urlencoded";

tl::expected<FormFields, FormFault> sent_form(std::string body, const std::string& type = kFormType) {
  Request request;
  request.method = "POST";
  request.headers.emplace_back("content-type", type);
  request.body = std::move(body);
  return FormFields::read(request);
}

FormFault fault_in(std::string body, const std::string& type = kFormType) {
  const auto read = sent_form(std::move(body), type);
  if (read) throw std::runtime_error("was read");
  return read.error();
}

TEST(FormFields, AreDecoded) {
  const auto read = sent_form("adresse=Lindenstra%C3%9Fe+1%2C+86987&verbrauch=4500&haken=on");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 3u);
  EXPECT_EQ(read->value("adresse"), "Lindenstraße 1, 86987");
  EXPECT_EQ(read->value("verbrauch"), "4500");
  EXPECT_EQ(read->value("haken"), "on");
}

TEST(FormFields, EmptyIsNotMissing) {
  const auto read = sent_form("a=&b");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->value("a"), "");
  EXPECT_EQ(read->value("b"), "");
  EXPECT_FALSE(read->value("c"));
  EXPECT_FALSE(read->value(""));
}

TEST(FormFields, AFormWithoutFieldsIsOne) {
  for (const char* body : {"", "&", "&&&"}) {
    const auto read = sent_form(body);
    ASSERT_TRUE(read) << body;
    EXPECT_EQ(read->size(), 0u);
  }
}

TEST(FormFields, StayAsTyped) {
  const auto read = sent_form("passwort=+%20a%26b%3Dc%23%25%2B+&name=%3Cscript%3E%22%27&x=a=b?c");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->value("passwort"), "  a&b=c#%+ ");
  EXPECT_EQ(read->value("name"), "<script>\"'");
  EXPECT_EQ(read->value("x"), "a=b?c");
}

TEST(FormFields, AreDecodedOnceOnly) {
  EXPECT_EQ(sent_form("a=%253Cscript%253E")->value("a"), "%3Cscript%3E");
}

TEST(FormFields, SentTwiceAreRefused) {
  EXPECT_EQ(fault_in("email=a&x=1&email=b"), FormFault::duplicate_field);
  EXPECT_EQ(fault_in("email=a&email=a"), FormFault::duplicate_field);
  EXPECT_EQ(fault_in("email=a&e%6Dail=b"), FormFault::duplicate_field);
  EXPECT_EQ(fault_in("=a&=b"), FormFault::duplicate_field);
  EXPECT_TRUE(sent_form("email=a&Email=b"));
}

TEST(FormFields, BrokenEncodingIsRefused) {
  for (const std::string& body :
       {"a=%"s, "a=%4"s, "a=%zz"s, "%=b"s, "a=%00"s, "a=%FF"s, "a=%C3"s, "a=%C0%80"s, "a=%ED%A0%80"s,
        "a=%F5%80%80%80"s, "a=\xff"s, "a=\xc3&b"s, "%00=b"s, "a=x#b=y"s, "#"s})
    EXPECT_EQ(fault_in(body), FormFault::encoding) << body;
}

TEST(FormFields, ARawNulIsRefused) {
  EXPECT_FALSE(sent_form("a=x\0y"s));
  EXPECT_FALSE(sent_form("a\0=x"s));
}

TEST(FormFields, ControlCharactersAreRefused) {
  for (const std::string& body :
       {"email=a%40b.example%0D%0ABcc%3A+c"s, "a=%0A"s, "a=x%0D"s, "a=%09"s, "a=%1B%5B31m"s, "a=%7F"s,
        "a=%C2%9B31m"s, "a=%C2%85"s, "a%0A=b"s, "a=x\r\ny"s, "a=\x01"s})
    EXPECT_EQ(fault_in(body), FormFault::control_character) << body;
  // Only C1: the same second bytes belong to letters elsewhere.
  EXPECT_EQ(sent_form("a=%C3%9F%C2%A0%E2%80%93")->value("a"), "ß\u00a0–");
}

TEST(FormFields, HaveBounds) {
  const FormLimits limits;
  EXPECT_TRUE(sent_form("a=" + std::string(limits.value_bytes, 'x')));
  EXPECT_EQ(fault_in("a=" + std::string(limits.value_bytes + 1, 'x')), FormFault::too_large);
  EXPECT_TRUE(sent_form(std::string(limits.name_bytes, 'x') + "=a"));
  EXPECT_EQ(fault_in(std::string(limits.name_bytes + 1, 'x') + "=a"), FormFault::too_large);
  EXPECT_EQ(fault_in(std::string(limits.body_bytes + 1, 'x')), FormFault::too_large);
  EXPECT_EQ(fault_in(std::string(8'000'000, '%')), FormFault::too_large);
}

TEST(FormFields, TooManyAreRefusedBeforeTheyAreDecoded) {
  std::string body;
  for (int i = 0; i < 64; ++i) body += (i > 0 ? "&f" : "f") + std::to_string(i) + "=1";
  EXPECT_EQ(sent_form(body)->size(), 64u);
  EXPECT_EQ(fault_in(body + "&g=1"), FormFault::too_large);
  EXPECT_EQ(fault_in(std::string(1000, '&')), FormFault::too_large);
}

TEST(FormFields, OnlyTheOneContentTypeIsRead) {
  for (const char* type :
       {"application/x-www-form-urlencoded; charset=UTF-8",
        "Application/X-WWW-Form-Urlencoded ;charset=utf-8", " application/x-www-form-urlencoded\t"})
    EXPECT_TRUE(sent_form("a=b", type)) << type;
  for (const std::string& type :
       {""s, "text/plain"s, "multipart/form-data; boundary=x"s, "application/json"s,
        "text/plain; application/x-www-form-urlencoded"s, "application/x-www-form-urlencodedx"s,
        "application/x-www-form-urlencoded\0"s, "application/x-www-form-urlencoded,text/plain"s})
    EXPECT_EQ(fault_in("a=b", type), FormFault::content_type) << type;
  EXPECT_EQ(FormFields::read(Request{}).error(), FormFault::content_type);
}

}  // namespace
