import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore

/// What is known of the files of entries beside what their lists say.
extension Workspace {
  /// The entries with titles and lengths filled in: the list's own, else what the device reported, else what the file itself tells.
  /// - Parameter lengths: what devices reported, by address, as `HistoryStore.lengths` gives it; nil reads it where it is needed.
  func filled(
    _ entries: [QueueEntry], lengths: [String: MediaTime]? = nil
  ) throws(StoreError) -> [QueueEntry] {
    var reported = lengths ?? [:]
    if lengths == nil {
      let unknown = entries.filter { $0.draft.playingTime() == nil && !$0.draft.media.isPicture }
      reported = try history.lengths(of: Set(unknown.map(\.draft.media.url)))
    }
    let paths = entries.map(\.draft.probedPath)
    let files = zip(entries, paths).compactMap { entry, path -> ProbedFile? in
      guard let path, entry.draft.media.streamDuration == nil || entry.draft.media.givenTitle == nil else {
        return nil
      }
      return ProbedFile(path)
    }
    let results = try ProbeStore(database).results(of: files)
    return zip(entries, paths).map { entry, path in
      var entry = entry
      if entry.draft.media.streamDuration == nil, !entry.draft.media.isPicture {
        entry.draft.media.streamDuration = reported[entry.draft.media.url]
      }
      entry.draft.fill(from: path.flatMap { results[$0]?.probe })
      return entry
    }
  }

  /// The same of what is in no queue.
  func filled(drafts: [EntryDraft]) throws(StoreError) -> [EntryDraft] {
    try filled(
      drafts.map { draft in
        QueueEntry(id: EntryID(0), position: 0, state: .pending, turn: 0, attempts: 0, draft: draft)
      }
    ).map(\.draft)
  }
}
