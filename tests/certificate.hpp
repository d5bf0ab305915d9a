// A certificate of the tests' own.
#pragma once
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <string>

namespace test {

struct PemFiles {
  std::string certificate, key;
};

constexpr long kHour_s = 3'600;

/// A certificate for 127.0.0.1, signed by itself, valid for an hour unless said: written to `stem`.crt and
/// `stem`.key.
inline PemFiles make_certificate(const std::string& stem, long ends_in_s = kHour_s) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
  X509* const x = certificate.get();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_gmtime_adj(X509_getm_notBefore(x), -2 * kHour_s);
  X509_gmtime_adj(X509_getm_notAfter(x), ends_in_s);
  X509_set_pubkey(x, key.get());
  const std::string name = stem.substr(stem.rfind('/') + 1);  // trusted ones are told apart by it
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(x));
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> place(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"), X509_EXTENSION_free);
  X509_add_ext(x, place.get(), -1);
  X509_sign(x, key.get(), EVP_sha256());
  PemFiles files{stem + ".crt", stem + ".key"};
  const std::unique_ptr<FILE, decltype(&fclose)> out(fopen(files.certificate.c_str(), "w"), fclose);
  PEM_write_X509(out.get(), x);
  const std::unique_ptr<FILE, decltype(&fclose)> secret(fopen(files.key.c_str(), "w"), fclose);
  PEM_write_PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return files;
}

}  // namespace test
