import CastProtocol
import CastTLS
import CastqAccepting
import CastqOperations
import CastqText
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// The operator page and its API: `castq web`.
struct WebServer: Sendable {
  private let settings: WebSettings
  let site: WebSite
  private let certificate: WebCertificate?
  private let logger: Logger
  private let book: ConnectionBook

  /// - Throws: `configuration` when certificate files cannot be used, or nobody could log in.
  init(
    _ settings: WebSettings, documents: any WebDocuments, logger: Logger
  ) throws(Failure) {
    self.settings = settings
    self.logger = logger
    book = ConnectionBook(limit: settings.limits.connections)
    do throws(TLSError) {
      certificate = try settings.certificate.map { (files) throws(TLSError) in
        try WebCertificate(files, logger)
      }
      site = try WebSite(settings, documents, book, logger: logger)
    } catch {
      throw Failure("configuration", "web: \(error)", exit: .configuration)
    }
  }

  /// Serves until the task is cancelled.
  /// - Parameter ready: called with the port once connections are accepted.
  /// - Throws: `listen` when the address cannot be used.
  func run(ready: @escaping @Sendable (Int) async -> Void) async throws(Failure) {
    let (limits, book, certificate) = (settings.limits, book, certificate)
    let application = Application(
      responder: site.responder,
      server: HTTPServerBuilder { responder in
        WebChannel(limits, book, certificate, responder: responder)
      },
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: nil),
      onServerRunning: { channel in
        // Before the library's own, which ends the server by an error that it does not know.
        try? await channel.eventLoop.submit {
          try channel.pipeline.syncOperations.addHandler(AcceptPause(), position: .first)
        }.get()
        await ready(channel.localAddress?.port ?? 0)
      },
      logger: Logger(label: "WebServer") { _ in ServingLog(handler: logger.handler) })
    let events = Task { await site.hub.run() }
    defer { events.cancel() }
    do { try await application.run() } catch {
      if Task.isCancelled { return }
      let (words, isLasting) = ListenProblem.reason(error)
      throw Failure(cannotListenAt: "\(settings.host):\(settings.port)", words, isLasting: isLasting)
    }
  }
}

/// The log of the libraries that serve. A server that is cancelled ends its connections by that, which they take for an error.
private struct ServingLog: LogHandler {
  var handler: any LogHandler

  var metadata: Logger.Metadata {
    get { handler.metadata }
    set { handler.metadata = newValue }
  }
  var logLevel: Logger.Level {
    get { handler.logLevel }
    set { handler.logLevel = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { handler[metadataKey: key] }
    set { handler[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    if !Task.isCancelled { handler.log(event: event) }
  }
}
