import CastProtocol
import CastqOperations
import CastqStore
import CastqText
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// `GET /api/v1/events`: server-sent events.
extension WebSite {
  private static let topics: Set = ["status", "queue", "plan", "history", "health"]

  func events(_ request: WebRequest) async throws -> Response {
    try Self.check(request.query, ["topics", "device", "last_event_id"])
    let named = request.query.all("topics").flatMap { $0.split(separator: ",").map(String.init) }
    let topics = named.isEmpty ? Self.topics : Set(named)
    if let unknown = topics.subtracting(Self.topics).sorted().first {
      throw Problem(
        .badRequest, "usage",
        "there is no topic \(TerminalText.excerpt(unknown)); "
          + "there are \(Self.topics.sorted().joined(separator: ", "))")
    }
    var devices: Set<String> = []
    for name in request.query.all("device") {
      // A device that nobody has is told at once; the beginning of a name means the device that it begins.
      let known = try await documents.device(name, for: request.visitor.role)
      devices.formUnion([name, known.label])
    }
    let reader = EventReader(
      topics: topics, devices: devices.isEmpty ? nil : devices, visitor: request.visitor)
    let given = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
    guard let (number, id) = await hub.join(reader, after: given ?? request.query["last_event_id"]) else {
      var problem = Problem(.serviceUnavailable, "too_many_streams", "too many event streams are open")
      problem.headers[.retryAfter] = "5"
      throw problem
    }
    let hello: JSONValue = [
      "boot": .string(hub.boot), "at": .string(RFC3339.text(now)), "version": .string(settings.version),
      "role": .string(request.visitor.role.rawValue),
    ]
    let first = "retry: 1000\nid: \(id)\nevent: hello\ndata: \(hello.text)\n\n"
    let (body, visitor) = (request.body, request.visitor)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { [hub, gate] writer in
        do {
          try await writer.write(ByteBuffer(string: first))
          // A browser that goes away is noticed at once and not at the next event.
          try await body.consumeWithCancellationOnInboundClose { _ in
            while let text = await hub.next(number) {
              // Whoever reads everything again is asked for a token.
              let isAdmitted = gate.admits(visitor)
              try await writer.write(ByteBuffer(string: isAdmitted ? text : EventHub.reset))
              guard isAdmitted else { break }
            }
            try await writer.finish(nil)
          }
        } catch {
          // The reader is gone.
        }
        await hub.leave(number)
      })
  }
}
