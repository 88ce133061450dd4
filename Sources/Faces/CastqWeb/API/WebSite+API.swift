import CastProtocol
import CastqOperations
import CastqText
import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/v1`: the documents of the command line, and its commands.
extension WebSite {
  var apiRoutes: [WebRoute] { readingRoutes + changingRoutes + serviceRoutes }

  private func read(
    _ path: String, _ names: Set<String>,
    _ question: @escaping @Sendable (WebRequest) throws(Problem) -> WebQuestion
  ) -> WebRoute {
    WebRoute(
      "/api/v1/\(path)",
      [
        .get: (
          .look,
          { request in
            try Self.check(request.query, names)
            let answer = try await answer(try question(request), for: request)
            return Self.conditional(answer.bytes.map(Self.file) ?? Self.json(answer), request)
          }
        )
      ])
  }

  /// What is no JSON: the table of a report, which a browser keeps.
  private static func file(_ file: (type: String, bytes: [UInt8])) -> Response {
    Response(
      status: .ok, headers: [.contentType: file.type, .contentDisposition: "attachment"],
      body: .init(byteBuffer: ByteBuffer(bytes: file.bytes)))
  }

  private var readingRoutes: [WebRoute] {
    let period: Set = ["device", "since", "until", "tz"]
    return [
      read("devices/{device}/status", []) { .status($0.arguments[0], isLive: true) },
      read("statuses", []) { _ in .statuses(isLive: true) },
      read("history", period.union(["outcome", "limit"])) { .history($0.query) },
      read("report/{kind}", period.union(["by", "format"])) { .report($0.arguments[0], $0.query) },
      read("plan", ["device", "from", "to", "tz"]) { .plan($0.query) },
      WebRoute("/api/v1/why", [.get: (.look, { try await why($0) })]),
      read("schedule", []) { _ in .list(.rules) },
      read("library", ["kind", "q", "folder", "from", "count"]) { (request) throws(Problem) in
        .library(try request.library())
      },
      read("groups", []) { _ in .list(.groups) },
      read("dayparts", []) { _ in .list(.dayparts) },
      read("calendars", []) { _ in .list(.calendars) },
      read("shares", []) { _ in .list(.shares) },
      read("devices/{device}/doctor", []) { .doctor($0.arguments[0], isPaged: false) },
    ]
  }

  private var changingRoutes: [WebRoute] {
    [
      WebRoute(
        "/api/v1/devices",
        [
          .get: (
            .look,
            { request in
              try Self.check(request.query, ["scan"])
              let question = try request.flag("scan") ? WebQuestion.scan : .devices
              return Self.conditional(Self.json(try await answer(question, for: request)), request)
            }
          ), .post: (.edit, { try await addDevice($0) }),
        ]),
      WebRoute(
        "/api/v1/devices/{device}",
        [
          .get: (
            .look,
            { request in
              try Self.check(request.query, [])
              return Self.conditional(
                Self.json(
                  try await documents.answer(.device(request.arguments[0]), for: request.visitor.role)),
                request)
            }
          )
        ]),
      WebRoute(
        "/api/v1/devices/{device}/queue",
        [
          .get: (.look, { try await queue($0) }), .post: (.operate, { try await enqueue($0) }),
          .delete: (.operate, { try await removeAll($0) }),
        ]),
      WebRoute("/api/v1/devices/{device}/commands", [.post: (.operate, { try await command($0) })]),
      WebRoute("/api/v1/devices/{device}/queue/moves", [.post: (.operate, { try await move($0) })]),
      WebRoute("/api/v1/devices/{device}/queue/restore", [.post: (.operate, { try await restore($0) })]),
      WebRoute("/api/v1/devices/{device}/queue/{entry}", [.delete: (.operate, { try await remove($0) })]),
      WebRoute(
        "/api/v1/programmes",
        [
          .get: (.look, { try await programmes($0, .list(.programmes)) }),
          .post: (.edit, { try await makeProgramme($0) }),
        ]),
      WebRoute(
        "/api/v1/programmes/{name}",
        [
          .get: (.look, { try await programmes($0, .programme($0.arguments[0])) }),
          .delete: (.edit, { try await removeProgramme($0) }),
        ]),
      WebRoute("/api/v1/programmes/{name}/files", [.post: (.edit, { try await addToProgramme($0) })]),
      WebRoute("/api/v1/announcements", [.post: (.operate, { try await announce($0) })]),
      WebRoute("/api/v1/check", [.post: (.edit, { try await checkSources($0) })]),
      WebRoute(
        "/api/v1/schedule/rules/{name}",
        [
          .get: (
            .look,
            { request in
              Self.conditional(
                Self.json(try await documents.answer(.rule(request.arguments[0]), for: request.visitor.role)),
                request)
            }
          ),
          .put: (.edit, { try await putRule($0) }), .patch: (.edit, { try await changeRule($0) }),
          .delete: (.edit, { try await removeRule($0) }),
        ]),
      WebRoute("/api/v1/schedule/rules/{name}/exceptions", [.post: (.edit, { try await exception($0) })]),
      WebRoute("/api/v1/schedule/rules/{name}/preview", [.post: (.edit, { try await preview($0) })]),
    ]
  }

  private func programmes(_ request: WebRequest, _ question: WebQuestion) async throws -> Response {
    try Self.check(request.query, [])
    return Self.conditional(
      Self.json(try await documents.answer(question, for: request.visitor.role)), request)
  }

  private func daemon(_ question: WebQuestion, _ request: WebRequest) async throws -> Response {
    try Self.check(request.query, [])
    do throws(Failure) {
      return Self.json(try await documents.answer(question, for: request.visitor.role))
    } catch {
      var problem = Problem(error)
      // The fault is in what the daemon was given, and not in this server.
      if question == .startDaemon { problem.status = .conflict }
      throw problem
    }
  }

  private var serviceRoutes: [WebRoute] {
    [
      WebRoute(
        "/api/v1/daemon",
        [
          .get: (.look, { try await daemon(.daemon, $0) }),
          .post: (.operate, { try await daemon(.startDaemon, $0) }),
        ]),
      WebRoute("/api/v1/events", [.get: (.look, { try await events($0) })]),
      WebRoute("/api/v1/art/{digest}", [.get: (.look, { try await art($0) })]),
      WebRoute("/api/v1/openapi.json", [.get: (.look, { _ in openAPI() })]),
      WebRoute("/api/v1/healthz", isOpen: true, [.get: (.look, { _ in Self.text("ok\n") })]),
      WebRoute("/api/v1/readyz", isOpen: true, [.get: (.look, { _ in await ready() })]),
      WebRoute("/readyz", isOpen: true, [.get: (.look, { _ in await ready() })]),
      WebRoute("/api/v1/metrics", [.get: (.look, { _ in await metrics() })]),
      WebRoute("/metrics", [.get: (.look, { _ in await metrics() })]),
    ]
  }

  private func queue(_ request: WebRequest) async throws -> Response {
    try Self.check(request.query, ["since", "from", "count"])
    let question = WebQuestion.queue(
      request.arguments[0], since: try request.number("since", 0...(1 << 53)).map(Int64.init),
      from: try request.number("from", 0...10_000_000) ?? 0,
      count: try request.number("count", 1...1000) ?? 200)
    return Self.json(try await documents.answer(question, for: request.visitor.role))
  }

  private func why(_ request: WebRequest) async throws -> Response {
    try Self.check(request.query, ["device", "tz", "what"])
    let options = WebOptions(request.query.values.filter { $0.name != "what" })
    do throws(Failure) {
      return Self.json(
        try await documents.answer(.why(request.query["what"], options), for: request.visitor.role))
    } catch {
      var problem = Problem(error)
      // Nobody has named a device, so that none is missing: it has to be named.
      if error.exit == .deviceUnknown, request.query["device"] == nil { problem.status = .badRequest }
      throw problem
    }
  }

  /// Names of the query that nothing reads are mistakes: a filter that is misspelt would show too much.
  static func check(_ query: WebOptions, _ names: Set<String>) throws(Problem) {
    guard let unknown = query.values.first(where: { !names.contains($0.name) }) else { return }
    throw Problem(
      .badRequest, "usage",
      "`\(TerminalText.excerpt(unknown.name))` is not a parameter; there \(names.isEmpty ? "are none" : "are \(names.sorted().joined(separator: ", "))")",
      exit: .usage)
  }

  /// 304 when the browser has this version.
  private static func conditional(_ response: Response, _ request: WebRequest) -> Response {
    guard let tag = response.headers[.eTag], request.headers[.ifNoneMatch] == tag else { return response }
    return Response(status: .notModified, headers: [.eTag: tag])
  }

  // MARK: - The service

  private func openAPI() -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(string: APIDescription(routes: apiRoutes).json.text)))
  }

  /// Artwork that an entry or a play names, by the digest of its address.
  private func art(_ request: WebRequest) async throws -> Response {
    let width = try request.number("w", 16...2048)
    let answer = try await documents.answer(
      .art(request.arguments[0], width: width), for: request.visitor.role)
    guard let bytes = answer.bytes else { throw Problem.notFound }
    return Response(
      status: .ok,
      headers: [.contentType: bytes.type, .cacheControl: "private, max-age=86400"],
      body: .init(byteBuffer: ByteBuffer(bytes: bytes.bytes)))
  }
}

extension WebRequest {
  /// A part of the library.
  func library() throws(Problem) -> LibraryQuery {
    var wanted = LibraryQuery()
    if let text = query["kind"] {
      guard let kind = LibraryQuery.Kind(rawValue: text) else {
        let kinds = LibraryQuery.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(.badRequest, "usage", "`kind` is one of \(kinds)", exit: .usage)
      }
      wanted.kind = kind
    }
    wanted.words = query["q"] ?? ""
    wanted.folder = query["folder"] ?? ""
    wanted.from = try number("from", 0...10_000_000) ?? 0
    wanted.count = try number("count", 1...LibraryQuery.most) ?? LibraryQuery.page
    return wanted
  }

  /// A choice of the query; false without one.
  func flag(_ name: String) throws(Problem) -> Bool {
    switch query[name] {
    case nil, "false"?: return false
    case "true"?: return true
    default: throw Problem(.badRequest, "usage", "`\(name)` is true or false", exit: .usage)
    }
  }

  /// A number of the query; nil without one.
  func number(_ name: String, _ range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw Problem(
        .badRequest, "usage",
        "`\(name)` is a number from \(range.lowerBound) to \(range.upperBound)", exit: .usage)
    }
    return number
  }
}
