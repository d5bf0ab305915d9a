#include "actors/sign_in/password.hpp"

#include <sodium.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tl/expected.hpp>
#include <vector>

namespace actors {
namespace {

// UAX #15, "Unicode Normalization Forms", 14: how much longer than NFC a text may be in UTF-8.
constexpr std::size_t kNormalisationExpansion = 3;
constexpr std::size_t kRepeatedBlockMax_characters = 4;

// Common passwords of twelve characters and more, in small letters, without the signs at their end. Chosen by
// hand after the habits that leaked lists show (keyboard, year, "password") and our users' language and
// subject; copied from no list.
constexpr auto kCommonPasswords = std::to_array<std::string_view>({
    "1234567890qwertyuiop",
    "1234567890qwertzuiop",
    "1234qwerasdf",
    "1234qwerasdfzxcv",
    "123456789abc",
    "1q2w3e4r5t6y",
    "1q2w3e4r5t6y7u8i",
    "1q2w3e4r5t6z",
    "1qay2wsx3edc",
    "1qaz2wsx3edc",
    "1qaz2wsx3edc4rfv",
    "abc123456789",
    "abcd12345678",
    "abcdefg12345",
    "admin1234567",
    "admin12345678",
    "administrator",
    "administrator1",
    "asdfghjkl123",
    "asdfghjklqwertyuiop",
    "changeme1234",
    "changemenow1",
    "correcthorsebatterystaple",
    "dachanalyse1",
    "einfamilienhaus",
    "geheimespasswort",
    "geheimnis123",
    "hallo1234567",
    "hallohallo12",
    "ichliebedich",
    "ichliebedich1",
    "iloveyou1234",
    "iloveyou12345",
    "iloveyouforever",
    "lassmichrein",
    "lassmichrein1",
    "letmein12345",
    "letmeinletmein",
    "manchesterunited",
    "michaeljackson",
    "mustersolaranlage",
    "password0123",
    "password1234",
    "password12345",
    "password123456",
    "password123456789",
    "passwordpassword",
    "passwort1234",
    "passwort12345",
    "passwort123456",
    "passwortpasswort",
    "photovoltaik",
    "photovoltaik1",
    "photovoltaikanlage",
    "q1w2e3r4t5y6",
    "q1w2e3r4t5z6",
    "qazwsxedcrfv",
    "qweasdzxc123",
    "qwerasdfzxcv",
    "qwerty123456",
    "qwertyuiop12",
    "qwertyuiop123",
    "qwertz123456",
    "qwertzuiop12",
    "qwertzuiop123",
    "schatz123456",
    "schmetterling",
    "schmetterling1",
    "solaranlage1",
    "sonnenenergie",
    "sonnenschein",
    "sonnenschein1",
    "superman1234",
    "testtesttest",
    "thisismypassword",
    "unbelievable",
    "welcome12345",
    "willkommen12",
    "willkommen123",
    "zaq12wsxcde3",
    "zaq1xsw2cde3",
});

// Read forwards and backwards, the end joined to the beginning; no character twice in one of them.
constexpr auto kRows = std::to_array<std::string_view>(
    {"0123456789", "abcdefghijklmnopqrstuvwxyz", "qwertzuiopasdfghjklyxcvbnm", "qwertyuiopasdfghjklzxcvbnm"});

/// Overwrites memory that is given back, also when a vector grows.
template <class T>
struct WipingAllocator {
  using value_type = T;
  WipingAllocator() = default;
  template <class U>
  explicit WipingAllocator(const WipingAllocator<U>&) {}
  T* allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
  void deallocate(T* values, std::size_t count) {
    sodium_memzero(values, count * sizeof(T));
    std::allocator<T>().deallocate(values, count);
  }
  bool operator==(const WipingAllocator&) const = default;
};
using SecretCharacters = std::vector<utf8proc_int32_t, WipingAllocator<utf8proc_int32_t>>;
using SecretBytes = std::vector<char, WipingAllocator<char>>;

/// Unassigned characters are refused because a later Unicode may normalise them otherwise.
bool is_forbidden_in_password(utf8proc_int32_t c) {
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      return false;
  }
}

/// Not utf8proc_NFC, which leaves the password in memory that it has given back.
tl::expected<SecretCharacters, PasswordFault> normal_password(std::string_view text) {
  constexpr auto kNfc = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  if (text.size() > kNormalisationExpansion * kPasswordSizeMax_bytes)
    return tl::make_unexpected(PasswordFault::too_long);
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto size = static_cast<utf8proc_ssize_t>(text.size());
  const auto room = utf8proc_decompose(bytes, size, nullptr, 0, kNfc);
  if (room < 0) return tl::make_unexpected(PasswordFault::forbidden_character);
  SecretCharacters characters(static_cast<std::size_t>(room));
  utf8proc_decompose(bytes, size, characters.data(), room, kNfc);
  for (auto& c : characters)
    if (utf8proc_category(c) == UTF8PROC_CATEGORY_ZS) c = ' ';
  characters.resize(static_cast<std::size_t>(utf8proc_normalize_utf32(characters.data(), room, kNfc)));
  if (std::any_of(characters.begin(), characters.end(), is_forbidden_in_password))
    return tl::make_unexpected(PasswordFault::forbidden_character);
  return characters;
}

SecretBytes utf8_of(const SecretCharacters& characters) {
  SecretBytes bytes;
  for (const auto c : characters) {
    std::array<utf8proc_uint8_t, 4> encoded;
    const auto length = utf8proc_encode_char(c, encoded.data());
    bytes.insert(bytes.end(), encoded.begin(), encoded.begin() + length);
    sodium_memzero(encoded.data(), encoded.size());
  }
  return bytes;
}

/// What is hashed.
tl::expected<SecretBytes, PasswordFault> hashed_form(std::string_view text) {
  const auto characters = normal_password(text);
  if (!characters) return tl::make_unexpected(characters.error());
  auto bytes = utf8_of(*characters);
  if (bytes.size() > kPasswordSizeMax_bytes) return tl::make_unexpected(PasswordFault::too_long);
  return bytes;
}

bool is_letter_or_digit(utf8proc_int32_t c) {
  const auto category = utf8proc_category(c);
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
         category == UTF8PROC_CATEGORY_ND;
}

/// In small letters, without the signs at the end that people add when a rule asks for one; all signs stay
/// when there is nothing else.
SecretCharacters bare(SecretCharacters characters) {
  const auto last = std::find_if(characters.rbegin(), characters.rend(), is_letter_or_digit);
  if (last != characters.rend()) characters.erase(last.base(), characters.end());
  for (auto& c : characters) c = utf8proc_tolower(c);
  return characters;
}

bool is_common(const SecretBytes& text) {
  return std::find(kCommonPasswords.begin(), kCommonPasswords.end(),
                   std::string_view(text.data(), text.size())) != kCommonPasswords.end();
}

bool is_email_or_local_part(const SecretCharacters& password, std::string_view email) {
  for (const auto part : {email, email.substr(0, email.find('@'))})
    if (const auto characters = normal_password(part); characters && bare(*characters) == password)
      return !password.empty();
  return false;
}

bool repeats_a_block(const SecretCharacters& text) {
  for (std::size_t block = 1; block <= std::min(kRepeatedBlockMax_characters, text.size() / 2); ++block)
    if (std::equal(text.begin() + static_cast<std::ptrdiff_t>(block), text.end(), text.begin())) return true;
  return false;
}

/// Whether each character is followed by its neighbour in `row`, `step` places on.
bool follows(const SecretCharacters& text, std::string_view row, std::size_t step) {
  auto place = std::find(row.begin(), row.end(), text.front());
  if (place == row.end()) return false;
  auto at = static_cast<std::size_t>(place - row.begin());
  for (const auto c : text) {
    if (c != row[at]) return false;
    at = (at + step) % row.size();
  }
  return true;
}

bool is_simple_pattern(const SecretCharacters& text) {
  if (text.empty() || repeats_a_block(text)) return true;
  return std::any_of(kRows.begin(), kRows.end(), [&](std::string_view row) {
    return follows(text, row, 1) || follows(text, row, row.size() - 1);
  });
}

constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL_NO_PADDING;

template <std::size_t Size>
std::string base64(const std::array<std::uint8_t, Size>& bytes) {
  std::array<char, sodium_base64_ENCODED_LEN(Size, kBase64)> text;
  return sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kBase64);
}

