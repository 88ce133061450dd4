#pragma once
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// OpenSSL offers these as function-like macros, which Swift cannot see.

static inline int COpenSSL_set_protocols(SSL_CTX *context, int minimum, int maximum) {
  return SSL_CTX_set_min_proto_version(context, minimum) &&
         SSL_CTX_set_max_proto_version(context, maximum);
}

// No renegotiation: a TLS 1.2 peer could otherwise make SSL_write wait for input.
// No tickets, no session cache: every connection makes a fresh handshake.
static inline void COpenSSL_set_defaults(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

// Accepts a server that does not know RFC 5746 (secure renegotiation).
static inline void COpenSSL_allow_legacy_server(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_LEGACY_SERVER_CONNECT);
}

// The name a server with several certificates chooses by (SNI).
static inline int COpenSSL_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

// The reason within an error of the queue.
static inline int COpenSSL_reason(unsigned long error) { return ERR_GET_REASON(error); }
