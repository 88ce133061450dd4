import COpenSSL
package import NIOCore

/// One TLS connection without a socket: encrypted bytes in, encrypted bytes out, around an `SSL*` that reads and writes memory
/// (`TLSWire`).
///
/// Not Sendable: OpenSSL allows one thread at a time on an `SSL*`, so an engine stays on one event loop. After each
/// call, fetch what OpenSSL wants to send with `takeOutput()`.
package final class TLSEngine {
  /// The side of the handshake. The device is the server (protocol 1.1).
  package enum Role: Hashable, Sendable { case client, server }

  /// The phase of the connection. It is closed after the peer's close_notify and after any failure.
  package enum State: Hashable, Sendable { case handshake, open, closed }

  /// The result of received bytes, in order.
  package struct Outcome: Sendable {
    /// Set in the one call that completes the handshake.
    package var completed: TLSPeer?
    /// Decrypted bytes, never empty.
    package var plaintext: ByteBuffer?
    /// The peer sent close_notify; the reply is in the output.
    package var peerClosed = false
    /// The connection has failed; an alert may be in the output.
    package var failure: TLSError?
  }

  /// Maximum number of bytes buffered before the end of the handshake.
  package static let earlyWriteLimit = 1 << 20
  /// The most bytes of one record.
  private static let recordSize = 16 * 1024

  package private(set) var state = State.handshake
  /// True once close_notify is sent.
  package private(set) var isWriteClosed = false

  let ssl: OpaquePointer
  private let wire = TLSWire()
  private var early = ByteBuffer()

  /// - Parameter serverName: the host name or IP address the server's certificate must contain; a name is also sent to the server
  ///   (SNI). Required with a verifying context, nil with others.
  /// - Throws: `TLSError.unusable` when OpenSSL has no memory, or the context verifies and `serverName` is missing or invalid.
  package init(context: TLSContext, role: Role, serverName: String? = nil) throws(TLSError) {
    if context.isVerifying, serverName == nil {
      throw .unusable("a certificate cannot be verified without a server name")
    }
    OpenSSLErrors.clear()
    guard let ssl = SSL_new(context.pointer) else { throw OpenSSLErrors.unusable("making a connection") }
    guard wire.connect(ssl) else {
      SSL_free(ssl)
      throw OpenSSLErrors.unusable("making a connection")
    }
    switch role {
    case .client: SSL_set_connect_state(ssl)
    case .server: SSL_set_accept_state(ssl)
    }
    self.ssl = ssl
    if let serverName { try expect(serverName) }
  }

  deinit { SSL_free(ssl) }

  /// Starts the handshake: a client's first message is then in the output.
  package func start() -> Outcome {
    var outcome = Outcome()
    advance(&outcome)
    return outcome
  }

  /// Processes bytes from the network, in chunks of any size. Bytes after the end are dropped.
  package func receive(_ bytes: ByteBuffer) -> Outcome {
    var outcome = Outcome()
    guard state != .closed else { return outcome }
    if wire.incoming.readableBytes == 0 {
      wire.incoming = bytes
    } else {
      wire.incoming.writeImmutableBuffer(bytes)
    }
    advance(&outcome)
    // What was read is given back at once: a connection waits most of its time.
    if state == .closed || wire.incoming.readableBytes == 0 { wire.incoming = ByteBuffer() }
    return outcome
  }

  /// Encrypts bytes into the output; before the end of the handshake they are buffered.
  /// - Throws: `.earlyWriteLimit` (none of `bytes` was buffered), `.closed`, or `.recordFailed`, which closes.
  package func write(_ bytes: ByteBuffer) throws(TLSError) {
    guard !isWriteClosed else { throw .closed }
    switch state {
    case .closed: throw .closed
    case .open: try encrypt(bytes)
    case .handshake:
      guard bytes.readableBytes <= Self.earlyWriteLimit - early.readableBytes else {
        throw .earlyWriteLimit(bytes: Self.earlyWriteLimit)
      }
      early.writeImmutableBuffer(bytes)
    }
  }

  /// Writes close_notify into the output: now, or after the buffered writes when the handshake completes. Receiving remains
  /// possible.
  package func closeNotify() {
    guard !isWriteClosed else { return }
    isWriteClosed = true
    if state == .open { sendCloseNotify() }
  }

  private func sendCloseNotify() {
    // It returns 0 until the peer's close_notify has arrived: that is no reason to call it again.
    _ = step { SSL_shutdown(ssl) }
  }

  /// The encrypted bytes to send now; nil when there are none.
  package func takeOutput() -> ByteBuffer? {
    guard wire.outgoing.readableBytes > 0 else { return nil }
    defer { wire.outgoing = ByteBuffer() }
    return wire.outgoing
  }
}

