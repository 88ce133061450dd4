/// Random numbers from a seed for waiting times: a machine that handles the same events behaves the same.
package struct Jitter: Sendable, Hashable {
  private var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The next number, 0 to 1 without 1.
  package mutating func next() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
}
