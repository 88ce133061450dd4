/// The order of numbered names: `file2` before `file10`.
package enum NaturalOrder {
  /// Whether the left name comes first. Numbers compare by value, ASCII letters without case; names that are equal so far
  /// compare by their bytes, so the order is total.
  package static func precedes(_ left: String, _ right: String) -> Bool {
    let (a, b) = (Array(left.utf8), Array(right.utf8))
    var (i, j) = (0, 0)
    while i < a.count && j < b.count {
      if isDigit(a[i]) && isDigit(b[j]) {
        let (first, second) = (number(a, &i), number(b, &j))
        // Without leading zeros the longer number is greater; no value is computed, so none can overflow.
        if first.count != second.count { return first.count < second.count }
        if let (x, y) = zip(first, second).first(where: { $0 != $1 }) { return x < y }
      } else {
        let (x, y) = (folded(a[i]), folded(b[j]))
        if x != y { return x < y }
        i += 1
        j += 1
      }
    }
    if a.count - i != b.count - j { return a.count - i < b.count - j }
    return a.lexicographicallyPrecedes(b)
  }

  private static func number(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    while index < bytes.count, bytes[index] == 0x30 { index += 1 }
    let start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return bytes[start..<index]
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 32 : byte }
}
