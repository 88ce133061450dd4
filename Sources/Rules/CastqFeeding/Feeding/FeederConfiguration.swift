package import CastProtocol
package import CastqPlaylists
package import CastqText

/// Every number the feeder lives by, in one place.
package struct FeederConfiguration: Sendable, Hashable {
  /// How many entries the receiver holds beyond the current one.
  package var itemsAhead = 20
  /// Refilled when fewer than this are left.
  package var lowWater = 10
  /// Most entries in one message (protocol 7.9).
  package var itemsPerMessage = 20
  /// Most bytes of items in one message, unless a single entry is larger (protocol 7.9).
  package var bytesPerMessage = 24 * 1024
  /// No single entry may be larger: the message that carries it must stay under 65,536 bytes.
  package var bytesPerItem = 64_000
  /// Played items the receiver keeps before they are removed.
  package var itemsBehind = 10
  /// Plays of one entry that may fail in one round before it counts as failed, unless a list or an entry sets another limit.
  package var attempts = 2
  /// What is to happen when an entry cannot be played that does not say so itself; nil goes by `attempts`.
  package var onError: EntryErrorPolicy?
  /// Loads in a row that may be refused or go unanswered before the run ends.
  package var loadAttempts = 3
  /// Preload time of entries that name none.
  package var preloadTime: MediaTime = 10
  /// How long an image is shown that names no duration: receivers never advance by themselves (protocol 21.7).
  package var imageDuration = EntryDraft.pictureTime
  /// How long a web page is shown that names no duration.
  package var pageDuration: MediaTime = 60
  /// How long the application for web pages may take until it listens, and until it confirms a page.
  package var pagePatience: Duration = .seconds(10)
  /// How often the position is asked for: receivers are silent while an item plays (protocol 21.1).
  package var statusInterval: Duration = .seconds(10)
  /// How long an item may load, from the request on, before it must display something.
  package var loadLimit: Duration = .seconds(45)
  /// How long after an item began to load, or was named in an error, the receiver is asked what became of it: a load may die
  /// without a message (protocol 21.25).
  package var loadQuestion: Duration = .seconds(2)
  /// How often time windows are looked at while they are about to open or close, whatever clocks are set meanwhile.
  package var windowCheck: Duration = .seconds(60)
  /// How long an answer is waited for when a receiver says that nothing is loaded in the middle of an item.
  package var doubtLimit: Duration = .seconds(5)
  /// How much longer than its media the load that brought it may go unanswered.
  package var lateAnswer: Duration = .seconds(2)
  /// How long a receiver may take to leave an item that counts as dead, before the list is reloaded.
  package var nextLimit: Duration = .seconds(2)
  /// How long an item may buffer, or say that it plays without moving, before it counts as dead.
  package var stallLimit: Duration = .seconds(30)
  /// How often a picture or a web page that stays longer is displayed again: smart displays close one after ten minutes (protocol
  /// 14.5).
  package var pictureRefresh: Duration = .seconds(480)
  /// The most that a picture's successor is asked for ahead of its time, to be there in time.
  package var longestLead: Duration = .seconds(2)
  /// Longest pause before a list in which everything fails is tried again.
  package var longestPause: Duration = .seconds(60)

  /// The epoch of this box among those that may feed the device, 1 or more: items of a newer one end the run, items of an older one
  /// are replaced. Nil is a box that shares its devices with none.
  package var epoch: Int?

  /// The identity of the queue, which marks its items on the receiver.
  var queue = ""

  package init() {}

  /// How long to wait for the moment at which a time window opens or closes. The wait is bounded, because the clock may be set
  /// meanwhile.
  package func pause(until moment: WallTime, at now: WallTime) -> Duration {
    max(.milliseconds(50), min(.bounded(seconds: moment - now), windowCheck))
  }
}
