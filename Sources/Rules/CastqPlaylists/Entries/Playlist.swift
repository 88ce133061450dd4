package import CastqText

/// The result of reading one or more playlists.
package struct Playlist: Sendable, Hashable {
  /// Name of the list; nil when it has none.
  package var name: String?
  /// What happens at the end; nil leaves the queue's setting.
  package var repeatMode: QueueRepeat?
  /// Whether the queue is shuffled; nil leaves the queue's setting.
  package var isShuffled: Bool?
  /// The entries in order; `source` is always set.
  package var drafts: [EntryDraft]
  /// The entries to repeat, in order, while none of `drafts` can play; nil leaves the queue's own.
  package var fallback: [EntryDraft]?
  /// What it says of itself to other players, and what the lists in it say of themselves.
  package var foreign: ForeignFields

  package init(
    name: String? = nil, repeatMode: QueueRepeat? = nil, isShuffled: Bool? = nil,
    drafts: [EntryDraft] = [], fallback: [EntryDraft]? = nil, foreign: ForeignFields = ForeignFields()
  ) {
    self.name = name
    self.repeatMode = repeatMode
    self.isShuffled = isShuffled
    self.drafts = drafts
    self.fallback = fallback
    self.foreign = foreign
  }

  /// The same list, with what its entries carry of it in its place: so earlier versions kept what a list says of itself.
  package var gatheringForeign: Playlist {
    var copy = self
    for index in copy.drafts.indices {
      let words = copy.drafts[index].foreign.ofList
      guard !words.isEmpty else { continue }
      copy.foreign = copy.foreign.joined(with: words)
      copy.drafts[index].foreign = copy.drafts[index].foreign.ofEntry
    }
    return copy
  }
}

/// A playlist and its issues.
package struct ParsedPlaylist: Sendable, Hashable {
  package var playlist: Playlist
  /// In the order of reading; bounded by `PlaylistLimits.issues`, where the last one counts the unlisted ones.
  package var issues: [PlaylistIssue]
}