/// False unless the text stands for exactly so many bytes.
template <std::size_t Size>
bool from_base64(std::string_view text, std::array<std::uint8_t, Size>& bytes) {
  std::size_t size = 0;
  return sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &size, nullptr,
                           kBase64) == 0 &&
         size == Size;
}

}  // namespace

std::optional<PasswordFault> password_fault(std::string_view password, std::string_view email) {
  const auto characters = normal_password(password);
  if (!characters) return characters.error();
  if (characters->size() < kPasswordLengthMin_characters) return PasswordFault::too_short;
  if (utf8_of(*characters).size() > kPasswordSizeMax_bytes) return PasswordFault::too_long;
  const auto plain = bare(*characters);
  if (is_simple_pattern(plain)) return PasswordFault::simple_pattern;
  if (is_email_or_local_part(plain, email)) return PasswordFault::is_email;
  if (is_common(utf8_of(plain))) return PasswordFault::common;
  return {};
}

PasswordHasher::PasswordHasher(PasswordCost cost)
    : cost_(cost),
      prefix_("$argon2id$v=19$m=" + std::to_string(cost.memory_bytes / 1024) +
              ",t=" + std::to_string(cost.passes) + ",p=1$") {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot start");
  randombytes_buf(&nobody_, sizeof nobody_);
  if (!argon2id({}, nobody_.salt, cost_)) throw std::runtime_error("passwords cannot be hashed at this cost");
  give_back_hash_memory();
}

