/// What one or more playlists ask for.
package struct Playlist: Sendable, Hashable {
  /// What a person calls it; nil when it does not say.
  package var name: String?
  /// What is to happen at the end; nil leaves the queue as it is.
  package var repeatMode: QueueRepeat?
  /// Whether the queue is to be shuffled; nil leaves it as it is.
  package var isShuffled: Bool?
  /// What to play, in order.
  package var entries: [PlaylistEntry]

  package init(
    name: String? = nil, repeatMode: QueueRepeat? = nil, isShuffled: Bool? = nil,
    entries: [PlaylistEntry] = []
  ) {
    self.name = name
    self.repeatMode = repeatMode
    self.isShuffled = isShuffled
    self.entries = entries
  }

  /// The entries without their windows.
  package var drafts: [EntryDraft] { entries.map(\.draft) }
}

/// One entry of a playlist, and when it may play.
package struct PlaylistEntry: Sendable, Hashable {
  /// What to play; `source` is always set.
  package var draft: EntryDraft
  /// Not to be played before; nil is at any time. Resolved by whoever knows the time zone.
  package var notBefore: TimeText?
  /// Not to be started after; nil is at any time.
  package var notAfter: TimeText?

  package init(draft: EntryDraft, notBefore: TimeText? = nil, notAfter: TimeText? = nil) {
    self.draft = draft
    self.notBefore = notBefore
    self.notAfter = notAfter
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

  /// Whether anything was left out.
  package var hasErrors: Bool { issues.contains { $0.severity == .error } }
}
