import CastProtocol
import CastqFeeding
import CastqOperations
import CastqText
import HTTPTypes
import Hummingbird
import NIOCore

/// The pages and their files.
extension WebSite {
  var pageRoutes: [WebRoute] {
    func page(_ path: String, _ page: @escaping @Sendable ([String]) -> WebPage) -> WebRoute {
      WebRoute(path, [.get: (.look, { request in await self.page(page(request.arguments), request) })])
    }
    // Where a page was before: bookmarks lead on.
    func moved(_ path: String, to place: String) -> WebRoute {
      WebRoute(
        path,
        [
          .get: (
            .look,
            { request in
              Response(
                status: .permanentRedirect,
                headers: [.location: PageAddress.text(place, request.query.values)])
            }
          )
        ])
    }
    return [
      page("/") { _ in .screens },
      page("/d/{}") { .device($0.first ?? "") },
      page("/schedule") { _ in .schedule },
      page("/library") { _ in .library },
      page("/history") { _ in .history },
      page("/reports") { _ in .reports },
      moved("/programmes", to: "/library"),
      moved("/report", to: "/reports"),
      WebRoute("/reports/table", [.get: (.look, { try await paperTable($0) })]),
      WebRoute("/reports/proof", [.post: (.edit, { try await signedProof($0) })]),
      WebRoute(
        "/doctor",
        [
          .get: (.look, { await self.page(.doctor, $0) }), .post: (.look, { try await self.examine($0) }),
        ]),
      page("/settings") { _ in .settings },
      WebRoute(
        "/settings/people",
        [
          .get: (.look, { _ in Response(status: .seeOther, headers: [.location: "/settings"]) }),
          .post: (.edit, { try await self.people($0) }),
        ]),
      WebRoute("/schedule/answer", [.get: (.look, { await self.answerCard($0) })]),
      WebRoute("/schedule/preview", [.post: (.edit, { try await self.previewRule($0) })]),
      WebRoute("/do", [.post: (.look, { try await self.perform($0) })]),
      WebRoute("/logout", [.post: (.look, { _ in Self.cookie("", to: "/", secure: false) })]),
    ]
  }

  /// What strangers get: the login, and the files that its page loads.
  var openRoutes: [WebRoute] {
    [
      WebRoute("/assets/{}/{}", isOpen: true, [.get: (.look, { try asset($0) })]),
      WebRoute(
        "/manifest.webmanifest", isOpen: true, [.get: (.look, { try file("manifest.webmanifest", $0) })]),
      WebRoute("/favicon.ico", isOpen: true, [.get: (.look, { try file("icon.svg", $0) })]),
      WebRoute(
        "/login", isOpen: true,
        [
          .get: (
            .look,
            { request in
              gate.isLoggedIn(request)
                ? Response(status: .seeOther, headers: [.location: "/"]) : await loginPage(request)
            }
          ), .post: (.look, { try await login($0) }),
        ]),
      WebRoute("/healthz", isOpen: true, [.get: (.look, { _ in Self.text("ok\n") })]),
    ]
  }

  static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  private func asset(_ request: WebRequest) throws(Problem) -> Response {
    guard request.arguments.count == 2,
      let file = assets.file(digest: request.arguments[0], name: request.arguments[1])
    else { throw Problem.notFound }
    // The path has the digest of what is behind it.
    return response(file, request, caching: "public, max-age=31536000, immutable")
  }

  private func file(_ name: String, _ request: WebRequest) throws(Problem) -> Response {
    guard let file = assets.file(digest: assets.digest, name: name) else { throw Problem.notFound }
    return response(file, request, caching: "public, max-age=300")
  }

