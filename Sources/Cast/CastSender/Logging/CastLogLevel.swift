public import Logging

/// The severity of a log record, in the levels of the Cast SDKs (protocol 17.8).
///
/// The level of a record is one of the upper six; the level of a filter is the lowest that passes, and `none` rejects all records.
public enum CastLogLevel: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// No records; for filters only.
  case none = 0
  /// Every frame of every connection; swift-log's `trace`.
  case verbose
  /// The events of a session.
  case debug
  /// Events of lasting interest; swift-log's `info` and `notice`.
  case info
  /// A problem that was corrected.
  case warning
  /// A failure.
  case error
  /// An error in the program; swift-log's `critical`.
  case assert

  /// The level for a level of swift-log.
  public init(_ level: Logger.Level) {
    self =
      switch level {
      case .trace: .verbose
      case .debug: .debug
      case .info, .notice: .info
      case .warning: .warning
      case .error: .error
      case .critical: .assert
      }
  }

  /// The same level in swift-log; nil for `none`, which has no counterpart.
  public var swiftLogLevel: Logger.Level? {
    switch self {
    case .none: nil
    case .verbose: .trace
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    case .assert: .critical
    }
  }

  /// Orders levels by severity.
  public static func < (left: CastLogLevel, right: CastLogLevel) -> Bool { left.rawValue < right.rawValue }

  /// The level's name, such as `debug`.
  public var word: String { "\(self)" }

  /// The level with this name; also accepts swift-log's `trace` and the short form `warn`. Nil for any other text.
  public init?(word: String) {
    switch word {
    case "trace": self = .verbose
    case "warn": self = .warning
    default:
      guard let level = Self.allCases.first(where: { $0.word == word }) else { return nil }
      self = level
    }
  }

  /// Whether a filter of this level accepts a record of that level.
  func admits(_ level: CastLogLevel) -> Bool { self != .none && level >= self }
}
