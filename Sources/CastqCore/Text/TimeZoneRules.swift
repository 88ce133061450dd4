/// How far the clocks of a time zone are ahead of UTC at each moment, as the files of the zone database say (RFC 8536).
///
/// The programs have no Foundation that knows zones, and the C library knows one zone a process: hence this reader.
package struct TimeZoneRules: Sendable, Hashable {
  /// Seconds since 1970 at which the offset changes, ascending, and the offset from then on.
  private var transitions: [Transition] = []
  /// Before the first of them.
  private var first = 0
  /// After the last of them; nil keeps the last offset for ever.
  private var rule: YearlyRule?

  private struct Transition: Hashable {
    var time: Int64
    var offset: Int
  }

  /// UTC.
  package init() {}

  /// The rules of a file of the zone database; nil when it is none.
  package init?(file bytes: [UInt8]) {
    var reader = ByteReader(bytes: bytes)
    guard let old = ZoneHeader(&reader) else { return nil }
    // The first part is for programs of another century.
    guard old.version >= 0x32 else { return nil }
    reader.skip(old.size(timeBytes: 4))
    guard let header = ZoneHeader(&reader), (1...256).contains(header.types), header.times <= 100_000 else {
      return nil
    }
    var times: [Int64] = []
    for _ in 0..<header.times {
      guard let time = reader.integer(bytes: 8), times.last.map({ $0 < time }) ?? true else { return nil }
      times.append(time)
    }
    var kinds: [Int] = []
    for _ in 0..<header.times {
      guard let kind = reader.byte(), kind < header.types else { return nil }
      kinds.append(Int(kind))
    }
    var offsets: [Int] = []
    for _ in 0..<header.types {
      guard let offset = reader.integer(bytes: 4), abs(offset) <= 26 * 3600, reader.skip(2) else {
        return nil
      }
      offsets.append(Int(offset))
    }
    guard reader.skip(header.tailSize) else { return nil }
    first = offsets[0]
    transitions = zip(times, kinds).map { Transition(time: $0, offset: offsets[$1]) }
    guard let footer = reader.line() else { return nil }
    if !footer.isEmpty {
      guard let rule = YearlyRule(footer) else { return nil }
      self.rule = rule
    }
  }

  /// Seconds that clocks are ahead of UTC at a moment; east is positive.
  package func utcOffset(at moment: WallTime) -> Int {
    let (seconds, rest) = moment.milliseconds.quotientAndRemainder(dividingBy: 1000)
    let time = rest < 0 ? seconds - 1 : seconds
    guard let last = transitions.last else { return rule?.offset(at: time) ?? first }
    if time >= last.time { return rule?.offset(at: time) ?? last.offset }
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : transitions[low - 1].offset
  }
}

/// The counts at the beginning of each part of a file.
private struct ZoneHeader {
  var version: UInt8
  var times: Int
  var types: Int
  private var marks: Int
  private var leaps: Int
  private var letters: Int

  init?(_ reader: inout ByteReader) {
    guard reader.take(4).map(Array.init) == Array("TZif".utf8), let version = reader.byte(), reader.skip(15)
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

  /// Bytes of the part that follows a header of the first version.
  func size(timeBytes: Int) -> Int { times * (timeBytes + 1) + types * 6 + letters + leaps * 8 + marks }

  /// Bytes after the types: letters, leap seconds and marks mean nothing here.
  var tailSize: Int { letters + leaps * 12 + marks }
}

/// Bytes one after the other; nil as soon as there are too few.
private struct ByteReader {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= bytes.count - position else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  @discardableResult
  mutating func skip(_ count: Int) -> Bool { take(count) != nil }

  mutating func byte() -> UInt8? { take(1)?.first }

  /// Big-endian, with a sign.
  mutating func integer(bytes count: Int) -> Int64? {
    guard let bytes = take(count), let first = bytes.first else { return nil }
    return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
  }

  /// What stands between the next two line ends.
  mutating func line() -> ArraySlice<UInt8>? {
    guard byte() == UInt8(ascii: "\n"), let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else {
      return nil
    }
    return take(end - position)
  }
}
