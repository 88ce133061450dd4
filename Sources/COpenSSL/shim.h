#pragma once
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

// Function-like macros do not reach Swift; each of these only names one.
static inline long castq_ctx_set_min_version(SSL_CTX *ctx, int version) {
  return SSL_CTX_set_min_proto_version(ctx, version);
}
static inline long castq_ctx_set_max_version(SSL_CTX *ctx, int version) {
  return SSL_CTX_set_max_proto_version(ctx, version);
}
static inline long castq_ctx_set_mode(SSL_CTX *ctx, long mode) { return SSL_CTX_set_mode(ctx, mode); }
static inline long castq_ctx_session_cache_off(SSL_CTX *ctx) {
  return SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
}
static inline uint64_t castq_ctx_fresh_handshakes_only(SSL_CTX *ctx) {
  return SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
}
static inline long castq_bio_set_eof_is_retry(BIO *bio) { return BIO_set_mem_eof_return(bio, -1); }
static inline size_t castq_bio_pending(BIO *bio) { return BIO_ctrl_pending(bio); }
static inline int castq_rsa_set_bits(EVP_PKEY_CTX *ctx, int bits) {
  return EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, bits);
}
