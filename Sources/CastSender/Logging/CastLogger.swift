public import Logging
import Synchronization

/// Takes the records that a `CastLogger` passes on.
public protocol CastLoggerDelegate: AnyObject, Sendable {
  /// One record. Called on whatever thread logged it, possibly on several at once; it must return soon.
  /// - Parameters:
  ///   - message: what happened and its facts, on one line, secrets and control characters taken out.
  ///   - level: how much it matters; never `none`.
  ///   - function: where it happened, such as `end(_:)`.
  ///   - className: whose it is, such as `Session`.
  ///   - location: file and line.
  func logMessage(
    _ message: String, at level: CastLogLevel, fromFunction function: String, class className: String,
    location: String)
}

/// The logger of the SDK (protocol 17.8): one for the process, silent until somebody asks for it.
///
/// The Cast SDKs call it `Logger`; here that name belongs to swift-log, whose `Logger` everybody writes to, and which would
/// collide in every file that imports both. `CastLogger` is what stands behind those loggers: it decides what passes, takes out
/// secrets, and hands on what is left to the delegate, the console and the file, none of which there is by default.
///
///     CastLogger.shared.filter.setLevel(.debug, forClasses: ["Session"])
///     CastLogger.shared.isConsoleLoggingEnabled = true
///
/// Loggers of your own take part when they come from `logger(for:)`, and so does the whole process after
/// `LoggingSystem.bootstrap(CastLogger.shared.makeHandler(label:))`.
public final class CastLogger: Sendable {
  /// The one that all classes of the SDK log to.
  public static let shared = CastLogger()

  private struct State {
    var isEnabled = true
    var isConsoleLoggingEnabled = false
    weak var delegate: (any CastLoggerDelegate)?
    var filter = CastLoggerFilter()
    var file: CastLogFile?

    /// The raw value of the least level that somebody may want.
    var threshold: Int {
      guard isEnabled, isConsoleLoggingEnabled || delegate != nil || file != nil else { return .max }
      return filter.lowestLevel?.rawValue ?? .max
    }
  }

  private let state = Mutex(State())
  /// Kept beside the state, so that a record nobody wants costs one load.
  private let threshold = Atomic(Int.max)
  private let time: TimeSource
  private let redaction = Redaction.standard

  package init(time: TimeSource = .continuous) { self.time = time }

  /// False silences everything; true by default.
  public var isLoggingEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { change { $0.isEnabled = newValue } }
  }

  /// What passes; by default everything from `info` up.
  public var filter: CastLoggerFilter {
    get { state.withLock { $0.filter } }
    set { change { $0.filter = newValue } }
  }

  /// Who is told; held weakly. Nil, the default, is nobody.
  public var delegate: (any CastLoggerDelegate)? {
    get { state.withLock { $0.delegate } }
    set { change { $0.delegate = newValue } }
  }

  /// Whether records are written to standard error; false by default.
  public var isConsoleLoggingEnabled: Bool {
    get { state.withLock { $0.isConsoleLoggingEnabled } }
    set { change { $0.isConsoleLoggingEnabled = newValue } }
  }

  /// The files that are written; nil, the default, when there are none.
  public var fileOptions: CastLogFileOptions? { state.withLock { $0.file?.options } }

  /// Begins to write to files, or, with nil, ends it.
  /// - Throws: `CastLogFileError` when the file cannot be opened; what was written to before goes on.
  public func logToFile(_ options: CastLogFileOptions?) throws(CastLogFileError) {
    var file: CastLogFile?
    if let options { file = try CastLogFile(options) }
    change { [file] in $0.file = file }
  }

  /// A logger of swift-log for a class: the filter knows it by that name, and by the metadata `class` of a record that has one.
  public func logger(for className: String) -> Logger {
    Logger(label: className, factory: { self.makeHandler(label: $0) })
  }

  /// What `LoggingSystem.bootstrap` wants; the label is the class name.
  public func makeHandler(label: String) -> any LogHandler { CastLogHandler(sink: self, className: label) }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      threshold.store(state.threshold, ordering: .relaxed)
    }
  }

  /// The least level of swift-log that may be wanted; `critical` when nothing is, because swift-log knows no less.
  var lowestLevel: Logger.Level {
    CastLogLevel(rawValue: threshold.load(ordering: .relaxed))?.swiftLogLevel ?? .critical
  }

  /// Hands on one record to whoever wants it.
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
