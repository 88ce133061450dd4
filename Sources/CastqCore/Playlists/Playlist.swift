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

/// A playlist and its issues.
package struct ParsedPlaylist: Sendable, Hashable {
  package var playlist: Playlist
  /// In the order of reading; bounded by `PlaylistLimits.issues`, where the last one counts the unlisted ones.
  package var issues: [PlaylistIssue]

  package init(playlist: Playlist, issues: [PlaylistIssue]) {
    self.playlist = playlist
    self.issues = issues
  }
}
