import CastProtocol
import CastSender
import Foundation
import Logging
import Synchronization
import Testing

/// Keeps what it is told.
private final class Listener: CastLoggerDelegate {
  private let records = Mutex<[String]>([])

  func logMessage(
    _ message: String, at level: CastLogLevel, fromFunction function: String, class className: String,
    location: String
  ) {
    records.withLock { $0.append("\(level.word) \(className).\(function) \(message)") }
  }

  var lines: [String] { records.withLock { $0 } }
}

@Suite("The SDK's logger")
struct CastLoggerTests {
  @Test("nothing is told until somebody listens, and nothing any more when nobody does")
  func silence() {
    let cast = CastLogger(time: .continuous)
    let logger = cast.logger(for: "Session")
    cast.filter.minimumLevel = .verbose
    #expect(logger.logLevel == .critical, "what nobody wants is not even put together")
    var listener: Listener? = Listener()
    cast.delegate = listener
    logger.trace("one")
    #expect(listener?.lines == ["verbose Session.silence() one"])
    cast.isLoggingEnabled = false
    logger.critical("two")
    #expect(listener?.lines.count == 1)
    cast.isLoggingEnabled = true
    listener = nil
    #expect(cast.delegate == nil, "held weakly")
    logger.critical("three")
  }

  @Test("the filter decides by level, by class and by the class a record names, also when it changes later")
  func filtering() {
    let (cast, listener) = (CastLogger(time: .continuous), Listener())
    cast.delegate = listener
    let (session, tls) = (cast.logger(for: "Session"), cast.logger(for: "TLSTransport"))
    session.debug("no")
    session.info("yes", metadata: ["b": "two words", "a": "\"1\""])
    tls.info("named", metadata: ["class": "Other"])
    cast.filter.setLevel(.none, forClasses: ["TLS*"])
    cast.filter.minimumLevel = .debug
    tls.critical("no")
    tls.debug("named", metadata: ["class": "Other"])
    session.debug("yes")
    var own = session
    own.logLevel = .error
    own.debug("no")
    #expect(
      listener.lines == [
        "info Session.filtering() yes a=\"\\\"1\\\"\" b=\"two words\"", "info Other.filtering() named",
        "debug Other.filtering() named", "debug Session.filtering() yes",
      ])
  }

  @Test("a record is one harmless line without secrets, however long and strange")
  func records() throws {
    let (cast, listener) = (CastLogger(time: .continuous), Listener())
    cast.delegate = listener
    let logger = cast.logger(for: "Session")
    logger.info("a\nb", metadata: ["title": "\u{1B}[2J\u{202E}x", "url": "http://u:p@h/?q"])
    logger.info("long", metadata: ["text": "\(String(repeating: "x", count: 100_000))"])
    #expect(
      listener.lines[0]
        == "info Session.records() a\\u{a}b title=\\u{1b}[2J\\u{202e}x url=http://…@h/?…")
    #expect(listener.lines[1].utf8.count < 32 << 10)
    #expect(listener.lines[1].hasSuffix("… (100010 bytes)"))
  }

  @Test("files are put aside when they are full, and no more are kept than wanted")
  func files() throws {
    let folder = "\(NSTemporaryDirectory())/castlog-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let time = TimeSource(now: { .zero }, sleep: { _ in }, wallMilliseconds: { 1_790_000_000_007 })
    let cast = CastLogger(time: time)
    let options = CastLogFileOptions(path: "\(folder)/cast.log", maximumFileSize: 1, maximumFileCount: 3)
    #expect(options.maximumFileSize == 32 << 10)
    #expect(CastLogFileOptions(path: "x", maximumFileCount: 0).maximumFileCount == 2)
    #expect(CastLogFileOptions(path: "x").maximumFileSize == 2 << 20)
    try cast.logToFile(options)
    let logger = cast.logger(for: "Session")
    for number in 0..<100 { logger.info("record \(number) \(String(repeating: "x", count: 1500))") }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["cast.log", "cast.log.1", "cast.log.2"])
    let texts = try names.reversed().map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    #expect(texts.allSatisfy { $0.utf8.count <= 32 << 10 && $0.hasSuffix("\n") })
    let lines = texts.joined().split(separator: "\n")
    #expect(lines.last?.hasPrefix("2026-09-21T14:13:20.007Z info Session: record 99 x") == true)
    #expect(lines.count >= 40)
    #expect(
      zip(lines, (100 - lines.count)...).allSatisfy { $0.contains(" record \($1) ") }, "none is missing")
    try cast.logToFile(nil)
    logger.info("not this")
    #expect(try String(contentsOfFile: "\(folder)/cast.log", encoding: .utf8).contains("not this") == false)
    let error = #expect(throws: CastLogFileError.self) {
      try cast.logToFile(CastLogFileOptions(path: "\(folder)/none/cast.log"))
    }
    #expect(error?.description.contains("/none/cast.log: No such file") == true)
  }

  @Test("levels have swift-log's counterparts")
  func levels() {
    #expect(Logger.Level.allCases.map { CastLogLevel($0).rawValue } == [1, 2, 3, 3, 4, 5, 6])
    let back = CastLogLevel.allCases.compactMap(\.swiftLogLevel).map { CastLogLevel($0) }
    #expect(back == Array(CastLogLevel.allCases.dropFirst()))
    #expect(CastLogLevel.allCases.map { CastLogLevel(word: $0.word) } == CastLogLevel.allCases)
  }

  @Test(
    "a session tells each change of its state once, and frames without secrets only to those who want all")
  func session() async throws {
    let transport = ScriptedTransport()
    let (cast, listener) = (CastLogger(time: .continuous), Listener())
    cast.delegate = listener
    let session = Session(
      device: Device(endpoint: DeviceEndpoint(host: "192.0.2.1")), options: SessionOptions(purpose: .device),
      transport: transport, logger: cast.logger(for: "Session"), time: .continuous)
    try await session.start()
    cast.filter.minimumLevel = .verbose
    transport.say(
      .message(
        CastMessage(
          source: .receiver, destination: .broadcast, namespace: .receiver,
          json: ["type": "X", "credentials": "s3cret"])))
    transport.say(
      .message(
        CastMessage(source: .receiver, destination: .broadcast, namespace: "urn:x", payload: .binary([1]))))
    await session.end(.leave)
    let words = listener.lines.map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
    let states = listener.lines.filter { $0.hasPrefix("info") }
    #expect(
      states == [
        "info Session.logEvent(_:at:) connecting cast.device=192.0.2.1:8009",
        "info Session.logEvent(_:at:) session active cast.application=none cast.device=192.0.2.1:8009",
        "info Session.logEvent(_:at:) session ended cast.device=192.0.2.1:8009",
      ])
    let frame = words.first { $0.contains("credentials") }
    #expect(
      frame
        == "received cast.destination=* cast.device=192.0.2.1:8009 cast.namespace=urn:x-cast:com.google.cast.receiver "
        + "cast.payload={\"credentials\":\"…\",\"type\":\"X\"} cast.size=35 cast.source=receiver-0")
    #expect(words.contains { $0.contains("cast.namespace=urn:x cast.size=1 ") })
    #expect(words.contains { $0.hasPrefix("sending ") && $0.contains("\"type\":\"CLOSE\"") })
  }
}
