/// What one or more playlists ask for.
package struct Playlist: Sendable, Hashable {
  /// What a person calls it; nil when it does not say.
  package var name: String?
  /// What is to happen at the end; nil leaves the queue as it is.
  package var repeatMode: QueueRepeat?
  /// Whether the queue is to be shuffled; nil leaves it as it is.
  package var isShuffled: Bool?
  /// What to play, in order; `source` is always set.
  package var drafts: [EntryDraft]
  /// What to show while nothing of `drafts` can be, in order and over and over; nil leaves the queue's as it is.
  package var fallback: [EntryDraft]?

  package init(
    name: String? = nil, repeatMode: QueueRepeat? = nil, isShuffled: Bool? = nil,
    drafts: [EntryDraft] = [], fallback: [EntryDraft]? = nil
  ) {
    self.name = name
    self.repeatMode = repeatMode
    self.isShuffled = isShuffled
    self.drafts = drafts
    self.fallback = fallback
  }
}

/// All that could be read, and all that was wrong.
package struct ParsedPlaylist: Sendable, Hashable {
  package var playlist: Playlist
  /// In the order of reading; bounded by `PlaylistLimits.issues`, the last one counts those that are not listed.
  package var issues: [PlaylistIssue]

  package init(playlist: Playlist, issues: [PlaylistIssue]) {
    self.playlist = playlist
    self.issues = issues
  }
}
