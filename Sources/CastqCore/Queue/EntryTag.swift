package import CastProtocol

/// The tag in an item's `customData` that statuses return: queue, entry and turn.
///
/// Only this tag binds items to entries, never position, title or address.
package struct EntryTag: Sendable, Hashable {
  /// Identity of the queue, so that items of another database are not adopted.
  package var queue: String
  package var turn: EntryTurn

  package init(queue: String, turn: EntryTurn) {
    self.queue = queue
    self.turn = turn
  }

  /// Reads the tag of an item; nil when there is none.
  package init?(customData: JSONValue?) {
    guard let mark = customData?["castq"], let queue = mark["q"]?.string,
      let entry = mark["e"]?.integer(.identifier), let turn = mark["t"]?.integer(.index)
    else { return nil }
    self.init(queue: queue, turn: EntryTurn(entry: EntryID(Int64(entry)), turn: turn))
  }

  /// The user's own data with the tag added.
  package func marking(_ customData: JSONValue?) -> JSONValue {
    let mark: JSONValue = [
      "castq": ["q": .string(queue), "e": .integer(turn.entry.rawValue), "t": .integer(Int64(turn.turn))]
    ]
    guard let customData, customData.object != nil else { return mark }
    return mark.keeping(customData.object ?? [:])
  }
}
