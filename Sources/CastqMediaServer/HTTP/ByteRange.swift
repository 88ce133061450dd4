/// The part of a file of known size that a Range header requests (RFC 9110 14.1.2).
package enum ByteRange: Sendable, Equatable {
  /// No range, or one that is malformed, of another unit or with several parts: the response is the whole file.
  case whole
  /// Half-open, never empty, inside the file.
  case part(Range<Int>)
  /// Well-formed, but outside the file.
  case unsatisfiable

  /// - Parameter header: the value as received; nil when there is none.
  package init(header: String?, size: Int) {
    guard let header, let request = Request(header) else {
      self = .whole
      return
    }
    switch request {
    case .from(let first, let last):
      guard first < size else {
        self = .unsatisfiable
        return
      }
      self = .part(first..<min(last ?? size - 1, size - 1) + 1)
    case .last(let count):
      self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
    }
  }

  private enum Request {
    case from(Int, to: Int?)
    case last(Int)

    init?(_ header: String) {
      let text = header.utf8.trimmingBlanks()
      guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      guard String(Substring(text[..<equals])).lowercased() == "bytes" else { return nil }
      let range = text[text.index(after: equals)...].trimmingBlanks()
      guard let dash = range.firstIndex(of: UInt8(ascii: "-")) else { return nil }
      let (first, last) = (range[..<dash], range[range.index(after: dash)...])
      if first.isEmpty {
        guard let count = Self.number(last) else { return nil }
        self = .last(count)
      } else {
        guard let start = Self.number(first) else { return nil }
        guard !last.isEmpty else {
          self = .from(start, to: nil)
          return
        }
        guard let end = Self.number(last), start <= end else { return nil }
        self = .from(start, to: end)
      }
    }

    /// Digits only. A number too large for Int is past the end of every file, and so is `Int.max`.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
      guard !digits.isEmpty else { return nil }
      var value = 0
      for digit in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
        let (tens, over) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
        value = over || carry ? Int.max : sum
      }
      return value
    }
  }
}

extension BidirectionalCollection<UInt8> where SubSequence: BidirectionalCollection<UInt8> {
  /// Without spaces and tabs at either end (the optional white space of RFC 9110).
  func trimmingBlanks() -> SubSequence {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) })
    else {
      return self[endIndex..<endIndex]
    }
    return self[first...last]
  }
}
