extension DNSMessage {
  /// Decodes one untrusted packet. The limits of `DNSMessage` bound the cost, whatever the bytes contain.
  ///
  /// Entries of another class than the Internet's are skipped, and so is any data after the last entry.
  package init(decoding bytes: [UInt8]) throws(DNSError) {
    guard bytes.count <= Self.maximumReceivedLength else { throw .tooLong(bytes.count) }
    var reader = DNSReader(bytes: bytes)
    let id = try reader.number16()
    let flags = try reader.number16()
    let questionCount = Int(try reader.number16())
    let recordCounts = [
      Int(try reader.number16()), Int(try reader.number16()), Int(try reader.number16()),
    ]
    let recordCount = recordCounts.reduce(0, +)
    let count = questionCount + recordCount
    guard questionCount * DNSReader.questionLength + recordCount * DNSReader.recordLength <= reader.rest
    else {
      throw .countsExceedPacket(count)
    }
    guard count <= Self.maximumRecordCount else { throw .tooManyRecords(count) }
    self.init(
      id: id, isResponse: flags & 0x8000 != 0, isAuthoritative: flags & 0x0400 != 0,
      isTruncated: flags & 0x0200 != 0)
    for _ in 0..<questionCount {
      if let question = try reader.question() { questions.append(question) }
    }
    answers = try reader.records(recordCounts[0])
    authorities = try reader.records(recordCounts[1])
    additionals = try reader.records(recordCounts[2])
  }
}

/// Parses one packet. Every index is checked: the bytes are untrusted.
private struct DNSReader {
  /// Bytes of the header; no name points into it.
  static let headerLength = 12
  /// Size of the shortest question: the root, a type and a class.
  static let questionLength = 5
  /// Size of the shortest record: the root, a type, a class, a time to live and a length.
  static let recordLength = 11

  private static let internet: UInt16 = 1
  private static let anyClass: UInt16 = 255
  private static let topBit: UInt16 = 0x8000

  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Number of unread bytes.
  var rest: Int { bytes.count - index }

  mutating func number16() throws(DNSError) -> UInt16 {
    guard rest >= 2 else { throw .truncated(offset: index) }
    defer { index += 2 }
    return UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
  }

  private mutating func number32() throws(DNSError) -> UInt32 {
    let high = try number16()
    return UInt32(high) << 16 | UInt32(try number16())
  }

  /// Nil for a question of another class.
  mutating func question() throws(DNSError) -> DNSQuestion? {
    let name = try name()
    let type = DNSRecordType(try number16())
    let classAndBit = try number16()
    let kind = classAndBit & ~Self.topBit
    guard kind == Self.internet || kind == Self.anyClass else { return nil }
    return DNSQuestion(name: name, type: type, wantsUnicastReply: classAndBit & Self.topBit != 0)
  }

  mutating func records(_ count: Int) throws(DNSError) -> [DNSRecord] {
    var records: [DNSRecord] = []
    for _ in 0..<count {
      let start = index
      let name = try name()
      let type = DNSRecordType(try number16())
      let classAndBit = try number16()
      // A negative time counts as 0 (RFC 2181, 8).
      let timeToLive = UInt32(max(Int32(bitPattern: try number32()), 0))
      let length = Int(try number16())
      guard length <= rest else { throw .truncated(offset: start) }
      let end = index + length
      guard classAndBit & ~Self.topBit == Self.internet else {
        index = end
        continue
      }
      let data = try data(of: type, until: end, recordAt: start)
      guard index == end else { throw .malformedData(type, offset: start) }
      records.append(
        DNSRecord(
          name: name, data: data, timeToLive: timeToLive, flushesCache: classAndBit & Self.topBit != 0))
    }
    return records
  }

  private mutating func data(
    of type: DNSRecordType, until end: Int, recordAt start: Int
  ) throws(DNSError) -> DNSRecordData {
    switch type {
    case .a, .aaaa:
      let address = Array(bytes[index..<end])
      guard address.count == (type == .a ? 4 : 16) else { throw .malformedData(type, offset: start) }
      index = end
      return type == .a ? .a(address) : .aaaa(address)
    case .ptr: return .ptr(try name())
    case .srv:
      let priority = try number16()
      let weight = try number16()
      let port = try number16()
      return .srv(priority: priority, weight: weight, port: port, target: try name())
    case .txt:
      var strings: [[UInt8]] = []
      while index < end {
        let stringEnd = index + 1 + Int(bytes[index])
        guard stringEnd <= end else { throw .malformedData(type, offset: start) }
        if bytes[index] > 0 { strings.append(Array(bytes[(index + 1)..<stringEnd])) }
        index = stringEnd
      }
      return .txt(strings)
    default:
      defer { index = end }
      return .other(type, Array(bytes[index..<end]))
    }
  }

  /// Reads a name that may continue at earlier positions. Each pointer must point before the position that contains it, so no bytes
  /// are read twice, and the loop ends.
  private mutating func name() throws(DNSError) -> DNSName {
    let start = index
    var position = index
    var segment = index
    var jumps = 0
    var length = 1
    var labels: [String] = []
    while true {
      guard position < bytes.count else { throw .truncated(offset: start) }
      let byte = bytes[position]
      switch byte >> 6 {
      case 0 where byte == 0:
        if jumps == 0 { index = position + 1 }
        return DNSName(labels: labels)
      case 0:
        let end = position + 1 + Int(byte)
        guard end <= bytes.count else { throw .truncated(offset: start) }
        length += 1 + Int(byte)
        guard length <= 255 else { throw .nameTooLong(offset: start) }
        guard let label = String(validating: bytes[(position + 1)..<end], as: UTF8.self) else {
          throw .labelNotText(offset: position)
        }
        labels.append(label)
        position = end
      case 3:
        guard position + 1 < bytes.count else { throw .truncated(offset: start) }
        let target = Int(byte & 0x3F) << 8 | Int(bytes[position + 1])
        guard target < segment, target >= Self.headerLength else {
          throw .pointerNotBackwards(offset: start)
        }
        if jumps == 0 { index = position + 2 }
        jumps += 1
        guard jumps <= DNSMessage.maximumJumpCount else { throw .tooManyJumps(offset: start) }
        segment = target
        position = target
      default: throw .malformedLabel(offset: position)
      }
    }
  }
}
