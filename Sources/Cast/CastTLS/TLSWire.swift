import COpenSSL
import NIOCore

/// Where one `SSL*` reads and writes: buffers that its engine fills and empties. OpenSSL's own memory would copy once more, and
/// keep the size of the largest message that ever went through it.
final class TLSWire {
  /// What has come from the network and is not decrypted yet.
  var incoming = ByteBuffer()
  /// What is to be sent.
  var outgoing = ByteBuffer()

  /// `nonisolated(unsafe)`: it is made once, and OpenSSL only reads it.
  nonisolated(unsafe) private static let method: OpaquePointer? = {
    guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "castq") else { return nil }
    BIO_meth_set_read(method) { bio, target, count in
      guard let wire = TLSWire.of(bio), let target, count > 0 else { return 0 }
      let length = min(Int(count), wire.incoming.readableBytes)
      BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
      guard length > 0 else {
        // Not the end: there may be more later.
        BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
        return -1
      }
      wire.incoming.readWithUnsafeReadableBytes { source in
        UnsafeMutableRawBufferPointer(start: target, count: length).copyMemory(
          from: .init(rebasing: source[..<length]))
        return length
      }
      return Int32(length)
    }
    BIO_meth_set_write(method) { bio, source, count in
      guard let wire = TLSWire.of(bio), let source, count > 0 else { return 0 }
      wire.outgoing.writeBytes(UnsafeRawBufferPointer(start: source, count: Int(count)))
      return count
    }
    BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return method
  }()

  private static func of(_ bio: OpaquePointer?) -> TLSWire? {
    BIO_get_data(bio).map { Unmanaged<TLSWire>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Makes an `SSL*` read and write here. The wire must live longer than it.
  /// - Returns: false when OpenSSL has no memory.
  func connect(_ ssl: OpaquePointer) -> Bool {
    guard let method = Self.method, let bio = BIO_new(method) else { return false }
    BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(bio, 1)
    // One for both ways, which takes one reference: `ssl` owns it.
    SSL_set_bio(ssl, bio, bio)
    return true
  }
}
