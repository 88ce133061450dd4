package import CastProtocol

/// Who was asked for a sign of life, and since when it has given none. A value: who asks says what time it is.
package struct SignsOfLife: Sendable {
  /// Somebody who was asked and does not answer.
  package struct Silence: Sendable, Hashable {
    package let name: String
    /// Since it was asked.
    package let time: Duration

    package init(name: String, time: Duration) { (self.name, self.time) = (name, time) }

    package var words: String { Self.words(name, time) }

    /// That somebody has not run for so long.
    package static func words(_ name: String, _ time: Duration) -> String {
      "\(name) has not run for \(Int(bounded: max(time.seconds, 1))) s"
    }
  }

  /// A sign that takes longer is missing.
  package static let limit = Duration.seconds(1)

  private var asked: [String: Tick] = [:]

  package init() {}

  /// Notes a question. Whoever has not answered the one before is not asked again: the questions would pile up.
  /// - Returns: whether the question is to be put.
  package mutating func ask(_ name: String, at now: Tick) -> Bool {
    if asked[name] != nil { return false }
    asked[name] = now
    return true
  }

  /// Notes a sign of life.
  package mutating func heard(_ name: String) { asked[name] = nil }

  /// Those whose sign is missing, by name.
  package func silent(at now: Tick) -> [Silence] {
    asked.filter { now - $0.value >= Self.limit }
      .map { Silence(name: $0.key, time: now - $0.value) }
      .sorted { $0.name < $1.name }
  }
}
