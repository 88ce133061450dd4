/// The parts of a file of known size that a Range header requests (RFC 9110 14.2).
package enum ByteRange: Sendable, Equatable {
  /// No range, or one that is malformed, of another unit or with more than `limit` parts: the response is the whole file.
  case whole
  /// Half-open, never empty, inside the file.
  case part(Range<Int>)
  /// At least two, never empty, inside the file, in ascending order and with a gap between any two. What a client repeats or lets
  /// overlap is sent once, so that a request never costs more than the file.
  case parts([Range<Int>])
  /// Well-formed, but all of it is outside the file.
  case unsatisfiable

  /// Parts of one request. Players ask for one; a client that asks for many small ones gets the whole file, which costs less.
  package static let limit = 16

  /// - Parameter header: the value as received; nil when there is none.
  package init(header: String?, size: Int) {
    guard let header, let requests = Request.list(header) else {
      self = .whole
      return
    }
    let parts = Self.merged(requests.compactMap { $0.part(ofSize: size) })
    switch parts.count {
    case 0: self = .unsatisfiable
    case 1: self = .part(parts[0])
    default: self = .parts(parts)
    }
  }

  /// The same bytes in ascending order, without overlaps and without neighbours that touch.
  private static func merged(_ parts: [Range<Int>]) -> [Range<Int>] {
    parts.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, part in
      if let last = merged.last, part.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
      } else {
        merged.append(part)
      }
    }
  }

  private enum Request {
    case from(Int, to: Int?)
    case last(Int)

    /// The requests of a header; nil when it is malformed, of another unit, or too long. Empty elements of a list do not count.
    static func list(_ header: String) -> [Request]? {
      let text = header.utf8.trimmingBlanks()
      guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      guard String(Substring(text[..<equals])).lowercased() == "bytes" else { return nil }
      var requests: [Request] = []
      for element in text[text.index(after: equals)...].split(separator: UInt8(ascii: ",")) {
        let range = element.trimmingBlanks()
        guard !range.isEmpty else { continue }
        guard requests.count < limit, let request = Request(range) else { return nil }
        requests.append(request)
      }
      return requests.isEmpty ? nil : requests
    }

    /// The requested part of a file; nil when it has none of it.
    func part(ofSize size: Int) -> Range<Int>? {
      switch self {
      case .from(let first, let last): first < size ? first..<min(last ?? size - 1, size - 1) + 1 : nil
      case .last(let count): count > 0 && size > 0 ? max(0, size - count)..<size : nil
      }
    }

    private init?(_ range: Substring.UTF8View) {
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
