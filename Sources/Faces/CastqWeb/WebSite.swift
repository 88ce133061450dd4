import CastPresentation
import CastProtocol
import CastSender
import CastTLS
import CastqFeeding
import CastqOperations
import CastqText
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Everything that answers: pages, files, the API and the events.
struct WebSite: Sendable {
  let documents: ShownDocuments
  let settings: WebSettings
  let assets: WebAssets
  let gate: WebGate
  let hub: EventHub
  let book: ConnectionBook
  let requests = RequestLedger()
  let questions: DeviceQuestions
  let notices = NoticeBook()
  private let time: TimeSource

  init(
    _ settings: WebSettings, _ documents: any WebDocuments, _ book: ConnectionBook, logger: Logger,
    time: TimeSource = .continuous
  ) throws(TLSError) {
    self.time = time
    self.settings = settings
    self.documents = ShownDocuments(documents)
    self.book = book
    questions = DeviceQuestions(self.documents, settings.limits)
    // It was checked where the configuration was read.
    let style = settings.face.style.flatMap { try? PresentationStyle(json: $0) }
    assets = try WebAssets(style: style.map { StyleSheet(style: $0).text })
    gate = WebGate(settings, logger: logger) { time.now().sinceStart.components.seconds }
    hub = EventHub(documents: documents, limit: settings.limits.streams, time: time)
  }

  var now: WallTime { WallTime(milliseconds: time.wallMilliseconds()) }

  var responder: WebResponder {
    WebResponder(gate: gate, routes: pageRoutes + apiRoutes + openRoutes) { request, problem in
      problem.status == .unauthorized ? await loginPage(request) : lostPage(request, problem)
    }
  }

  static func html(_ text: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  static func json(_ answer: WebDocument, status: HTTPResponse.Status = .ok) -> Response {
    var headers: HTTPFields = [.contentType: "application/json"]
    if let version = answer.version { headers[.eTag] = "\"\(version)\"" }
    return Response(
      status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: answer.text)))
  }
}
