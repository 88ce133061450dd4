/// The UTC offsets of a time zone, from a file of the zone database (RFC 9636, versions 1 to 4).
///
/// The programs do not link Foundation's time zones, and the C library supports one zone per process.
package struct TimeZoneRules: Sendable, Hashable {
  /// Seconds since 1970 at which the offset changes, ascending, with the new offset.
  private var transitions: [Transition] = []
  /// The offset before the first transition.
  private var first = 0
  /// The rule after the last transition; nil keeps the last offset.
  private var rule: YearlyRule?

  private struct Transition: Hashable {
    var time: Int64
    var offset: Int
  }

  /// UTC.
  package init() {}

  /// - Parameters:
  ///   - first: the offset before the first change.
  ///   - changes: seconds since 1970, ascending, and the offset from then on; of equal ones the last counts. Within 26 hours.
  package init(first: Int, changes: [(time: Int64, offset: Int)]) {
    self.first = first
    for change in changes {
      if transitions.last?.time == change.time { transitions.removeLast() }
      transitions.append(Transition(time: change.time, offset: change.offset))
    }
  }

  /// Parses a file of the zone database; nil when it is not one.
  package init?(file bytes: [UInt8]) {
    var reader = ByteReader(bytes: bytes)
    guard let old = ZoneHeader(&reader) else { return nil }
    // Version 1 has 32-bit data and nothing else. Later files have 64-bit data and a rule behind it.
    if old.version == 0 {
      guard read(&reader, old, timeBytes: 4) else { return nil }
      return
    }
    guard old.version >= 0x32 else { return nil }
    reader.skip(old.size(timeBytes: 4))
    guard let header = ZoneHeader(&reader), read(&reader, header, timeBytes: 8), let footer = reader.line()
    else {
      return nil
    }
    if !footer.isEmpty {
      guard let rule = YearlyRule(footer) else { return nil }
      self.rule = rule
    }
  }

  /// Reads the data behind a header; false when it is none.
  private mutating func read(_ reader: inout ByteReader, _ header: ZoneHeader, timeBytes: Int) -> Bool {
    guard (1...256).contains(header.types), header.times <= 100_000 else { return false }
    var times: [Int64] = []
    for _ in 0..<header.times {
      guard let time = reader.integer(bytes: timeBytes), times.last.map({ $0 < time }) ?? true else {
        return false
      }
      times.append(time)
    }
    var kinds: [Int] = []
    for _ in 0..<header.times {
      guard let kind = reader.byte(), kind < header.types else { return false }
      kinds.append(Int(kind))
    }
    var offsets: [Int] = []
    for _ in 0..<header.types {
      guard let offset = reader.integer(bytes: 4), abs(offset) <= 26 * 3600, reader.skip(2) else {
        return false
      }
      offsets.append(Int(offset))
    }
    guard reader.skip(header.tailSize(timeBytes: timeBytes)), let earliest = offsets.first else {
      return false
    }
    first = earliest
    transitions = zip(times, kinds).map { Transition(time: $0, offset: offsets[$1]) }
    return true
  }

  /// Seconds by which local time is ahead of UTC at a moment; east is positive.
  package func utcOffset(at moment: WallTime) -> Int {
    span(at: moment.wholeSeconds).offset
  }

  /// The offset at a moment in seconds since 1970, and the first moment after it at which the offset may differ; nil when it
  /// stays for ever.
  package func span(at time: Int64) -> (offset: Int, end: Int64?) {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    if low < transitions.count {
      return (low == 0 ? first : transitions[low - 1].offset, transitions[low].time)
    }
    if let rule { return (rule.offset(at: time), rule.change(after: time)) }
    return (transitions.last?.offset ?? first, nil)
  }
}

/// The counts at the start of each part of a file.
private struct ZoneHeader {
  var version: UInt8
  var times: Int
  var types: Int
  private var marks: Int
  private var leaps: Int
  private var letters: Int

  init?(_ reader: inout ByteReader) {
    guard reader.read(4).map(Array.init) == Array("TZif".utf8), let version = reader.byte(), reader.skip(15)
    else { return nil }
    self.version = version
    var counts: [Int] = []
    for _ in 0..<6 {
      guard let count = reader.integer(bytes: 4), (0...1_000_000).contains(count) else { return nil }
      counts.append(Int(count))
    }
    marks = counts[0] + counts[1]
    (leaps, times, types, letters) = (counts[2], counts[3], counts[4], counts[5])
  }

  /// Size in bytes of the part that follows a header of version 1.
  func size(timeBytes: Int) -> Int { times * (timeBytes + 1) + types * 6 + letters + leaps * 8 + marks }

  /// Size in bytes of letters, leap seconds and marks, which are ignored.
  func tailSize(timeBytes: Int) -> Int { letters + leaps * (timeBytes + 4) + marks }
}

/// Reads bytes in sequence; nil when too few are left.
private struct ByteReader {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= bytes.count - position else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  @discardableResult
  mutating func skip(_ count: Int) -> Bool { read(count) != nil }

  mutating func byte() -> UInt8? { read(1)?.first }

  /// Big-endian, signed.
  mutating func integer(bytes count: Int) -> Int64? {
    guard let bytes = read(count), let first = bytes.first else { return nil }
    return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
  }

  /// The text between the next two line feeds.
  mutating func line() -> ArraySlice<UInt8>? {
    guard byte() == UInt8(ascii: "\n"), let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else {
      return nil
    }
    return read(end - position)
  }
}
