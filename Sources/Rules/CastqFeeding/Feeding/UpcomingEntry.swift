package import CastProtocol
package import CastqPlaylists

/// One place in the play order: which entry comes, in which round, and what is sent to the receiver for it.
package struct UpcomingEntry: Sendable, Hashable {
  package var entry: EntryID
  /// The list that it is in.
  package var queue: QueueID
  /// The latest turn of the row; the next offering has a higher one.
  package var turn: Int
  /// The round this place belongs to.
  package var round: Int
  /// Failures so far in this round.
  package var attempts: Int
  /// What to play, with addresses the device can open.
  package var draft: EntryDraft
  /// Why it cannot be sent at all, such as a file that is gone; nil when it can.
  package var problem: String?
  /// Where its media are, when its address is that of a page.
  package var link = EntryLink.direct
  /// Its file, when nobody has read that yet and it could be converted if it were known; nil otherwise.
  package var unreadFile: String?
  /// Whether the device may refuse its file as it is, which is converted in its place then.
  package var mayBeConverted = false
  /// Whether its file is being read, for a moment: title, length and picture go with an item, and cannot be sent later. Only of the first
  /// place, while nothing is on the screen.
  package var awaitsFile = false
  /// Whether it continues where its newest play was cut.
  package internal(set) var isContinued = false
  /// Bytes of its item in a message; nil until it is measured, once for each reading.
  var bytes: Int?

  package init(
    entry: EntryID, in queue: QueueID = .first, turn: Int, round: Int, attempts: Int, draft: EntryDraft,
    problem: String? = nil
  ) {
    self.entry = entry
    self.queue = queue
    self.turn = turn
    self.round = round
    self.attempts = attempts
    self.draft = draft
    self.problem = problem
  }

  /// What the receiver has to run for it.
  package var application: FeedApplication {
    // What is behind a page is media, whatever the row calls the page.
    link == .direct && draft.media.isPage ? .pages : .media
  }

  /// Whether it is sent as it is, and what follows is held back until it is displayed: a receiver that refuses it would play what follows
  /// before castq could send what is made of it. A file that nobody has read yet may be one, too.
  var isTrial: Bool { attempts == 0 && (mayBeConverted || unreadFile != nil) }

  /// The same in a round that is still to come: nothing has failed in it.
  package var unfailed: UpcomingEntry {
    var place = self
    place.attempts = 0
    return place
  }

  /// Measures its item.
  /// - Parameter ahead: by how much the turn that is sent may exceed the row's.
  func measured(queue: String, epoch: Int?, ahead: Int, defaultPreload: MediaTime) -> UpcomingEntry {
    var place = self
    let turn = EntryTurn(entry: entry, turn: turn + ahead)
    place.bytes =
      item(queue: queue, epoch: epoch, turn: turn, defaultPreload: defaultPreload).json.text.utf8.count
    return place
  }

  /// The item to send for it.
  package func item(
    queue: String, epoch: Int? = nil, turn: EntryTurn, defaultPreload: MediaTime
  ) -> MediaQueueItem {
    MediaQueueItem(
      mediaInformation: draft.media, autoplay: draft.autoplay, startTime: draft.startTime,
      playbackDuration: draft.playbackDuration, preloadTime: draft.preloadTime ?? defaultPreload,
      activeTrackIDs: draft.activeTrackIDs,
      customData: EntryTag(queue: queue, turn: turn, epoch: epoch).marking(draft.customData))
  }
}
