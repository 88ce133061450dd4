/// The category of media, as determined by a receiver (protocol 6.8).
public enum MediaCategory: WireWord {
  /// Audio only.
  case audio
  /// Video.
  case video
  /// An image.
  case image
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("AUDIO", .audio), ("VIDEO", .video), ("IMAGE", .image),
  ]
}

/// A viewer's action on the media, such as a like (protocol 6.8).
public struct UserActionState: Sendable, Hashable {
  /// The viewer's action.
  public var userAction: UserActionRequest.Action
  /// Application-defined data; nil when there is none.
  public var customData: JSONValue?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// An action that applies.
  public init(_ userAction: UserActionRequest.Action, customData: JSONValue? = nil) {
    self.userAction = userAction
    self.customData = customData
  }

  package init?(json: JSONValue) {
    guard var members = JSONMembers(json),
      let userAction = UserActionRequest.Action(members.take("userAction"))
    else { return nil }
    self.init(userAction, customData: members.take("customData"))
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members(["userAction": userAction.json, "customData": customData]).keeping(unknownMembers)
  }
}
