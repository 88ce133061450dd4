public import Logging

/// How much a log record matters, in the steps of the Cast SDKs (protocol 17.8).
///
/// As the level of a record it is one of the upper six; as the level of a filter it is the least that passes, and `none`
/// lets nothing pass.
public enum CastLogLevel: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// Nothing at all; only filters have it.
  case none = 0
  /// Every frame of every connection; swift-log's `trace`.
  case verbose
  /// What a session goes through.
  case debug
  /// What a person may want to know later; swift-log's `info` and `notice`.
  case info
  /// Something went wrong and was made good.
  case warning
  /// Something failed.
  case error
  /// A mistake in the program; swift-log's `critical`.
  case assert

  /// The level that a record of swift-log has.
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

  /// The same step in swift-log; nil for `none`, which has no counterpart.
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

  /// By weight.
  public static func < (left: CastLogLevel, right: CastLogLevel) -> Bool { left.rawValue < right.rawValue }

  /// The word people write and read, such as `debug`.
  public var word: String { "\(self)" }

  /// The level with this word, or with swift-log's or the usual shorter one; nil for every other word.
  public init?(word: String) {
    switch word {
    case "trace": self = .verbose
    case "warn": self = .warning
    default:
      guard let level = Self.allCases.first(where: { $0.word == word }) else { return nil }
      self = level
    }
  }

  /// Whether a filter of this level lets a record of that level pass.
  func admits(_ level: CastLogLevel) -> Bool { self != .none && level >= self }
}
