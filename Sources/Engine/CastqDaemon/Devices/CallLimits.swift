/// How long the parts of one call may take, so that all of them together take no longer than a command waits by default.
///
/// Each part ends before the whole does: its error says what was silent.
package struct CallLimits: Sendable, Hashable {
  /// From the beginning of the call until the session is active.
  package let start: Duration
  /// For one connection, with the proof of identity.
  package let connect: Duration
  /// For an answer on it.
  package let request: Duration
  /// For the proof of identity alone; nil where it may take what the connection may.
  package let proof: Duration?

  /// - Parameters:
  ///   - whole: the time until the session must be active.
  ///   - isFirst: whether nobody knows yet if the device answers when it is asked who it is. One that does not is used all the same,
  ///     so that the question may take only a part of the time.
  ///   - hasTwoPlaces: whether the device may be called at two addresses, one after the other.
  package init(whole: Duration, isFirst: Bool, hasTwoPlaces: Bool) {
    let margin = whole / 10
    start = whole
    connect = hasTwoPlaces ? (whole - margin) / 2 : whole - margin
    proof = isFirst ? connect / 2 : nil
    request = whole - margin - (proof ?? .zero)
  }
}
