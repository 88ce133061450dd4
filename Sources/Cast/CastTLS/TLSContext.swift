import COpenSSL
import Glibc

/// The settings of connections: one context for all connections of a kind.
///
/// `@unchecked Sendable`: the SSL_CTX is configured in the initializers and never changed afterwards. Then it is only passed to
/// `SSL_new`, which OpenSSL documents as safe from several threads (reference counts and the shared parts are locked inside).
package final class TLSContext: @unchecked Sendable {
  let pointer: OpaquePointer

  deinit { SSL_CTX_free(pointer) }

  /// For senders. The peer's certificate is not verified here, whatever its version, validity, key or signature: trust comes from
  /// device authentication (protocol 1.1, 2). No server name and no ALPN are sent.
  ///
  /// TLS 1.2 to 1.3. Level 1 accepts RSA keys of 1024 bits and 1024-bit Diffie-Hellman groups, which the distribution's level 2
  /// refuses.
  /// - Parameter compatibility: offers all cipher suites and SHA-1 handshake signatures, and accepts servers without RFC 5746: for
  ///   old third-party receivers (protocol 18, row 27).
  package static func client(compatibility: Bool = false) throws(TLSError) -> TLSContext {
    let context = try TLSContext(method: TLS_client_method(), minimum: .v1_2, maximum: .v1_3)
    if compatibility {
      try context.set(securityLevel: 0, ciphers: allCiphers)
      COpenSSL_allow_legacy_server(context.pointer)
    } else {
      try context.set(securityLevel: 1, ciphers: "DEFAULT")
    }
    return context
  }

  /// For simulated receivers. No client certificate is requested.
  /// - Parameter minimum: below `.v1_2` every cipher suite and signature is offered, as old devices do.
  package static func server(
    identity: TLSIdentity, minimum: TLSVersion = .v1_2, maximum: TLSVersion = .v1_3
  ) throws(TLSError) -> TLSContext {
    let context = try TLSContext(method: TLS_server_method(), minimum: minimum, maximum: maximum)
    let isOld = minimum < .v1_2
    try context.set(securityLevel: isOld ? 0 : 1, ciphers: isOld ? allCiphers : "DEFAULT")
    // Tickets would be the only data that a TLS 1.3 server sends without a request.
    SSL_CTX_set_num_tickets(context.pointer, 0)
    let count = Int32(clamping: identity.certificateDER.count)
    OpenSSLErrors.clear()
    guard SSL_CTX_use_certificate_ASN1(context.pointer, count, identity.certificateDER) == 1 else {
      throw OpenSSLErrors.unusable("using the certificate")
    }
    let key = try TLSKeyHandle(der: identity.key.der)
    guard SSL_CTX_use_PrivateKey(context.pointer, key.pointer) == 1 else {
      throw OpenSSLErrors.unusable("using the private key")
    }
    return context
  }

  /// For servers with a certificate that somebody else made. No client certificate is requested. TLS 1.2 to 1.3.
  /// - Parameters:
  ///   - chain: a PEM file: the server's certificate, then those that lead to a root.
  ///   - key: a PEM file with the private key of the first certificate.
  /// - Throws: `TLSError.unreadable` when a file cannot be read, `TLSError.unusable` when it holds something else, or the key belongs to
  ///   another certificate.
  package static func server(chain: String, key: String) throws(TLSError) -> TLSContext {
    for file in [chain, key] where access(file, R_OK) != 0 {
      throw .unreadable(file, String(cString: strerror(errno)))
    }
    let context = try TLSContext(method: TLS_server_method(), minimum: .v1_2, maximum: .v1_3)
    OpenSSLErrors.clear()
    guard SSL_CTX_use_certificate_chain_file(context.pointer, chain) == 1 else {
      throw OpenSSLErrors.unusable("reading the certificate \(chain)")
    }
    guard SSL_CTX_use_PrivateKey_file(context.pointer, key, SSL_FILETYPE_PEM) == 1 else {
      throw OpenSSLErrors.unusable("reading the private key \(key)")
    }
    guard SSL_CTX_check_private_key(context.pointer) == 1 else {
      throw OpenSSLErrors.unusable("using the private key \(key)")
    }
    return context
  }

  /// For web servers: the certificate must be valid now, lead to a known root and contain the server's name, which every connection
  /// must specify (`TLSEngine`).
  ///
  /// Known roots are the system's, as OpenSSL finds them: `SSL_CERT_FILE` and `SSL_CERT_DIR` if they are set, else the
  /// distribution's. Reading them takes about 30 ms, so create one context for all connections.
  /// - Parameter extraRoots: a PEM file of additional roots; nil for none.
  /// - Throws: `TLSError.unusable` when `extraRoots` cannot be read.
  package static func verifyingClient(extraRoots: String? = nil) throws(TLSError) -> TLSContext {
    let context = try TLSContext(method: TLS_client_method(), minimum: .v1_2, maximum: .v1_3)
    try context.set(securityLevel: 2, ciphers: "DEFAULT")
    OpenSSLErrors.clear()
    guard SSL_CTX_set_default_verify_paths(context.pointer) == 1 else {
      throw OpenSSLErrors.unusable("finding the system's roots")
    }
    if let extraRoots, SSL_CTX_load_verify_file(context.pointer, extraRoots) != 1 {
      throw OpenSSLErrors.unusable("reading roots from \(extraRoots)")
    }
    // Earlier errors must not be attributed to a later failure.
    OpenSSLErrors.clear()
    SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
    return context
  }

  /// Whether connections verify the peer's certificate, and so require its name.
  var isVerifying: Bool { SSL_CTX_get_verify_mode(pointer) & SSL_VERIFY_PEER != 0 }

  private static let allCiphers = "ALL:COMPLEMENTOFDEFAULT:!aNULL:!eNULL"

  /// OpenSSL gives all its memory back when a process exits, which takes a millisecond, and no thread may use it then.
  private static let isKeptAtExit = OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  private init(method: OpaquePointer?, minimum: TLSVersion, maximum: TLSVersion) throws(TLSError) {
    _ = Self.isKeptAtExit
    OpenSSLErrors.clear()
    guard let pointer = SSL_CTX_new(method) else { throw OpenSSLErrors.unusable("making a context") }
    self.pointer = pointer
    guard COpenSSL_set_protocols(pointer, minimum.code, maximum.code) == 1 else {
      throw OpenSSLErrors.unusable("choosing the TLS versions")
    }
    COpenSSL_set_defaults(pointer)
    SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
  }

  /// Always sets both: the system's openssl.cnf may have changed them.
  private func set(securityLevel: Int32, ciphers: String) throws(TLSError) {
    SSL_CTX_set_security_level(pointer, securityLevel)
    OpenSSLErrors.clear()
    guard SSL_CTX_set_cipher_list(pointer, ciphers) == 1 else {
      throw OpenSSLErrors.unusable("choosing the cipher suites")
    }
  }
}
