/// One change of the receiver's queue (protocol 7.7).
public struct MediaQueueChange: Sendable, Hashable {
  /// The type of a change.
  public enum Kind: WireWord {
    /// Items were inserted.
    case insert
    /// Items were removed.
    case remove
    /// The contents of items changed.
    case itemsChange
    /// The order changed; the ids are the new list.
    case update
    /// No change.
    case noChange
    /// A value unknown to this version.
    case unknown(String)

    package static let words: [(word: String, value: Self)] = [
      ("INSERT", .insert), ("REMOVE", .remove), ("ITEMS_CHANGE", .itemsChange), ("UPDATE", .update),
      ("NO_CHANGE", .noChange),
    ]
  }

  /// The type of the change.
  public var kind: Kind
  /// The affected items.
  public var itemIDs: [MediaQueueItemID]
  /// The item after the inserted ones; nil when they were appended.
  public var insertBefore: MediaQueueItemID?
  /// Sequence number, which grows by one with every change; nil when the receiver does not count.
  public var sequenceNumber: Int?

  package init(
    kind: Kind, itemIDs: [MediaQueueItemID], insertBefore: MediaQueueItemID? = nil, sequenceNumber: Int? = nil
  ) {
    self.kind = kind
    self.itemIDs = itemIDs
    self.insertBefore = insertBefore
    self.sequenceNumber = sequenceNumber
  }

  /// Nil when the message does not contain the type of the change.
  package init?(json: JSONValue) {
    guard let kind = Kind(json["changeType"]) else { return nil }
    self.init(
      kind: kind, itemIDs: json["itemIds"].list(MediaQueueItemID.init(json:)) ?? [],
      insertBefore: json.itemID("insertBefore"), sequenceNumber: json["sequenceNumber"]?.integer(.index))
  }
}
