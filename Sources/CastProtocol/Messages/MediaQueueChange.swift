/// One change of the receiver's queue (protocol 7.7).
public struct MediaQueueChange: Sendable, Hashable {
  /// What happened to the items.
  public enum Kind: WireWord {
    /// They were inserted.
    case insert
    /// They are gone.
    case remove
    /// Their content changed.
    case itemsChange
    /// The order changed; the ids are the new list.
    case update
    /// Nothing happened.
    case noChange
    /// A value unknown to this version.
    case unknown(String)

    package static let words: [(word: String, value: Self)] = [
      ("INSERT", .insert), ("REMOVE", .remove), ("ITEMS_CHANGE", .itemsChange), ("UPDATE", .update),
      ("NO_CHANGE", .noChange),
    ]
  }

  /// What happened.
  public var kind: Kind
  /// The items concerned.
  public var itemIDs: [MediaQueueItemID]
  /// What follows inserted items; nil when they were appended.
  public var insertBefore: MediaQueueItemID?
  /// Grows by one with every change; nil when the receiver does not count.
  public var sequenceNumber: Int?

  package init(
    kind: Kind, itemIDs: [MediaQueueItemID], insertBefore: MediaQueueItemID? = nil, sequenceNumber: Int? = nil
  ) {
    self.kind = kind
    self.itemIDs = itemIDs
    self.insertBefore = insertBefore
    self.sequenceNumber = sequenceNumber
  }

  /// Nil when the message does not say what changed.
  package init?(json: JSONValue) {
    guard let kind = Kind(json["changeType"]) else { return nil }
    self.init(
      kind: kind, itemIDs: json["itemIds"].list(MediaQueueItemID.init(json:)) ?? [],
      insertBefore: json.itemID("insertBefore"), sequenceNumber: json["sequenceNumber"]?.integer(.index))
  }
}
