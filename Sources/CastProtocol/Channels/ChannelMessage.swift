/// What travels over a custom namespace: text, by convention JSON, or bytes (protocol 16).
public enum ChannelPayload: Sendable, Hashable {
  /// Sent as it is; JSON is not quoted once more.
  case text(String)
  /// Applications made with Google's receiver framework take text only.
  case binary([UInt8])
}

/// One message of a custom namespace.
public struct ChannelMessage: Sendable, Hashable {
  /// The namespace, such as `urn:x-cast:com.example.game`.
  public var namespace: String
  /// What was said.
  public var payload: ChannelPayload

  /// A message under a namespace.
  public init(namespace: String, payload: ChannelPayload) {
    self.namespace = namespace
    self.payload = payload
  }

  package init(namespace: Namespace, payload: CastMessage.Payload) {
    self.namespace = namespace.rawValue
    switch payload {
    case .string(let text): self.payload = .text(text)
    case .binary(let bytes): self.payload = .binary(bytes)
    }
  }

  var wirePayload: CastMessage.Payload {
    switch payload {
    case .text(let text): .string(text)
    case .binary(let bytes): .binary(bytes)
    }
  }
}

/// Which namespaces an application may make its own (protocol 16).
public enum ChannelNamespace {
  /// Longest name a receiver takes, in UTF-8 bytes.
  public static let maximumLength = 128

  /// Why a text cannot be the namespace of a custom channel; nil when it can.
  public static func problem(with namespace: String) -> String? {
    let prefix = "urn:x-cast:"
    guard namespace.hasPrefix(prefix), namespace.utf8.count > prefix.utf8.count else {
      return "a namespace begins with \(prefix) and a name, such as \(prefix)com.example.game"
    }
    guard namespace.utf8.count <= maximumLength else {
      return "a namespace has at most \(maximumLength) bytes, and this one has \(namespace.utf8.count)"
    }
    guard namespace.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
      return "a namespace contains neither spaces nor control characters"
    }
    guard !Namespace(namespace).isReserved else {
      return "namespaces that begin with \(Namespace.reservedPrefix) are reserved for the protocol"
    }
    return nil
  }
}

extension Namespace {
  static let reservedPrefix = "urn:x-cast:com.google.cast."

  /// Whether the protocol keeps it for itself.
  var isReserved: Bool { rawValue.hasPrefix(Self.reservedPrefix) }
}
