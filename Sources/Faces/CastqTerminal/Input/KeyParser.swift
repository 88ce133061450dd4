import CastqText

/// Reads keys, mouse reports and pasted text from a terminal's bytes, in whichever pieces they arrive.
///
/// It holds at most `sequenceLimit` bytes of an unfinished sequence and `pasteLimit` of a paste: what a terminal or a paste
/// sends beyond that is dropped, not kept.
package struct KeyParser: Sendable {
  /// Bytes of one control sequence.
  package static let sequenceLimit = 64
  /// Bytes of one paste.
  package static let pasteLimit = 64 * 1024

  private enum State: Sendable {
    case ground
    case escape
    /// After ESC [: parameters so far.
    case control([UInt8])
    /// After ESC O: one byte follows.
    case single
    /// After ESC ], P, X, ^ or _: a string that no key sends; up to BEL or ESC \.
    case string(Int)
    /// The bytes of one character in UTF-8.
    case character([UInt8], missing: Int)
    case paste([UInt8])
  }

  private var state = State.ground
  private var hasAlt = false

  package init() {}

  /// Whether a lone ESC may be waiting to become a sequence: `flush` after a while makes it the key.
  package var isWaiting: Bool {
    switch state {
    case .escape, .control, .single, .string: true
    case .ground, .character, .paste: false
    }
  }

  /// The events of these bytes.
  package mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    for byte in bytes { read(byte, &events) }
    return events
  }

  /// Nothing has followed for a while: an escape that began no sequence is the key itself.
  package mutating func flush() -> [TerminalEvent] {
    defer { if isWaiting { reset() } }
    guard case .escape = state else { return [] }
    return [.key(TerminalKey(.escape))]
  }

  private mutating func reset() { (state, hasAlt) = (.ground, false) }

  private mutating func read(_ byte: UInt8, _ events: inout [TerminalEvent]) {
    switch state {
    case .ground: begin(byte, &events)
    case .escape: escaped(byte, &events)
    case .single:
      reset()
      if let name = Self.letters[byte] { events.append(.key(TerminalKey(name))) }
    case .control(var parameters):
      if (0x40...0x7E).contains(byte) {
        reset()
        finish(parameters, byte, &events)
      } else if byte == 0x1B {
        state = .escape
      } else if byte < 0x20 || parameters.count >= Self.sequenceLimit {
        reset()
      } else {
        parameters.append(byte)
        state = .control(parameters)
      }
    case .string(let count):
      if byte == 0x07 || byte == 0x9C || count >= Self.sequenceLimit * 16 {
        reset()
      } else {
        state = byte == 0x1B ? .escape : .string(count + 1)
      }
    case .character(var bytes, let missing):
      guard (0x80...0xBF).contains(byte) else {
        reset()
        return begin(byte, &events)
      }
      bytes.append(byte)
      guard missing <= 1 else {
        state = .character(bytes, missing: missing - 1)
        return
      }
      let alt = hasAlt
      reset()
      let text = String(decoding: bytes, as: UTF8.self)
      if let character = text.first, !text.unicodeScalars.contains("\u{FFFD}"),
        TerminalText.sanitized(text) == text
      {
        events.append(.key(TerminalKey(.character(character), alt: alt)))
      }
    case .paste(var bytes): pasted(byte, &bytes, &events)
    }
  }

  private mutating func begin(_ byte: UInt8, _ events: inout [TerminalEvent]) {
    let alt = hasAlt
    hasAlt = false
    switch byte {
    case 0x1B: state = .escape
    case 0x0D, 0x0A: events.append(.key(TerminalKey(.enter, alt: alt)))
    case 0x09: events.append(.key(TerminalKey(.tab, alt: alt)))
    case 0x7F, 0x08: events.append(.key(TerminalKey(.backspace, alt: alt)))
    case 0x00: events.append(.key(TerminalKey(.character(" "), alt: alt, control: true)))
    case 0x01...0x1A:
      let letter = Character(Unicode.Scalar(byte + 0x60))
      events.append(.key(TerminalKey(.character(letter), alt: alt, control: true)))
    case 0x20..<0x7F:
      events.append(.key(TerminalKey(.character(Character(Unicode.Scalar(byte))), alt: alt)))
    case 0xC2...0xDF: (state, hasAlt) = (.character([byte], missing: 1), alt)
    case 0xE0...0xEF: (state, hasAlt) = (.character([byte], missing: 2), alt)
    case 0xF0...0xF4: (state, hasAlt) = (.character([byte], missing: 3), alt)
    default: break
    }
  }

  private mutating func escaped(_ byte: UInt8, _ events: inout [TerminalEvent]) {
    switch byte {
    case UInt8(ascii: "["): state = .control([])
    case UInt8(ascii: "O"): state = .single
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .string(0)
    // The end of a string.
    case UInt8(ascii: "\\"): reset()
    case 0x1B: events.append(.key(TerminalKey(.escape)))
    default:
      state = .ground
      hasAlt = true
      begin(byte, &events)
    }
  }

  // MARK: - Control sequences

  private mutating func finish(_ parameters: [UInt8], _ final: UInt8, _ events: inout [TerminalEvent]) {
    let text = String(decoding: parameters, as: UTF8.self)
    if text.hasPrefix("<"), final == UInt8(ascii: "M") || final == UInt8(ascii: "m") {
      if let mouse = Self.mouse(text.dropFirst(), isRelease: final == UInt8(ascii: "m")) {
        events.append(.mouse(mouse))
      }
      return
    }
    if text.hasPrefix("?"), text.hasSuffix("$"), final == UInt8(ascii: "y") {
      let numbers = Self.numbers(text.dropFirst().dropLast())
      if numbers.count == 2 { events.append(.mode(numbers[0], numbers[1])) }
      return
    }
    let numbers = Self.numbers(text[...])
    guard numbers.count <= 4, text.utf8.allSatisfy({ (0x30...0x3B).contains($0) }) else { return }
    let held = numbers.count >= 2 ? max(numbers[1] - 1, 0) : 0
    let name: TerminalKey.Name?
    switch final {
    case UInt8(ascii: "~"):
      if numbers.first == 200 {
        state = .paste([])
        return
      }
      name = numbers.first.flatMap { Self.numbered[$0] }
    case UInt8(ascii: "Z"): name = .tab
    default: name = Self.letters[final]
    }
    guard let name else { return }
    events.append(
      .key(
        TerminalKey(
          name, alt: held & 2 != 0, control: held & 4 != 0,
          shift: held & 1 != 0 || final == UInt8(ascii: "Z"))))
  }

  private static func numbers(_ text: Substring) -> [Int] {
    text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0.prefix(6)) ?? 0 }
  }

  private static func mouse(_ text: Substring, isRelease: Bool) -> TerminalMouse? {
    let numbers = numbers(text)
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let act: TerminalMouse.Act
    switch numbers[0] & 0b110_0011 {
    case 64: act = .wheelUp
    case 65: act = .wheelDown
    case 0: act = isRelease ? .release : .press
    case 32: act = .drag
    default: return nil
    }
    return TerminalMouse(act, row: numbers[2] - 1, column: numbers[1] - 1)
  }

  private static let letters: [UInt8: TerminalKey.Name] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "M"): .enter,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2), UInt8(ascii: "R"): .function(3),
    UInt8(ascii: "S"): .function(4),
  ]

  private static let numbered: [Int: TerminalKey.Name] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12),
  ]

  // MARK: - Pasted text

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func pasted(_ byte: UInt8, _ bytes: inout [UInt8], _ events: inout [TerminalEvent]) {
    bytes.append(byte)
    if bytes.suffix(Self.pasteEnd.count) == Self.pasteEnd[...] {
      bytes.removeLast(Self.pasteEnd.count)
      reset()
      let lines = String(decoding: bytes.prefix(Self.pasteLimit), as: UTF8.self)
        .split(whereSeparator: \.isNewline).map { TerminalText.sanitized(String($0)) }
      events.append(.paste(lines.joined(separator: "\n")))
      return
    }
    // The end mark is still seen behind what is dropped.
    if bytes.count > Self.pasteLimit + 64 {
      bytes.removeSubrange(Self.pasteLimit..<(bytes.count - Self.pasteEnd.count))
    }
    state = .paste(bytes)
  }
}
