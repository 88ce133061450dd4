package import CastProtocol
import CastqDaemon
package import CastqFeeding
package import CastqPlaylists
package import CastqStore
import CastqText

/// What is known of the files of entries beside what their lists say.
extension Workspace {
  /// The entries with titles and lengths filled in: the list's own, else what the device reported, else what the file itself tells.
  /// - Parameter lengths: what devices reported, by address, as `HistoryStore.lengths` gives it; nil reads it where it is needed.
  package func filled(
    _ entries: [QueueEntry], lengths: [String: MediaTime]? = nil
  ) throws(StoreError) -> [QueueEntry] {
    var reported = lengths ?? [:]
    if lengths == nil {
      let unknown = entries.lazy.filter { $0.draft.playingTime() == nil && !$0.draft.media.isPicture }
      reported = try history.lengths(of: Set(unknown.map(\.draft.media.url)))
    }
    // In place: an entry is large, and a list may have thousands.
    let open = entries.indices.filter { entries[$0].draft.lacksFacts }
    let paths = open.map { entries[$0].draft.probedPath }
    let results = try ProbeStore(database).results(of: paths.compactMap { $0.flatMap(ProbedFile.init) })
    var filled = entries
    for (place, path) in zip(open, paths) {
      if filled[place].draft.media.streamDuration == nil, !filled[place].draft.media.isPicture {
        filled[place].draft.media.streamDuration = reported[filled[place].draft.media.url]
      }
      filled[place].draft.fill(from: path.flatMap { results[$0]?.probe })
    }
    let failed = filled.lazy.filter { $0.state == .failed }.map { EntryTurn(entry: $0.id, turn: $0.turn) }
    let failures = failed.isEmpty ? [:] : try history.failures(of: Array(failed))
    for place in filled.indices where !failures.isEmpty { filled[place].failure = failures[filled[place].id] }
    return filled
  }

  /// The same of what is in no queue.
  package func filled(drafts: [EntryDraft]) throws(StoreError) -> [EntryDraft] {
    try filled(
      drafts.map { draft in
        QueueEntry(id: EntryID(0), position: 0, state: .pending, turn: 0, attempts: 0, draft: draft)
      }
    ).map(\.draft)
  }
}

extension EntryDraft {
  /// Whether the list leaves its length or its title open.
  fileprivate var lacksFacts: Bool {
    // One copy out of its box.
    let media = media
    return media.streamDuration == nil || media.givenTitle == nil
  }
}
