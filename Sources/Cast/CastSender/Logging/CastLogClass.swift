public import Logging

/// The classes of the SDK that log, by their names in filters.
///
///     filter.setLevel(.debug, forClasses: [CastLogClass.session.rawValue, "Discovery*"])
public enum CastLogClass: String, Sendable, CaseIterable {
  /// The life of a session: connecting, launching, active, suspended, resumed, ended; and each of its frames, as `verbose`.
  case session = "Session"
  /// Resumption of an earlier process's session.
  case sessionManager = "SessionManager"
  /// Media status, failed items, and actions of other senders.
  case remoteMediaClient = "RemoteMediaClient"
  /// The copy of the receiver's queue.
  case mediaQueue = "MediaQueue"
  /// Messages of an application for which no channel was added.
  case castChannel = "CastChannel"
  /// Transfers of playback to another device.
  case sessionTransfer = "SessionTransfer"
  /// Devices that are found, changed and lost.
  case discoveryManager = "DiscoveryManager"
  /// Results of device authentication.
  case deviceAuthentication = "DeviceAuthentication"
  /// Connections below the sessions.
  case tlsTransport = "TLSTransport"
  /// Sessions that are stored in a file.
  case fileSessionStore = "FileSessionStore"
  /// Images that are cached in files.
  case fileImageCache = "FileImageCache"
}

extension CastLogger {
  /// A swift-log logger for a class of the SDK.
  public func logger(for logClass: CastLogClass) -> Logger { logger(for: logClass.rawValue) }
}

extension Logger {
  /// The same logger for another class. Only the SDK's own filter supports classes: a logger of the program is returned unchanged.
  func speaking(for logClass: CastLogClass) -> Logger {
    guard handler is CastLogHandler else { return self }
    var logger = self
    logger[metadataKey: "class"] = "\(logClass.rawValue)"
    return logger
  }
}
