import CastProtocol
import CastqPlaylists

/// The clocks of the item on the screen: pictures, which never end by themselves, entries that may play only so long, and the speed
/// that each entry sets once.
struct ItemClock: Sendable {
  /// Seconds until a next item that does not come is requested again.
  static let patience = 5.0

  /// The picture that stands there although its play has ended, and is timed.
  var overdue: EntryTurn?
  /// The picture whose clock of being displayed again runs.
  var refreshed: EntryTurn?
  /// Whose time has ended, and when the receiver was requested to continue; nil again when the next one is there.
  private(set) var requested: (item: FeedWindow.Item, at: Tick)?
  /// The turn whose speed was set: what a person changes afterwards stays.
  var paced: EntryTurn?

  /// The next item was requested in place of this one.
  mutating func requestNext(after item: FeedWindow.Item, at now: Tick) { requested = (item, now) }

  /// When the successor of this item was requested; nil when it was not.
  func requestedNext(after turn: EntryTurn) -> Tick? {
    requested.flatMap { $0.item.turn == turn ? $0.at : nil }
  }

  /// The item that is displayed.
  /// - Returns: how long the successor of a picture took; nil where it is none.
  mutating func displayed(_ turn: EntryTurn, at now: Tick) -> Duration? {
    guard let requested, turn != requested.item.turn else { return nil }
    self.requested = nil
    return requested.item.isImage ? now - requested.at : nil
  }

  /// The timers of the item are gone.
  mutating func reset() {
    refreshed = nil
    requested = nil
    overdue = nil
  }
}
