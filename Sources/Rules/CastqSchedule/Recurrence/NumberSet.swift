/// Some of the numbers 0 to 63, such as the minutes of an hour.
package struct NumberSet: Sendable, Hashable {
  /// Bit n is the number n.
  private(set) var bits: UInt64 = 0

  init() {}

  init(bits: UInt64) { self.bits = bits }

  /// Numbers outside of 0 to 63 are left out.
  init(_ range: ClosedRange<Int>, step: Int = 1) {
    for number in stride(from: range.lowerBound, through: range.upperBound, by: max(step, 1)) {
      insert(number)
    }
  }

  mutating func insert(_ number: Int) {
    if (0..<64).contains(number) { bits |= 1 << UInt64(number) }
  }

  mutating func formUnion(_ other: NumberSet) { bits |= other.bits }

  package func contains(_ number: Int) -> Bool {
    (0..<64).contains(number) && bits >> UInt64(number) & 1 == 1
  }

  /// The first member that is not smaller.
  func first(from number: Int) -> Int? {
    guard number < 64 else { return nil }
    let rest = bits & (.max << UInt64(max(number, 0)))
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }
}
