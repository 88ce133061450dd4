import COpenSSL

/// What all TLS connections of one kind share.
///
/// `@unchecked Sendable`: the `SSL_CTX` is configured in the initialiser alone and only read afterwards; OpenSSL counts its
/// references atomically and allows `SSL_new` from any thread.
package final class TLSContext: @unchecked Sendable {
  /// Versions on offer. TLS 1.2 works with every device; 1.3 with newer firmware only (protocol 1.1).
  package enum Version: Sendable, Hashable {
    case tls12, tls13

    var number: Int32 { self == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION }
  }

  let pointer: OpaquePointer

  /// For senders. Peer certificates are not verified here: devices present self-signed ones, of any age and version, and prove
  /// themselves by device authentication (protocol 1.1, 2).
  ///
  /// - Parameter compatibility: also offers the old cipher suites and signatures that some receivers are stuck with.
  package static func client(compatibility: Bool = false) throws(TLSError) -> TLSContext {
    let context = try TLSContext(TLS_client_method(), minimum: .tls12, maximum: .tls13)
    SSL_CTX_set_verify(context.pointer, SSL_VERIFY_NONE, nil)
    if compatibility {
      SSL_CTX_set_security_level(context.pointer, 0)
      SSL_CTX_set_cipher_list(context.pointer, "ALL:@SECLEVEL=0")
    } else {
      // Level 2, Debian's default, refuses peers with 1024-bit keys; old Chromecasts have them.
      SSL_CTX_set_security_level(context.pointer, 1)
    }
    return context
  }

  /// For receivers.
  package static func server(
    identity: TLSIdentity, minimum: Version = .tls12, maximum: Version = .tls13
  ) throws(TLSError) -> TLSContext {
    let context = try TLSContext(TLS_server_method(), minimum: minimum, maximum: maximum)
    SSL_CTX_set_security_level(context.pointer, 0)
    guard SSL_CTX_use_certificate(context.pointer, identity.certificate) == 1,
      SSL_CTX_use_PrivateKey(context.pointer, identity.key) == 1
    else { throw .setup(OpenSSLErrors.take()) }
    SSL_CTX_set_num_tickets(context.pointer, 0)
    return context
  }

  private init(_ method: OpaquePointer?, minimum: Version, maximum: Version) throws(TLSError) {
    OpenSSLErrors.clear()
    guard let pointer = SSL_CTX_new(method) else { throw .setup(OpenSSLErrors.take()) }
    self.pointer = pointer
    castq_ctx_set_min_version(pointer, minimum.number)
    castq_ctx_set_max_version(pointer, maximum.number)
    castq_ctx_set_mode(pointer, Int(SSL_MODE_RELEASE_BUFFERS))
    // A fresh handshake for each connection, and never another one inside it (protocol 1.1).
    castq_ctx_session_cache_off(pointer)
    castq_ctx_fresh_handshakes_only(pointer)
  }

  deinit { SSL_CTX_free(pointer) }
}
