import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore

/// What is known of the files of entries beside what their lists say.
extension Workspace {
  /// The entries with titles and lengths filled in: the list's own, else what the device reported, else what the file itself tells.
  func filled(_ entries: [QueueEntry], of device: KnownDevice) throws(StoreError) -> [QueueEntry] {
    let lacksLength = entries.contains { $0.draft.playingTime() == nil }
    let lengths = lacksLength ? try history.lengths(of: device.id) : [:]
    let files = entries.compactMap { entry -> ProbedFile? in
      guard entry.draft.media.givenTitle == nil || entry.draft.media.streamDuration == nil else { return nil }
      return entry.draft.probedPath.flatMap { ProbedFile($0) }
    }
    let results = try ProbeStore(database).results(of: files)
    return entries.map { entry in
      var entry = entry
      if entry.draft.media.streamDuration == nil, !entry.draft.media.isPicture {
        entry.draft.media.streamDuration = lengths[entry.draft.media.url]
      }
      entry.draft.fill(from: entry.draft.probedPath.flatMap { results[$0]?.probe })
      return entry
    }
  }
}
