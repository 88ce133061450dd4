import Logging

/// The swift-log handler of a `CastLogger`.
struct CastLogHandler: LogHandler {
  let sink: CastLogger
  let className: String
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  /// The level set on this logger; nil leaves the decision to the filter.
  private var ownLevel: Logger.Level?

  init(sink: CastLogger, className: String) {
    self.sink = sink
    self.className = className
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Follows the filter, including later changes; a level set here can only raise it.
  var logLevel: Logger.Level {
    get { max(ownLevel ?? .trace, sink.lowestLevel) }
    set { ownLevel = newValue }
  }

  func log(event: LogEvent) {
    var facts = metadata
    if let provided = metadataProvider?.get() { facts.merge(provided) { $1 } }
    if let given = event.metadata { facts.merge(given) { $1 } }
    if let error = event.error { facts["error"] = "\(error)" }
    let named = facts.removeValue(forKey: "class").map { "\($0)" }
    sink.take(
      CastLogRecord(
        level: CastLogLevel(event.level), className: named ?? className, function: event.function,
        location: "\(event.file):\(event.line)", message: "\(event.message)", metadata: facts))
  }
}
