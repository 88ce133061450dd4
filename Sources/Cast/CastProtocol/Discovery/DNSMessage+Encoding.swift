extension DNSMessage {
  /// Encodes the message as one packet.
  ///
  /// - Parameters:
  ///   - compressing: whether repeated names are replaced by pointers.
  ///   - limit: maximum size of the packet in bytes.
  /// - Throws: `.packetFull` when the message exceeds the limit, `.invalidName` and `.invalidValue` for values that the DNS cannot
  ///   represent.
  package func encoded(
    compressing: Bool = true, limit: Int = DNSMessage.maximumSentLength
  ) throws(DNSError) -> [UInt8] {
    var writer = DNSWriter(isCompressing: compressing)
    var flags: UInt16 = 0
    if isResponse { flags |= 0x8000 }
    if isAuthoritative { flags |= 0x0400 }
    if isTruncated { flags |= 0x0200 }
    writer.append(id)
    writer.append(flags)
    for count in [questions.count, answers.count, authorities.count, additionals.count] {
      guard let count = UInt16(exactly: count) else { throw .packetFull(limit) }
      writer.append(count)
    }
    for question in questions {
      try writer.append(question.name)
      writer.append(question.type.rawValue)
      writer.append(question.wantsUnicastReply ? 0x8001 : 1)
      guard writer.bytes.count <= limit else { throw .packetFull(limit) }
    }
    for records in [answers, authorities, additionals] {
      for record in records {
        try writer.append(record)
        guard writer.bytes.count <= limit else { throw .packetFull(limit) }
      }
    }
    return writer.bytes
  }
}

/// Writes one packet.
private struct DNSWriter {
  let isCompressing: Bool
  private(set) var bytes: [UInt8] = []
  /// Positions of name suffixes, by their bytes.
  private var places: [[UInt8]: UInt16] = [:]

  init(isCompressing: Bool) { self.isCompressing = isCompressing }

  mutating func append(_ number: UInt16) {
    bytes.append(UInt8(number >> 8))
    bytes.append(UInt8(truncatingIfNeeded: number))
  }

  /// Points to the longest written suffix of the name with the same case, so that the receiver gets the name unchanged.
  mutating func append(_ name: DNSName) throws(DNSError) {
    var whole: [UInt8] = []
    var starts: [Int] = []
    for label in name.labels {
      let length = label.utf8.count
      guard (1...63).contains(length) else { throw .invalidName(name) }
      starts.append(whole.count)
      whole.append(UInt8(length))
      whole.append(contentsOf: label.utf8)
    }
    guard whole.count < 255 else { throw .invalidName(name) }
    let begin = bytes.count
    for start in starts {
      let end = Array(whole[start...])
      if isCompressing, let place = places[end] {
        bytes.append(contentsOf: whole[..<start])
        append(0xC000 | place)
        return
      }
      // A pointer has 14 bits.
      if isCompressing, begin + start < 0x4000 { places[end] = UInt16(begin + start) }
    }
    bytes.append(contentsOf: whole)
    bytes.append(0)
  }

  mutating func append(_ record: DNSRecord) throws(DNSError) {
    try append(record.name)
    append(record.type.rawValue)
    append(record.flushesCache ? 0x8001 : 1)
    append(UInt16(record.timeToLive >> 16))
    append(UInt16(truncatingIfNeeded: record.timeToLive))
    let lengthAt = bytes.count
    append(0)
    try append(record.data)
    guard let length = UInt16(exactly: bytes.count - lengthAt - 2) else { throw .invalidValue(record.type) }
    bytes[lengthAt] = UInt8(length >> 8)
    bytes[lengthAt + 1] = UInt8(truncatingIfNeeded: length)
  }

  private mutating func append(_ data: DNSRecordData) throws(DNSError) {
    switch data {
    case .a(let address):
      guard address.count == 4 else { throw .invalidValue(.a) }
      bytes.append(contentsOf: address)
    case .aaaa(let address):
      guard address.count == 16 else { throw .invalidValue(.aaaa) }
      bytes.append(contentsOf: address)
    case .ptr(let name): try append(name)
    case .srv(let priority, let weight, let port, let target):
      for number in [priority, weight, port] { append(number) }
      try append(target)
    case .txt(let strings):
      let strings = strings.filter { !$0.isEmpty }
      // Empty data is not allowed: one empty string represents none (RFC 6763, 6.1).
      if strings.isEmpty { bytes.append(0) }
      for string in strings {
        guard let length = UInt8(exactly: string.count) else { throw .invalidValue(.txt) }
        bytes.append(length)
        bytes.append(contentsOf: string)
      }
    case .other(_, let content): bytes.append(contentsOf: content)
    }
  }
}
