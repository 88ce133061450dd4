/// What media is, as far as a receiver knows (protocol 6.8).
public enum MediaCategory: WireWord {
  /// Sound alone.
  case audio
  /// Moving pictures.
  case video
  /// A picture.
  case image
  /// A word this version does not know.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("AUDIO", .audio), ("VIDEO", .video), ("IMAGE", .image),
  ]
}

/// Something the viewer has told of the media, such as that it is liked (protocol 6.8).
public struct UserActionState: Sendable, Hashable {
  /// What the viewer did.
  public var userAction: UserActionRequest.Action
  /// The application's own data; nil when there is none.
  public var customData: JSONValue?
  /// Members this version does not know.
  public var unknownMembers: [String: JSONValue] = [:]

  /// An action that stands.
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
