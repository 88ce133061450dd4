/// A queue to load, or the properties of the whole queue in a status (protocol 7.2).
public struct MediaQueueData: Sendable, Hashable {
  /// The application's identifier of the queue; nil when it has none.
  public var queueID: String?
  /// The displayed name; nil for none.
  public var name: String?
  /// The displayed description; nil for none.
  public var queueDescription: String?
  /// Deep link of the queue; nil for none. Without items it is a cloud queue, which the receiver application must fetch; the
  /// default receiver does not support that.
  public var entity: String?
  /// The type of the queue; nil when not reported.
  public var queueType: MediaQueueType?
  /// What happens at the end; nil leaves it to the receiver.
  public var repeatMode: MediaRepeatMode?
  /// Whether the receiver shuffles; nil when it does not report it, or to leave it to the receiver.
  public var shuffle: Bool?
  /// The items; empty in statuses.
  public var items: [MediaQueueItem]
  /// Index of the first item to play, from 0; nil is the first. Items before it are not played unless the queue repeats (protocol
  /// 7.4).
  public var startIndex: Int?
  /// Start position of the first item, the first time; nil is its beginning. The default receiver ignores it in a LOAD (protocol
  /// 21.14).
  public var startTime: MediaTime?
  /// Metadata of the queue as a whole; nil when not reported.
  public var containerMetadata: MediaQueueContainerMetadata?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A queue of these items; everything else defaults to absent.
  public init(
    items: [MediaQueueItem] = [], startIndex: Int? = nil, repeatMode: MediaRepeatMode? = nil,
    queueID: String? = nil, name: String? = nil, queueDescription: String? = nil, entity: String? = nil,
    queueType: MediaQueueType? = nil, shuffle: Bool? = nil, startTime: MediaTime? = nil,
    containerMetadata: MediaQueueContainerMetadata? = nil
  ) {
    self.items = items
    self.startIndex = startIndex
    self.repeatMode = repeatMode
    self.queueID = queueID
    self.name = name
    self.queueDescription = queueDescription
    self.entity = entity
    self.queueType = queueType
    self.shuffle = shuffle
    self.startTime = startTime
    self.containerMetadata = containerMetadata
  }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    self.init(
      items: members.take("items").list(MediaQueueItem.init(json:)) ?? [],
      startIndex: members.take("startIndex")?.integer(.index),
      repeatMode: MediaRepeatMode(members.take("repeatMode")),
      queueID: members.take("id")?.string, name: members.take("name")?.string,
      queueDescription: members.take("description")?.string, entity: members.take("entity")?.string,
      queueType: MediaQueueType(members.take("queueType")), shuffle: members.take("shuffle")?.bool,
      startTime: MediaTime(members.take("startTime"), .position),
      containerMetadata: MediaQueueContainerMetadata(json: members.take("containerMetadata")))
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "id": JSONValue(queueID), "name": JSONValue(name), "description": JSONValue(queueDescription),
      "entity": JSONValue(entity), "queueType": queueType?.json, "repeatMode": repeatMode?.json,
      "shuffle": JSONValue(shuffle), "items": items.isEmpty ? nil : .array(items.map(\.json)),
      "startIndex": JSONValue(startIndex), "startTime": JSONValue(startTime?.seconds),
      "containerMetadata": containerMetadata?.json,
    ]).keeping(unknownMembers)
  }
}
