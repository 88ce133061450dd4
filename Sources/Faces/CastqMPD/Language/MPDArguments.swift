/// The arguments of a command, read in their order.
struct MPDArguments {
  private var rest: ArraySlice<String>

  init(_ arguments: [String]) { rest = arguments[...] }

  var isEmpty: Bool { rest.isEmpty }

  /// The next argument; empty when there is none, which the command table rules out.
  mutating func text() -> String { rest.popFirst() ?? "" }

  mutating func optional<Value>(
    _ read: (inout MPDArguments) throws(MPDFailure) -> Value
  ) throws(MPDFailure) -> Value? {
    rest.isEmpty ? nil : try read(&self)
  }

  mutating func integer() throws(MPDFailure) -> Int {
    let text = text()
    guard let number = Self.whole(text) else { throw MPDFailure(.argument, "Integer expected: \(text)") }
    return number
  }

  mutating func unsigned() throws(MPDFailure) -> Int {
    let text = text()
    guard let number = Self.whole(text) else { throw MPDFailure(.argument, "Integer expected: \(text)") }
    guard number >= 0 else { throw MPDFailure(.argument, "Number too small: \(text)") }
    return number
  }

  /// Of 32 bits, as the protocol's numbers are.
  private static func whole(_ text: String) -> Int? {
    let digits = text.utf8.first == UInt8(ascii: "+") ? "" : text
    return Int32(digits).map(Int.init)
  }

  mutating func flag() throws(MPDFailure) -> Bool {
    let text = text()
    switch text {
    case "0": return false
    case "1": return true
    default: throw MPDFailure(.argument, "Boolean (0/1) expected: \(text)")
    }
  }

  mutating func level() throws(MPDFailure) -> MPDSwitch {
    let text = text()
    guard let level = MPDSwitch(rawValue: text) else {
      throw MPDFailure(.argument, "Unrecognized mode, expected 0, 1 or 'oneshot'")
    }
    return level
  }

  /// Seconds from 0, or a step with a sign.
  mutating func seconds(allowsStep: Bool = false) throws(MPDFailure) -> MPDTime {
    let text = text()
    let sign = text.utf8.first
    let isStep = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    let isPlain = text.utf8.allSatisfy { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "x") }
    guard isPlain, let number = Double(text), number.isFinite, abs(number) <= 1e7 else {
      throw MPDFailure(.argument, "Float expected: \(text)")
    }
    guard isStep else { return .position(number) }
    guard allowsStep else { throw MPDFailure(.argument, "Negative value not allowed: \(text)") }
    return .step(number)
  }

  /// `4` or `4:7`; the end may be left out.
  mutating func range() throws(MPDFailure) -> MPDRange {
    let text = text()
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    func number(_ text: String) throws(MPDFailure) -> Int {
      guard let number = Self.whole(text) else {
        throw MPDFailure(.argument, "Integer or range expected: \(text)")
      }
      guard number >= 0 else { throw MPDFailure(.argument, "Number is negative: \(text)") }
      return number
    }
    guard halves.count == 2 else {
      // Older clients name all of it by -1.
      if text == "-1" { return MPDRange(start: 0, end: nil) }
      let start = try number(text)
      return MPDRange(start: start, end: start + 1)
    }
    let start = halves[0].isEmpty ? 0 : try number(halves[0])
    let end = halves[1].isEmpty ? nil : try number(halves[1])
    if let end, end < start { throw MPDFailure(.argument, "Malformed range: \(text)") }
    return MPDRange(start: start, end: end)
  }

  /// A position, or one relative to the current song: `+0` is right after it, `-0` right before it.
  mutating func place() throws(MPDFailure) -> MPDPlace {
    let text = text()
    let sign = text.utf8.first
    let isRelative = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    guard let number = Self.whole(isRelative ? String(text.dropFirst()) : text), number >= 0 else {
      throw MPDFailure(.argument, "Integer expected: \(text)")
    }
    if sign == UInt8(ascii: "+") { return .afterCurrent(number) }
    return isRelative ? .beforeCurrent(number) : .position(number)
  }

  /// Seconds `START:END`, either of which may be left out.
  mutating func section() throws(MPDFailure) -> MPDSection {
    let text = text()
    let halves = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    func number(_ text: String) throws(MPDFailure) -> Double? {
      if text.isEmpty { return nil }
      var one = MPDArguments([text])
      guard case .position(let seconds) = try one.seconds() else { return nil }
      return seconds
    }
    guard halves.count == 2 else { throw MPDFailure(.argument, "Bad range") }
    let section = MPDSection(start: try number(halves[0]), end: try number(halves[1]))
    if let end = section.end, end <= section.start ?? 0 { throw MPDFailure(.argument, "Bad range") }
    return section
  }
}

/// `single` and `consume`.
package enum MPDSwitch: String, Sendable, Hashable {
  case off = "0"
  case on = "1"
  /// Until the next song.
  case oneshot
}

/// A position in a song, in seconds.
package enum MPDTime: Sendable, Hashable {
  case position(Double)
  case step(Double)
}

/// Songs by their positions, from 0.
package struct MPDRange: Sendable, Hashable {
  package var start: Int
  /// The first one that is not part of it; nil is the end of the queue.
  package var end: Int?

  /// What of it a list of so many songs has.
  package func clamped(to count: Int) -> Range<Int> {
    let start = min(start, count)
    return start..<max(min(end ?? count, count), start)
  }

  /// What of it a list of so many songs has, which must reach its beginning.
  package func checked(in count: Int) throws(MPDFailure) -> Range<Int> {
    guard start <= count else { throw .badIndex }
    return clamped(to: count)
  }
}

/// Where a song goes in the queue.
package enum MPDPlace: Sendable, Hashable {
  case position(Int)
  case afterCurrent(Int)
  case beforeCurrent(Int)

  /// The position, from 0.
  /// - Parameters:
  ///   - current: the position of the current song; nil without one.
  ///   - count: how many songs there are, beside those that go there.
  package func position(current: Int?, count: Int) throws(MPDFailure) -> Int {
    let position: Int
    switch self {
    case .position(let number): position = number
    case .afterCurrent(let number):
      guard let current else { throw MPDFailure(.playerSync, "No current song") }
      position = current + 1 + number
    case .beforeCurrent(let number):
      guard let current else { throw MPDFailure(.playerSync, "No current song") }
      position = current - number
    }
    guard (0...count).contains(position) else { throw .badIndex }
    return position
  }
}

/// The part of a song that is played, in seconds.
package struct MPDSection: Sendable, Hashable {
  /// Nil is the beginning.
  package var start: Double?
  /// Nil is the end.
  package var end: Double?
}
