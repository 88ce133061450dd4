/// Cuts what a client sends into lines, none of them longer than the limit.
package struct LineReader: Sendable {
  /// The most bytes of a line, without its end.
  package static let limit = 16 << 10

  private var rest: [UInt8] = []

  package init() {}

  /// Why nothing more is read.
  package enum Problem: Error, Sendable, Hashable {
    case lineTooLong
  }

  /// The lines that end in these bytes, without line ends.
  package mutating func read(_ bytes: some Sequence<UInt8>) throws(Problem) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        lines.append(rest)
        rest.removeAll(keepingCapacity: true)
      } else {
        guard rest.count < Self.limit else { throw .lineTooLong }
        rest.append(byte)
      }
    }
    return lines
  }
}
