import COpenSSL
package import NIOCore

/// Which side of the handshake one is.
package enum TLSRole: Sendable, Hashable {
  case client, server
}

/// Who is at the other end.
package struct TLSPeer: Sendable, Hashable {
  /// Such as `TLSv1.3`.
  package var version: String
  /// Cipher suite by OpenSSL's name.
  package var cipher: String
  /// The peer's certificate exactly as it was sent; nil when it sent none.
  package var certificateDER: [UInt8]?
}

/// One TLS connection without a socket: bytes in, bytes out, over two memory buffers.
///
/// Not `Sendable`, because an `SSL` object is not thread safe: owned by one channel handler on one event loop.
package final class TLSEngine {
  enum State: Hashable {
    case handshake, open, peerClosed, failed
  }

  /// What came of received bytes.
  package enum Outcome: Hashable {
    case handshakeCompleted(TLSPeer)
    /// Plain bytes.
    case data(ByteBuffer)
    /// The peer said goodbye.
    case peerClosed
    case failed(TLSError)
  }

  /// What may wait for the end of the handshake, in bytes.
  static let earlyLimit = 1 << 20

  private let ssl: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  private(set) var state: State = .handshake

  package init(context: TLSContext, role: TLSRole) throws(TLSError) {
    OpenSSLErrors.clear()
    guard let ssl = SSL_new(context.pointer) else { throw .setup(OpenSSLErrors.take()) }
    guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
      SSL_free(ssl)
      throw .setup(OpenSSLErrors.take())
    }
    self.ssl = ssl
    self.incoming = incoming
    self.outgoing = outgoing
    // An empty buffer means "come back later", not "the end".
    castq_bio_set_eof_is_retry(incoming)
    castq_bio_set_eof_is_retry(outgoing)
    SSL_set_bio(ssl, incoming, outgoing)  // owns both from here on
    switch role {
    case .client: SSL_set_connect_state(ssl)
    case .server: SSL_set_accept_state(ssl)
    }
  }

  deinit { SSL_free(ssl) }

  /// Begins: a client's first bytes are then waiting in `takeOutput`.
  package func start() -> [Outcome] {
    var outcomes: [Outcome] = []
    handshake(&outcomes)
    return outcomes
  }

  /// Takes in bytes from the peer; everything they lead to comes back in order.
  package func receive(_ bytes: ByteBuffer) -> [Outcome] {
    guard state == .handshake || state == .open else { return [] }
    var outcomes: [Outcome] = []
    bytes.withUnsafeReadableBytes { raw in
      guard let base = raw.baseAddress, !raw.isEmpty else { return }
      BIO_write(incoming, base, Int32(clamping: raw.count))
    }
    if state == .handshake { handshake(&outcomes) }
    if state == .open { read(&outcomes) }
    return outcomes
  }

  /// Encrypts; the result waits in `takeOutput`. Only after the handshake.
  package func write(_ bytes: ByteBuffer) throws(TLSError) {
    guard state == .open || state == .peerClosed else { throw .closed }
    var remaining = bytes
    while remaining.readableBytes > 0 {
      OpenSSLErrors.clear()
      let (result, written) = remaining.withUnsafeReadableBytes { raw -> (Int32, Int) in
        var written = 0
        let result = SSL_write_ex(ssl, raw.baseAddress, raw.count, &written)
        return (result, written)
      }
      guard result == 1, written > 0 else {
        state = .failed
        throw .connectionFailed(OpenSSLErrors.take())
      }
      remaining.moveReaderIndex(forwardBy: written)
    }
  }

  /// Says goodbye; the words wait in `takeOutput`.
  package func closeNotify() {
    guard state == .open || state == .peerClosed else { return }
    OpenSSLErrors.clear()
    SSL_shutdown(ssl)
  }

  /// The bytes for the peer; nil when there are none. To be asked after every other call.
  package func takeOutput(_ allocator: ByteBufferAllocator) -> ByteBuffer? {
    let count = castq_bio_pending(outgoing)
    guard count > 0 else { return nil }
    var buffer = allocator.buffer(capacity: count)
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { raw in
      max(Int(BIO_read(outgoing, raw.baseAddress, Int32(clamping: count))), 0)
    }
    return buffer
  }

  private func handshake(_ outcomes: inout [Outcome]) {
    OpenSSLErrors.clear()
    let result = SSL_do_handshake(ssl)
    if result == 1 {
      state = .open
      outcomes.append(.handshakeCompleted(peer))
      return
    }
    let error = SSL_get_error(ssl, result)
    if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE { return }
    state = .failed
    outcomes.append(.failed(.handshakeFailed(OpenSSLErrors.take())))
  }

  private func read(_ outcomes: inout [Outcome]) {
    while true {
      var plain = ByteBuffer()
      var result: Int32 = 0
      OpenSSLErrors.clear()
      plain.writeWithUnsafeMutableBytes(minimumWritableBytes: 16 * 1024) { raw in
        var count = 0
        result = SSL_read_ex(ssl, raw.baseAddress, raw.count, &count)
        return result == 1 ? count : 0
      }
      if result == 1 {
        outcomes.append(.data(plain))
        continue
      }
      let error = SSL_get_error(ssl, result)
      switch error {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
      case SSL_ERROR_ZERO_RETURN:
        state = .peerClosed
        outcomes.append(.peerClosed)
      default:
        state = .failed
        outcomes.append(.failed(.connectionFailed(OpenSSLErrors.take())))
      }
      return
    }
  }

  private var peer: TLSPeer {
    let cipher = SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)).map { String(cString: $0) }
    var der: [UInt8]?
    if let certificate = SSL_get1_peer_certificate(ssl) {
      der = X509DER.bytes(of: certificate)
      X509_free(certificate)
    }
    return TLSPeer(version: String(cString: SSL_get_version(ssl)), cipher: cipher ?? "", certificateDER: der)
  }
}
