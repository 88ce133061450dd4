package import CastProtocol

/// When a list that is followed is read again: after an edit of one of its files, once the file is whole, and where it is on the web each
/// time that so long has passed since the last reading.
///
/// It reads no file and no clock: whoever follows the list looks at its files at the times that `wait` asks for.
package struct ListWatch<Version: Sendable & Equatable>: Sendable {
  /// What is to be done after a look.
  package enum Verdict: Sendable, Equatable {
    case nothing
    /// Files differ from those of the active list, and may still be written.
    case unsettled(Set<String>)
    /// The list is to be read: the files that differ; none where its time has come.
    case read(Set<String>)
  }

  /// Time between looks, and how long files have to stay as they are before they are read.
  package static var interval: Duration { .seconds(1) }
  /// How long a file is left alone that stays as it is and that a process holds open for writing.
  package static var patience: Duration { .seconds(30) }

  /// The files of the active list; an inner nil is a file that is missing.
  private var known: [String: Version?]
  private let rereads: Duration?
  private var lastRead: Tick
  /// What the last look found that differs, and since when it is so.
  private var seen: (versions: [String: Version?], since: Tick)?

  /// - Parameters:
  ///   - files: of the list as it was read just now.
  ///   - rereads: after which time the list is read again though no file has changed; nil never.
  package init(files: [String: Version?], rereads: Duration?, at now: Tick) {
    (known, self.rereads, lastRead) = (files, rereads, now)
  }

  /// The names of the files to look at.
  package var files: some Sequence<String> { known.keys }

  /// How long to wait until the next look.
  package func wait(at now: Tick) -> Duration {
    guard let rereads else { return Self.interval }
    return min(Self.interval, max(lastRead + rereads - now, .zero))
  }

  /// The files as they are.
  /// - Parameter isBeingWritten: whether a process has a file open for writing; asked about files that differ and have settled.
  package mutating func look(
    _ versions: [String: Version?], at now: Tick, isBeingWritten: (String) -> Bool
  ) -> Verdict {
    let changed = Set(known.keys.filter { versions[$0] != known[$0] })
    guard !changed.isEmpty else {
      seen = nil
      guard let rereads, now - lastRead >= rereads else { return .nothing }
      return .read([])
    }
    // A partly written file looks like a shorter list.
    guard let seen, seen.versions == versions else {
      self.seen = (versions, now)
      return .unsettled(changed)
    }
    guard now - seen.since >= Self.patience || !changed.contains(where: isBeingWritten) else {
      return .unsettled(changed)
    }
    return .read(changed)
  }

  /// The list was read.
  /// - Parameter isWhole: whether all of it could be: a damaged one may lack the names of lists in it, which are looked at as before.
  package mutating func read(_ files: [String: Version?], isWhole: Bool, at now: Tick) {
    if isWhole {
      known = files
    } else if let seen {
      known = seen.versions.merging(files) { $1 }
    }
    (seen, lastRead) = (nil, now)
  }
}
