public import Logging
import Synchronization

/// Receives the records that a `CastLogger` passes.
public protocol CastLoggerDelegate: AnyObject, Sendable {
  /// Receives one record. Called on the thread that logged it, possibly on several at once; it must return soon.
  /// - Parameters:
  ///   - message: the message and its metadata, on one line, without secrets and control characters.
  ///   - level: the severity; never `none`.
  ///   - function: the function that logged, such as `end(_:)`.
  ///   - className: its class, such as `Session`.
  ///   - location: file and line.
  func logMessage(
    _ message: String, at level: CastLogLevel, fromFunction function: String, class className: String,
    location: String)
}

/// The logger of the SDK (protocol 17.8): one per process, silent by default.
///
/// The Cast SDKs call it `Logger`; here that name belongs to swift-log, and a second one would collide in every file that imports
/// both. `CastLogger` is the backend of those loggers: it filters records, redacts secrets, and passes the result to the delegate,
/// the console and the file, none of which exists by default.
///
///     CastLogger.shared.filter.setLevel(.debug, forClasses: ["Session"])
///     CastLogger.shared.isConsoleLoggingEnabled = true
///
/// Your own loggers are included if they come from `logger(for:)`, and so is the whole process after
/// `LoggingSystem.bootstrap(CastLogger.shared.makeHandler(label:))`.
public final class CastLogger: Sendable {
  /// The logger that all classes of the SDK use.
  public static let shared = CastLogger()

  private struct State {
    var isEnabled = true
    var isConsoleLoggingEnabled = false
    weak var delegate: (any CastLoggerDelegate)?
    var filter = CastLoggerFilter()
    var file: CastLogFile?

    /// The raw value of the lowest level that may pass.
    var threshold: Int {
      guard isEnabled, isConsoleLoggingEnabled || delegate != nil || file != nil else { return .max }
      return filter.lowestLevel?.rawValue ?? .max
    }
  }

  private let state = Mutex(State())
  /// Kept outside the state, so that a rejected record costs one load.
  private let threshold = Atomic(Int.max)
  private let time: TimeSource
  private let redaction = Redaction.standard

  package init(time: TimeSource = .continuous) { self.time = time }

  /// Whether logging is enabled; false silences everything; true by default.
  public var isLoggingEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { change { $0.isEnabled = newValue } }
  }

  /// The filter; by default everything from `info` up.
  public var filter: CastLoggerFilter {
    get { state.withLock { $0.filter } }
    set { change { $0.filter = newValue } }
  }

  /// Receives the records; held weakly. Nil, the default, is none.
  public var delegate: (any CastLoggerDelegate)? {
    get { state.withLock { $0.delegate } }
    set { change { $0.delegate = newValue } }
  }

  /// Whether records are written to standard error; false by default.
  public var isConsoleLoggingEnabled: Bool {
    get { state.withLock { $0.isConsoleLoggingEnabled } }
    set { change { $0.isConsoleLoggingEnabled = newValue } }
  }

  /// The log files; nil, the default, when there are none.
  public var fileOptions: CastLogFileOptions? { state.withLock { $0.file?.options } }

  /// Starts to write to files, or stops with nil.
  /// - Throws: `CastLogFileError` when the file cannot be opened; the previous files then remain in use.
  public func logToFile(_ options: CastLogFileOptions?) throws(CastLogFileError) {
    var file: CastLogFile?
    if let options { file = try CastLogFile(options) }
    change { [file] in $0.file = file }
  }

  /// A swift-log logger for a class: the filter uses this name, or the metadata `class` of a record that has one.
  public func logger(for className: String) -> Logger {
    Logger(label: className, factory: { self.makeHandler(label: $0) })
  }

  /// A factory for `LoggingSystem.bootstrap`; the label is the class name.
  public func makeHandler(label: String) -> any LogHandler { CastLogHandler(sink: self, className: label) }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      threshold.store(state.threshold, ordering: .relaxed)
    }
  }

  /// The lowest swift-log level that may pass; `critical` when none does, because swift-log has no higher level.
  var lowestLevel: Logger.Level {
    CastLogLevel(rawValue: threshold.load(ordering: .relaxed))?.swiftLogLevel ?? .critical
  }

  /// Writes one record to the destinations whose filter it passes.
  func take(_ record: CastLogRecord) {
    guard record.level.rawValue >= threshold.load(ordering: .relaxed) else { return }
    let (delegate, isConsole, file) = state.withLock { state in
      state.isEnabled
        && state.filter.allows(
          record.level, class: record.className, function: record.function, message: record.message)
        ? (state.delegate, state.isConsoleLoggingEnabled, state.file) : (nil, false, nil)
    }
    guard delegate != nil || isConsole || file != nil else { return }
    let text = record.text(redaction)
    delegate?.logMessage(
      text, at: record.level, fromFunction: record.function, class: record.className,
      location: record.location)
    guard isConsole || file != nil else { return }
    let line = record.line(text, at: time.wallMilliseconds())
    if isConsole { CastLogFile.writeToStandardError(line) }
    file?.write(line)
  }
}
