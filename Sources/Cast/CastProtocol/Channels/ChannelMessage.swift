/// A message of a custom namespace: text, by convention JSON, or bytes (protocol 16).
public enum ChannelPayload: Sendable, Hashable {
  /// Sent unchanged; JSON is not quoted again.
  case text(String)
  /// Applications made with Google's receiver framework accept text only.
  case binary([UInt8])
}

/// One message of a custom namespace.
public struct ChannelMessage: Sendable, Hashable {
  /// The namespace, such as `urn:x-cast:com.example.game`.
  public var namespace: String
  /// The contents.
  public var payload: ChannelPayload

  /// A message on a namespace.
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

/// The namespaces that an application may define (protocol 16).
public enum ChannelNamespace {
  /// Maximum length of a namespace that a receiver accepts, in UTF-8 bytes.
  public static let maximumLength = 128

  /// Why a text is not a valid custom namespace; nil when it is valid.
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

  /// Whether it is reserved for the protocol.
  var isReserved: Bool { rawValue.hasPrefix(Self.reservedPrefix) }
}
