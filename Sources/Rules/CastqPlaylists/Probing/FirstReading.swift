package import CastProtocol

/// Entries that wait for their files to be read. Each waits once, from the first look at it, and no longer than the patience:
///
///     unknown ──look──> waits ──its patience is over, or a device has it──> released
///
/// A second look does not end the wait: the rows are read again while files are being read.
package struct FirstReading: Sendable {
  private enum Wait: Sendable {
    case since(Tick)
    case released
  }

  private let patience: Duration
  private var waits: [EntryID: Wait] = [:]

  /// Entries that are remembered. A longer queue waits again.
  private static let most = 4096

  package init(patience: Duration) { self.patience = patience }

  /// How long the entry still waits; nil when it does not.
  package mutating func left(for entry: EntryID, at now: Tick) -> Duration? {
    switch waits[entry] {
    case .released: return nil
    case .since(let begin):
      let left = patience - (now - begin)
      if left > .zero { return left }
      waits[entry] = .released
      return nil
    case nil:
      remember(.since(now), for: entry)
      return patience
    }
  }

  /// The entry waits no more: it is sent, or a device has it.
  package mutating func release(_ entry: EntryID) { remember(.released, for: entry) }

  private mutating func remember(_ wait: Wait, for entry: EntryID) {
    if waits[entry] == nil, waits.count >= Self.most { waits = [:] }
    waits[entry] = wait
  }
}