std::optional<std::string> PasswordHasher::hash(std::string_view password) const {
  const auto text = hashed_form(password);
  if (!text || text->empty()) return {};
  Salt salt;
  randombytes_buf(salt.data(), salt.size());
  const auto hash = argon2id(*text, salt, cost_);
  if (!hash) return {};
  return prefix_ + base64(salt) + '$' + base64(*hash);
}

std::optional<PasswordHasher::Parts> PasswordHasher::parts_of(const std::string& hash) const {
  if (!hash.starts_with(prefix_)) return {};
  const std::string_view rest = std::string_view(hash).substr(prefix_.size());
  const std::size_t between = std::min(rest.find('$'), rest.size() - 1);
  Parts parts;
  if (!from_base64(rest.substr(0, between), parts.salt) || !from_base64(rest.substr(between + 1), parts.hash))
    return {};
  return parts;
}

bool PasswordHasher::matches(std::span<const char> hashed_form, const Parts& parts) const {
  const auto hash = argon2id(hashed_form, parts.salt, cost_);
  return hash && sodium_memcmp(hash->data(), parts.hash.data(), hash->size()) == 0;
}

bool PasswordHasher::matches(std::string_view password, const std::string& hash) const {
  const auto text = hashed_form(password);
  if (const auto parts = parts_of(hash); text && parts) return matches(*text, *parts);
  // At another cost, until this sign-in replaces it.
  const bool readable =
      crypto_pwhash_argon2id_str_needs_rehash(hash.c_str(), cost_.passes, cost_.memory_bytes) >= 0;
  if (text && readable)
    return crypto_pwhash_argon2id_str_verify(hash.c_str(), text->empty() ? "" : text->data(), text->size()) ==
           0;
  matches_nobody(password);
  return false;
}

void PasswordHasher::matches_nobody(std::string_view password) const {
  const auto text = hashed_form(password);
  static_cast<void>(matches(text ? *text : SecretBytes{}, nobody_));
}

bool PasswordHasher::needs_new_hash(const std::string& hash) const { return !parts_of(hash); }

void wipe(std::string& text) {
  sodium_memzero(text.data(), text.size());
  text.clear();
}

}  // namespace actors
