public import Logging

/// The classes of the SDK that log, by the names that filters know them by.
///
///     filter.setLevel(.debug, forClasses: [CastLogClass.session.rawValue, "Discovery*"])
public enum CastLogClass: String, Sendable, CaseIterable {
  /// The life of a session: connecting, launching, active, away, back, ended; and each of its frames, as `verbose`.
  case session = "Session"
  /// Sessions of an earlier process that are resumed.
  case sessionManager = "SessionManager"
  /// What is loaded and plays, failed items, and actions of other senders.
  case remoteMediaClient = "RemoteMediaClient"
  /// The copy of the receiver's queue.
  case mediaQueue = "MediaQueue"
  /// Messages of an application for which no channel was added.
  case castChannel = "CastChannel"
  /// The transfer of what plays to another device.
  case sessionTransfer = "SessionTransfer"
  /// Devices that are found, change and go.
  case discoveryManager = "DiscoveryManager"
  /// What devices prove, and do not.
  case deviceAuthentication = "DeviceAuthentication"
  /// Connections below the sessions.
  case tlsTransport = "TLSTransport"
  /// Sessions that are remembered in a file.
  case fileSessionStore = "FileSessionStore"
  /// Pictures that are kept in files.
  case fileImageCache = "FileImageCache"
}

extension CastLogger {
  /// A logger of swift-log for a class of the SDK.
  public func logger(for logClass: CastLogClass) -> Logger { logger(for: logClass.rawValue) }
}

extension Logger {
  /// The same logger for another class. Only the SDK's own filter knows classes: a logger of the program's is returned unchanged.
  func speaking(for logClass: CastLogClass) -> Logger {
    guard handler is CastLogHandler else { return self }
    var logger = self
    logger[metadataKey: "class"] = "\(logClass.rawValue)"
    return logger
  }
}
