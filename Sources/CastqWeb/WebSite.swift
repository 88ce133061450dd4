import CastProtocol
import CastTLS
import CastqCore
import Glibc
import HTTPTypes
import Hummingbird
import NIOCore

/// Everything that answers: pages, files, the API and the events.
struct WebSite: Sendable {
  let documents: any WebDocuments
  let settings: WebSettings
  let assets: WebAssets
  let gate: WebGate
  let hub: EventHub
  let book: ConnectionBook
  let requests = RequestLedger()

  init(_ settings: WebSettings, _ documents: any WebDocuments, _ book: ConnectionBook) throws(TLSError) {
    self.settings = settings
    self.documents = documents
    self.book = book
    assets = try WebAssets()
    gate = WebGate(settings) { Self.seconds }
    hub = EventHub(documents: documents, limit: settings.limits.streams)
  }

  /// Seconds of a clock that only goes forward.
  private static var seconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec)
  }

  var responder: WebResponder {
    WebResponder(gate: gate, routes: pageRoutes + apiRoutes + openRoutes) { await loginPage($0) }
  }

  static func html(_ text: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  static func json(_ answer: WebAnswer, status: HTTPResponse.Status = .ok) -> Response {
    var headers: HTTPFields = [.contentType: "application/json"]
    if let version = answer.version { headers[.eTag] = "\"\(version)\"" }
    return Response(
      status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: answer.text)))
  }
}
