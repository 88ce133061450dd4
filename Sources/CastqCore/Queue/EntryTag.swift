package import CastProtocol

/// The mark that travels in an item's `customData` and comes back in statuses: which queue, entry and turn it is.
///
/// Items are bound to entries by this mark alone, never by position, title or address.
package struct EntryTag: Sendable, Hashable {
  /// Identity of the queue, so that another database's items are not taken for ours.
  package var queue: String
  package var turn: EntryTurn

  package init(queue: String, turn: EntryTurn) {
    self.queue = queue
    self.turn = turn
  }

  /// Reads the mark of an item; nil when there is none.
  package init?(customData: JSONValue?) {
    guard let mark = customData?["castq"], let queue = mark["q"]?.string,
      let entry = mark["e"]?.integer(.identifier), let turn = mark["t"]?.integer(.index)
    else { return nil }
    self.init(queue: queue, turn: EntryTurn(entry: EntryID(Int64(entry)), turn: turn))
  }

  /// The user's own data with the mark added.
  package func marking(_ customData: JSONValue?) -> JSONValue {
    let mark: JSONValue = [
      "castq": ["q": .string(queue), "e": .integer(turn.entry.rawValue), "t": .integer(Int64(turn.turn))]
    ]
    guard let customData, customData.object != nil else { return mark }
    return mark.keeping(customData.object ?? [:])
  }
}
