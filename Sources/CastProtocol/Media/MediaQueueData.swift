/// A queue to load, or what a status says of the queue as a whole (protocol 7.2).
public struct MediaQueueData: Sendable, Hashable {
  /// The application's identifier of the queue.
  public var queueID: String?
  /// What a person reads.
  public var name: String?
  /// What kind of list it is.
  public var queueType: MediaQueueType?
  /// What happens at the end; nil leaves it to the receiver.
  public var repeatMode: MediaRepeatMode?
  /// Whether the receiver shuffles; nil when it does not say.
  public var shuffle: Bool?
  /// The items; empty in statuses.
  public var items: [MediaQueueItem]
  /// Index of the first item to play, from 0.
  public var startIndex: Int?
  /// Where the first item starts the first time. The default receiver ignores it in a LOAD (protocol 21.14).
  public var startTime: MediaTime?
  /// Members this version does not know, `containerMetadata` among them.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A queue of these items.
  public init(items: [MediaQueueItem] = [], startIndex: Int? = nil, repeatMode: MediaRepeatMode? = nil) {
    self.items = items
    self.startIndex = startIndex
    self.repeatMode = repeatMode
  }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    queueID = members.take("id")?.string
    name = members.take("name")?.string
    queueType = MediaQueueType(members.take("queueType"))
    repeatMode = MediaRepeatMode(members.take("repeatMode"))
    shuffle = members.take("shuffle")?.bool
    items = members.take("items").list(MediaQueueItem.init(json:)) ?? []
    startIndex = members.take("startIndex")?.int
    startTime = MediaTime(members.take("startTime"))
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "id": JSONValue(queueID), "name": JSONValue(name), "queueType": queueType?.json,
      "repeatMode": repeatMode?.json,
      "shuffle": JSONValue(shuffle), "items": items.isEmpty ? nil : .array(items.map(\.json)),
      "startIndex": JSONValue(startIndex), "startTime": startTime?.json,
    ]).keeping(unknownMembers)
  }
}
