/// An error in a frame, sent or received (protocol 1.2).
package enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The body has more than `FrameCodec.maximumBodyLength` bytes; the value is its length.
  case bodyTooLong(Int)
  /// The peer announced an empty body.
  case emptyBody
  /// The body is not a message of the Cast channel.
  case message(CastMessageError)

  package var description: String {
    switch self {
    case .bodyTooLong(let length):
      "a message of \(length) bytes exceeds the channel's limit of \(FrameCodec.maximumBodyLength)"
    case .emptyBody: "the peer sent a frame without a message"
    case .message(let error): error.description
    }
  }
}

/// Frames: a 32-bit big-endian length, then that many bytes of message (protocol 1.2).
package enum FrameCodec {
  /// Maximum size of the message in a frame, ids and namespace included, the length prefix excluded.
  package static let maximumBodyLength = 65_536
  /// Size of the length prefix.
  package static let headerLength = 4

  /// Size of the message that `encode(_:)` would produce, without encoding it; compare it with `maximumBodyLength`.
  package static func bodyLength(of message: CastMessage) -> Int {
    CastMessageCodec.encodedLength(of: message)
  }

  /// Encodes the message as one frame. Refuses a body above the limit and empty ids.
  package static func encode(_ message: CastMessage) throws(FrameError) -> [UInt8] {
    let length = bodyLength(of: message)
    guard length <= maximumBodyLength else { throw .bodyTooLong(length) }
    var frame: [UInt8] = []
    frame.reserveCapacity(headerLength + length)
    for shift in [24, 16, 8, 0] { frame.append(UInt8(truncatingIfNeeded: length >> shift)) }
    do {
      try CastMessageCodec.encode(message, into: &frame)
    } catch {
      throw .message(error)
    }
    return frame
  }
}

/// Splits a byte stream into messages, however the bytes arrive.
///
/// Buffers at most one frame (65,540 bytes): a length is checked before any memory is allocated for it, and each byte is copied
/// once. There is no resynchronization: after an error every call throws it again, and the connection must be closed (protocol
/// 1.2).
package struct FrameDecoder: Sendable {
  private var header: UInt32 = 0
  private var headerCount = 0
  private var body: [UInt8] = []
  private var failure: FrameError?

  package init() {}

  /// Bytes buffered until the rest of their frame arrives.
  package var bufferedByteCount: Int { headerCount + body.count }

  /// Appends bytes of the stream and returns the messages they complete, none or many, in order.
  ///
  /// Messages completed before an error in the same call are lost: the connection has failed anyway.
  package mutating func append(_ bytes: some Sequence<UInt8>) throws(FrameError) -> [CastMessage] {
    let result =
      bytes.withContiguousStorageIfAvailable { read($0) }
      ?? ContiguousArray(bytes).withUnsafeBufferPointer { read($0) }
    return try result.get()
  }

  /// A result instead of a throw, because the closures that access the bytes do not support typed errors.
  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<[CastMessage], FrameError> {
    if let failure { return .failure(failure) }
    var messages: [CastMessage] = []
    var rest = bytes[...]
    do {
      while !rest.isEmpty {
        if headerCount < FrameCodec.headerLength {
          try takeHeader(rest.removeFirst())
        } else {
          let part = rest.prefix(Int(header) - body.count)
          rest = rest.dropFirst(part.count)
          body.append(contentsOf: part)
          if body.count == Int(header) { messages.append(try takeBody()) }
        }
      }
    } catch {
      failure = error
      body = []
      headerCount = 0
      return .failure(error)
    }
    return .success(messages)
  }

  private mutating func takeHeader(_ byte: UInt8) throws(FrameError) {
    header = header << 8 | UInt32(byte)
    headerCount += 1
    guard headerCount == FrameCodec.headerLength else { return }
    guard header > 0 else { throw .emptyBody }
    guard header <= UInt32(FrameCodec.maximumBodyLength) else { throw .bodyTooLong(Int(header)) }
  }

  private mutating func takeBody() throws(FrameError) -> CastMessage {
    defer {
      // A device that once sent a large status must not occupy 64 KiB for ever.
      body.removeAll(keepingCapacity: body.capacity <= 8_192)
      header = 0
      headerCount = 0
    }
    do {
      return try CastMessageCodec.decode(body)
    } catch {
      throw .message(error)
    }
  }
}
