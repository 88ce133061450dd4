/// One end of a virtual connection: a sender, the device's platform, or a running application (protocol 3.3).
package struct EndpointID: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let rawValue: String

  package init(_ rawValue: String) { self.rawValue = rawValue }
  package init(stringLiteral value: String) { self.init(value) }
  package var description: String { rawValue }

  /// The platform of the sender: device authentication and heartbeat.
  package static let platformSender: EndpointID = "sender-0"
  /// The device's platform.
  package static let receiver: EndpointID = "receiver-0"
  /// Destination of a broadcast; never a source.
  package static let broadcast: EndpointID = "*"
}

/// The multiplex key of a message (protocol 1.5).
package struct Namespace: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let rawValue: String

  package init(_ rawValue: String) { self.rawValue = rawValue }
  package init(stringLiteral value: String) { self.init(value) }
  package var description: String { rawValue }

  package static let deviceAuth: Namespace = "urn:x-cast:com.google.cast.tp.deviceauth"
  package static let connection: Namespace = "urn:x-cast:com.google.cast.tp.connection"
  package static let heartbeat: Namespace = "urn:x-cast:com.google.cast.tp.heartbeat"
  package static let receiver: Namespace = "urn:x-cast:com.google.cast.receiver"
  package static let media: Namespace = "urn:x-cast:com.google.cast.media"
  package static let multizone: Namespace = "urn:x-cast:com.google.cast.multizone"
  package static let discovery: Namespace = "urn:x-cast:com.google.cast.receiver.discovery"
  package static let setup: Namespace = "urn:x-cast:com.google.cast.setup"
}

/// Number of one request on one connection; a reply repeats it. 0 on the wire means "not a reply" and is never one of these.
package struct RequestID: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
  package var description: String { "#\(rawValue)" }
  package static func < (left: RequestID, right: RequestID) -> Bool { left.rawValue < right.rawValue }
}

/// A caller's handle of a request, valid for the life of a session, across connections.
package struct RequestToken: Sendable, Hashable, CustomStringConvertible {
  package let rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
  package var description: String { "r\(rawValue)" }
}

/// One load in a receiver application, successful or not; changes with every load (protocol 6.2).
public struct MediaSessionID: Sendable, Hashable, CustomStringConvertible {
  /// The number on the wire, 1 or more.
  public let rawValue: Int
  /// Wraps a number from a status.
  public init(_ rawValue: Int) { self.rawValue = rawValue }
  /// The bare number.
  public var description: String { String(rawValue) }
}

/// One item of a receiver's queue; assigned by the receiver and never reused while the application runs (protocol 7.3).
public struct MediaQueueItemID: Sendable, Hashable, CustomStringConvertible {
  /// The number on the wire, 1 or more.
  public let rawValue: Int
  /// Wraps a number from a status or an id list.
  public init(_ rawValue: Int) { self.rawValue = rawValue }
  /// The bare number.
  public var description: String { String(rawValue) }
}
