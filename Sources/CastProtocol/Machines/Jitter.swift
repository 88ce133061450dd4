/// The chance in waiting times, from a seed: a machine that is fed the same events does the same again.
package struct Jitter: Sendable, Hashable {
  private var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The next number, 0 to 1 without 1.
  package mutating func next() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
}
