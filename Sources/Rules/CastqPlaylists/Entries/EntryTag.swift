package import CastProtocol

/// The tag in an item's `customData` that statuses return: queue, entry and turn.
///
/// Only this tag binds items to entries, never position, title or address.
package struct EntryTag: Sendable, Hashable {
  /// Identity of the queue, so that items of another database are not adopted.
  package var queue: String
  package var turn: EntryTurn
  /// The epoch of the box that sent the item, 1 or more; nil outside a pair of boxes.
  package var epoch: Int?

  /// The largest epoch.
  package static let latestEpoch = 1 << 53 - 1

  package init(queue: String, turn: EntryTurn, epoch: Int? = nil) {
    self.queue = queue
    self.turn = turn
    self.epoch = epoch
  }

  /// Reads the tag of an item; nil when there is none.
  package init?(customData: JSONValue?) {
    guard let mark = customData?["castq"], let queue = mark["q"]?.string,
      let entry = mark["e"]?.integer(.identifier), let turn = mark["t"]?.integer(.index)
    else { return nil }
    self.init(
      queue: queue, turn: EntryTurn(entry: EntryID(Int64(entry)), turn: turn),
      // What no box can have is none: nothing would ever be newer.
      epoch: mark["n"]?.integer(.index).flatMap { (1...Self.latestEpoch).contains($0) ? $0 : nil })
  }

  /// The tag of what a device shows; nil where that was not loaded from this queue.
  /// - Parameter queue: the identity of the queue in tags.
  package init?(current media: MediaStatus, of queue: String) {
    guard let tag = EntryTag(customData: media.queueItem(media.currentItemID)?.customData), tag.queue == queue
    else { return nil }
    self = tag
  }

  /// The user's own data with the tag added.
  package func marking(_ customData: JSONValue?) -> JSONValue {
    var members: [String: JSONValue] = [
      "q": .string(queue), "e": .integer(turn.entry.rawValue), "t": .integer(Int64(turn.turn)),
    ]
    members["n"] = epoch.map { .integer(Int64($0)) }
    let mark: JSONValue = ["castq": .object(members)]
    guard let customData, customData.object != nil else { return mark }
    return mark.keeping(customData.object ?? [:])
  }
}