  private func response(_ file: WebAssets.File, _ request: WebRequest, caching: String) -> Response {
    var headers: HTTPFields = [.contentType: file.type, .cacheControl: caching]
    let packed = PackedAnswer.isRead(request.headers) ? file.packed : nil
    if packed != nil {
      headers[.contentEncoding] = "gzip"
      headers[.vary] = "Accept-Encoding"
    }
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: packed ?? file.bytes))
  }

  // MARK: - Pages

  /// - Parameter more: questions besides those that the address asks.
  /// - Parameter change: what a form has made of it.
  func page(
    _ page: WebPage, _ request: WebRequest, _ more: [String: WebQuestion] = [:],
    _ change: (inout PageContext) -> Void = { _ in }
  ) async -> Response {
    var context = context(page, request)
    var questions = Self.questions(
      page, request.query, today: context.today, mayCheck: request.visitor.role >= .edit)
    // The screen that was chosen stands beside the wall.
    if page == .screens,
      let chosen = request.headers.cookie(Self.chosenCookie).flatMap({ FormText.decoded($0) })
    {
      context.chosen = chosen
      questions.merge(Self.questions(of: chosen, request.query)) { $1 }
    }
    if page == .schedule { questions["plan"] = .plan(ScheduleRange(context: context).plan) }
    await withTaskGroup(of: PageAnswer.self) { group in
      for (name, question) in questions.merging(more, uniquingKeysWith: { $1 }) {
        group.addTask { await answer(name, question, request) }
      }
      for await answer in group {
        switch answer.result {
        case .success(let document): context.documents[answer.name] = document.json
        case .failure(let failure): context.failures[answer.name] = failure
        }
      }
    }
    // Events name a device by its label, whichever of its names the address has.
    if case .device = page, let label = context["status"]?["device"]?.string { context.page = .device(label) }
    if page == .screens {
      if context.failures["device"] != nil { context.chosen = nil }
      for name in ["device", "status", "queue"] { context.failures[name] = nil }
    }
    if page == .settings, context.role == .edit {
      note(gate.tokens, in: &context)
      // As this visitor found it, where it has no name.
      context.publicAddress =
        PageReach(
          host: settings.host, port: settings.port, isSecure: settings.certificate != nil,
          name: settings.hosts.first, asked: request.host
        ).words
    }
    change(&context)
    var response = Self.html(Pages.html(context))
    if case .device = page, context.failures["device"]?.exit == .deviceUnknown { response.status = .notFound }
    return response
  }

  /// The answer about one moment alone, for a script that puts it into its place. The rest of the query is that of the page.
  private func answerCard(_ request: WebRequest) async -> Response {
    var context = context(.schedule, request)
    context.path = "/schedule"
    var options: [WebOptions.Value] = request.query["tz"].map { [.init("tz", $0)] } ?? []
    if let screen = request.query["screen"], !screen.isEmpty { options.append(.init("device", screen)) }
    let what = request.query["what"].flatMap { $0.isEmpty ? nil : $0 }
    for (name, question) in [("devices", WebQuestion.devices), ("why", .why(what, WebOptions(options)))] {
      switch await answer(name, question, request).result {
      case .success(let document): context.documents[name] = document.json
      case .failure(let failure): context.failures[name] = failure
      }
    }
    context.query.values.removeAll { ["screen", "what"].contains($0.name) }
    return Self.html(
      HTML.document(
        language: "en", head: .none, body: .element("body", [], [SchedulePage(context: context).answer])))
  }

  /// Examines the way to a screen. It takes up to 15 s and connects to the screen, so only a form of this page begins it: an address
  /// may be opened by the page of another site.
  private func examine(_ request: WebRequest) async throws(Problem) -> Response {
    let form = try await form(request)
    let device = form["device"].flatMap { $0.isEmpty ? nil : $0 }
    var shown = request
    shown.query = WebOptions(device.map { [.init("device", $0)] } ?? [])
    return await page(.doctor, shown, ["doctor": .doctor(device, isPaged: true)])
  }

  /// Who may come from elsewhere. What names a token is no secret; the tokens themselves are nowhere.
  private func note(_ tokens: TokenBook, in context: inout PageContext) {
    do throws(TokenBook.Problem) {
      context.documents["tokens"] = .array(
        try tokens.all().map {
          [
            "name": .string($0.name), "role": .string($0.role.rawValue), "made_at": .string($0.madeAt),
          ]
        })
    } catch {
      context.failures["tokens"] = Failure("tokens", error.message, exit: .configuration)
    }
  }

  /// A document of a page by its name.
  ///
  /// Not a tuple that the closure of a task makes: Swift 6.3.1 with optimisation builds such a tuple wrongly where a typed error is
  /// caught in the closure, and the shipped page ended with its first request.
  private struct PageAnswer: Sendable {
    let name: String
    let result: Result<WebDocument, Failure>
  }

  private func answer(_ name: String, _ question: WebQuestion, _ request: WebRequest) async -> PageAnswer {
    do throws(Failure) {
      return PageAnswer(name: name, result: .success(try await answer(question, for: request)))
    } catch {
      return PageAnswer(name: name, result: .failure(error))
    }
  }

  func context(_ page: WebPage, _ request: WebRequest) -> PageContext {
    let assets = assets
    let own = settings.zones(settings.zoneName).map { (settings.zoneName, $0) } ?? ("UTC", TimeZoneRules())
    let wanted = request.query["tz"].flatMap { name in settings.zones(name).map { (name, $0) } }
    let (zoneName, zone) = wanted ?? own
    return PageContext(
      page: page, path: request.path, query: request.query, role: request.visitor.role,
      hasToken: request.visitor.token != nil, notice: request.query["notice"].flatMap(notices.notice),
      now: now,
      zoneName: zoneName, zone: zone, face: settings.face
    ) { assets.path($0) }
  }

  /// The documents of a page by name. What is slow is asked by the page's script.
  private static func questions(
    _ page: WebPage, _ query: WebOptions, today: LocalDate, mayCheck: Bool
  ) -> [String: WebQuestion] {
    func options(_ names: String...) -> WebOptions {
      WebOptions(query.values.filter { names.contains($0.name) && !$0.value.isEmpty })
    }
    func number(_ name: String, _ usual: Int, _ most: Int) -> Int {
      query[name].flatMap(Int.init).map { min(max($0, 0), most) } ?? usual
    }
    var all: [String: WebQuestion] = ["devices": .devices, "daemon": .daemon]
    switch page {
    case .screens, .device:
      all["statuses"] = .statuses(isLive: false)
      all["groups"] = .list(.groups)
      all["programmes"] = .list(.programmes)
      guard case .device(let name) = page else { break }
      all.merge(Self.questions(of: name, query)) { $1 }
      let device = WebOptions.Value("device", name)
      switch query["tab"] {
      case "history": all["history"] = .history(WebOptions([device, .init("limit", "100")]))
      case "plan": all["plan"] = .plan(WebOptions([device] + options("from", "to", "tz").values))
      default: break
      }
    case .schedule:
      all["statuses"] = .statuses(isLive: false)
      for list in ScheduleList.allCases { all[list.rawValue] = .list(list) }
      if let at = query["why"], !at.isEmpty { all["why"] = .why(at, options("device", "tz")) }
    case .library:
      if let wanted = LibraryQuery(query) { all["library"] = .library(wanted) }
      all["programmes"] = .programmeShelf
      if let source = query["check"], !source.isEmpty, mayCheck { all["check"] = .check([source]) }
    case .history:
      all["history"] = .history(HistoryQuery(query, today: today).options)
      all["groups"] = .list(.groups)
    case .reports:
      let asked = PaperQuery(query, today: today)
      all["paper"] = .paper(asked.paper, asked.options)
      all["groups"] = .list(.groups)
    case .doctor, .settings: break
    case .login, .lost: all = [:]
    }
    return all
  }

  /// What stands beside the wall.
  private static func questions(of device: String, _ query: WebOptions) -> [String: WebQuestion] {
    let first = query["from"].flatMap(Int.init).map { min(max($0, 0), 1_000_000) } ?? 0
    return [
      "device": .device(device), "status": .status(device, isLive: false),
      "queue": .queue(device, since: nil, from: first, count: QueueList.page),
    ]
  }

  /// The name of the cookie that holds the label of the screen that was chosen last: it is no secret.
  private static let chosenCookie = "castq-screen"

  // MARK: - Logging in

  func loginPage(_ request: WebRequest) async -> Response {
    var context = context(.login, request)
    context.back = Self.local(PageAddress.text(request.path, request.query.values))
    return Self.html(Pages.html(context))
  }

  /// A problem as a page, for a browser: its button back is not the only way on.
  func lostPage(_ request: WebRequest, _ problem: Problem) -> Response {
    var context = context(.lost, request)
    context.failures["page"] = Failure(problem.code, problem.detail, exit: problem.exit ?? .no)
    return Self.html(Pages.html(context))
  }

  private func login(_ request: WebRequest) async throws -> Response {
    let form = try await form(request)
    guard let token = form["token"], !token.isEmpty else {
      throw Problem(.badRequest, "token", "the form has no token")
    }
    do throws(Problem) { _ = try gate.visitor(token: token, peer: request.peer) } catch {
      guard error.status == .unauthorized else { throw error }
      var context = context(.login, request)
      context.back = Self.local(form["back"])
      context.failures["login"] = Failure("token", error.detail, exit: .notPermitted)
      var response = Self.html(Pages.html(context))
      response.status = .unauthorized
      return response
    }
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") }) else {
      throw Problem(.badRequest, "token", "the token is not valid")
    }
    return Self.cookie(token, to: Self.local(form["back"]), secure: settings.certificate != nil)
  }

  private static func cookie(_ token: String, to path: String, secure: Bool) -> Response {
    let age = token.isEmpty ? 0 : 31_536_000
    let text =
      "\(WebGate.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(age)\(secure ? "; Secure" : "")"
    return Response(status: .seeOther, headers: [.location: path, .setCookie: text])
  }

  /// A path of this server, where more than the login is; the first page for anything else.
  static func local(_ path: String?) -> String {
    guard let path, path.hasPrefix("/"), !path.hasPrefix("//"), !path.hasPrefix("/\\"),
      path.prefix(while: { $0 != "?" }) != "/login",
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return path
  }

  /// The fields of a form.
  func form(_ request: WebRequest) async throws(Problem) -> WebOptions {
    let type = request.headers[.contentType]?.split(separator: ";").first?.lowercased()
    guard type == "application/x-www-form-urlencoded" else {
      throw Problem(.unsupportedMediaType, "media_type", "send a form as application/x-www-form-urlencoded")
    }
    let bytes = try await request.bytes(limit: 64 << 10)
    guard let text = String(validating: bytes, as: UTF8.self), let form = FormText.options(text) else {
      throw Problem(.badRequest, "form", "the form is not valid")
    }
    return form
  }
}