extension TLSEngine {
  private enum Step {
    case done
    case needsInput
    case peerClosed
    case failed(String)
  }

  /// Makes one call of OpenSSL: clears this thread's error queue before it, reads the queue at once.
  private func step(_ call: () -> Int32) -> Step {
    OpenSSLErrors.clear()
    let result = call()
    if result == 1 { return .done }
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .needsInput
    case SSL_ERROR_ZERO_RETURN: return .peerClosed
    default: return .failed(OpenSSLErrors.takeWords())
    }
  }

  private func fail(_ error: TLSError, _ outcome: inout Outcome) {
    state = .closed
    early = ByteBuffer()
    outcome.failure = error
  }

  private func advance(_ outcome: inout Outcome) {
    if state == .handshake { shakeHands(&outcome) }
    while state == .open, read(&outcome) {}
  }

  private func shakeHands(_ outcome: inout Outcome) {
    switch step({ SSL_do_handshake(ssl) }) {
    case .needsInput: return
    case .failed(let words): fail(verdict.map(TLSError.untrusted) ?? .handshakeFailed(words), &outcome)
    case .peerClosed: fail(.handshakeFailed("the peer said close_notify"), &outcome)
    case .done:
      state = .open
      outcome.completed = peer
      let waiting = early
      early = ByteBuffer()
      do { try encrypt(waiting) } catch { return fail(error, &outcome) }
      if isWriteClosed { sendCloseNotify() }
    }
  }

  /// Decrypts at most one record; false when there is no complete one.
  private func read(_ outcome: inout Outcome) -> Bool {
    var plaintext = outcome.plaintext ?? ByteBuffer()
    outcome.plaintext = nil  // so that the bytes have one owner and are not copied
    let expected = max(1, min(max(Int(SSL_pending(ssl)), wire.incoming.readableBytes), Self.recordSize))
    var result = Step.needsInput
    plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: expected) { target in
      var count = 0
      result = step { SSL_read_ex(ssl, target.baseAddress, target.count, &count) }
      return count
    }
    if plaintext.readableBytes > 0 { outcome.plaintext = plaintext }
    switch result {
    case .done: return true
    case .needsInput: break
    case .failed(let words): fail(.recordFailed(words), &outcome)
    case .peerClosed:
      closeNotify()
      state = .closed
      outcome.peerClosed = true
    }
    return false
  }

  private func encrypt(_ bytes: ByteBuffer) throws(TLSError) {
    var rest = bytes
    while rest.readableBytes > 0 {
      let length = min(rest.readableBytes, Self.recordSize)
      let result = rest.readWithUnsafeReadableBytes { source in
        var count = 0
        return (length, step { SSL_write_ex(ssl, source.baseAddress, length, &count) })
      }
      switch result {
      case .done: continue
      case .failed(let words): throw writeFailure(words)
      case .needsInput, .peerClosed: throw writeFailure("OpenSSL did not accept the bytes")
      }
    }
  }

  private func writeFailure(_ words: String) -> TLSError {
    state = .closed
    return .recordFailed(words)
  }

  private var peer: TLSPeer {
    var der: [UInt8]?
    if let certificate = SSL_get1_peer_certificate(ssl) {
      der = DER.bytes { i2d_X509(certificate, $0) }
      X509_free(certificate)
    }
    let cipher = SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)).map { String(cString: $0) }
    let version = SSL_get_version(ssl).map { String(cString: $0) }
    return TLSPeer(version: version ?? "unknown", cipher: cipher ?? "unknown", certificateDER: der)
  }
}
