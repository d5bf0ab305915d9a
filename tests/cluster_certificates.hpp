// A CA of the tests' own, and certificates of it for members on 127.0.0.1.
#pragma once
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <string>

namespace test {

class CertificateAuthority {
 public:
  /// Its certificate is written to `folder`/`name`.crt.
  CertificateAuthority(std::string folder, const std::string& name)
      : folder_(std::move(folder)), name_(name), key_(new_key()), certificate_(made(key_.get(), name, {})) {
    write(name, certificate_.get(), nullptr);
  }
  std::string file() const { return folder_ + "/" + name_ + ".crt"; }

  /// Written to `folder`/`name`.crt and .key; valid for `place`, "IP:127.0.0.1".
  void issue(const std::string& name, const std::string& place = "IP:127.0.0.1") {
    const Key key = new_key();
    const Certificate certificate = made(key.get(), name, place);
    write(name, certificate.get(), key.get());
  }

 private:
  using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
  using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
  static Key new_key() { return {EVP_EC_gen("P-256"), EVP_PKEY_free}; }

  static void extend(X509* x, int what, const std::string& value) {
    const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
        X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str()), X509_EXTENSION_free);
    X509_add_ext(x, extension.get(), -1);
  }

  /// Of the CA itself when there is no `place`.
  Certificate made(EVP_PKEY* key, const std::string& name, const std::string& place) const {
    static long serial = 1;
    Certificate certificate(X509_new(), X509_free);
    X509* const x = certificate.get();
    X509_set_version(x, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(x), -86'400);
    X509_gmtime_adj(X509_getm_notAfter(x), 86'400);
    X509_set_pubkey(x, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(x, X509_get_subject_name(place.empty() ? x : certificate_.get()));
    extend(x, NID_basic_constraints, place.empty() ? "critical,CA:TRUE" : "CA:FALSE");
    if (!place.empty()) extend(x, NID_subject_alt_name, place);
    X509_sign(x, place.empty() ? key : key_.get(), EVP_sha256());
    return certificate;
  }

  void write(const std::string& name, X509* certificate, EVP_PKEY* key) const {
    const std::string stem = folder_ + "/" + name;
    const std::unique_ptr<FILE, decltype(&fclose)> out(fopen((stem + ".crt").c_str(), "w"), fclose);
    PEM_write_X509(out.get(), certificate);
    if (!key) return;
    const std::unique_ptr<FILE, decltype(&fclose)> secret(fopen((stem + ".key").c_str(), "w"), fclose);
    PEM_write_PrivateKey(secret.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  }

  std::string folder_, name_;
  Key key_;
  Certificate certificate_;
};

}  // namespace test
