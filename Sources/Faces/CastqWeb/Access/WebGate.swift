import CastGuard
import CastqOperations
import HTTPTypes
import Hummingbird
import Logging

/// Who gets in, and as what: the name that was asked for, the page that asks, and the token.
struct WebGate: Sendable {
  let alwaysAsksForToken: Bool
  let hosts: AskedHosts
  let tokens: TokenBook
  let wrongTokens: WrongTokens

  init(_ settings: WebSettings, logger: Logger, now: @escaping @Sendable () -> Int64) {
    alwaysAsksForToken = settings.alwaysAsksForToken
    hosts = AskedHosts(listeningAt: settings.host, names: Array(settings.hosts))
    tokens = TokenBook(path: settings.tokenFile) { logger.warning("\($0)") }
    wrongTokens = WrongTokens(limit: settings.limits.wrongTokens, now: now)
  }

  /// A name that somebody else controls may lead here (DNS rebinding): only known names and bare addresses are answered.
  /// - Returns: the host with its port as it was asked.
  func checkHost(_ request: Request) throws(Problem) -> String {
    guard let text = request.head.authority, request.headers[HTTPField.Name.hostField] == nil,
      let (host, _) = HostName.split(text)
    else { throw Problem(.badRequest, "host", "the request names no single valid host") }
    guard hosts.admits(host) else {
      throw Problem(
        .forbidden, "host",
        "this server is not asked as \(host): name it under web: hosts: in the configuration")
    }
    return text.lowercased()
  }

  /// Pages of other sites may make a browser send requests; they change and read nothing.
  func checkOrigin(_ request: Request, host: String) throws(Problem) {
    let isSafe = [.get, .head, .options].contains(request.method)
    let site = request.headers[HTTPField.Name.fetchSite]
    let isNavigation = request.headers[HTTPField.Name.fetchMode] == "navigate"
    let isOfAPI = (request.head.path ?? "").hasPrefix("/api/")
    if let site, site != "same-origin", site != "none" {
      // A link that leads here is followed; nothing of ours is part of another page.
      guard isSafe, isNavigation, !isOfAPI else { throw Self.foreign }
    }
    guard let origin = request.headers[.origin] else { return }
    if isSafe, !isOfAPI { return }
    guard let scheme = origin.firstRange(of: "://"),
      ["http", "https"].contains(origin[..<scheme.lowerBound]),
      origin[scheme.upperBound...].lowercased() == host
    else { throw Self.foreign }
  }

  private static let foreign = Problem(
    .forbidden, "origin", "the request comes from a page of another site")

  /// Who asks.
  func visitor(_ request: Request, peer: String?) throws(Problem) -> WebVisitor {
    // A cookie of another server on this computer says nothing: browsers keep one for all ports.
    if isFree(request), request.headers[.authorization] == nil { return WebVisitor(role: .edit) }
    guard let token = Self.token(request.headers) else {
      throw unauthorized("a token is needed: ask the person who runs castq for one")
    }
    return try visitor(token: token, peer: peer)
  }

  /// Whose token it is.
  func visitor(token: String, peer: String?) throws(Problem) -> WebVisitor {
    if let known = tokens.holder(of: token) { return WebVisitor(role: known.role, token: known) }
    guard wrongTokens.note(from: peer ?? "?") else {
      var problem = Problem(.tooManyRequests, "too_many_tokens", "too many wrong tokens from this address")
      problem.headers[.retryAfter] = "60"
      throw problem
    }
    throw unauthorized("the token is not valid")
  }

  /// Whether somebody who was let in would be let in now.
  func admits(_ visitor: WebVisitor) -> Bool { visitor.token.map(tokens.has) ?? true }

  /// Whether a request has a token that is valid. One that is not is no guess here.
  func isLoggedIn(_ request: WebRequest) -> Bool {
    Self.token(request.headers).flatMap(tokens.holder) != nil
  }

  /// Whether no token is asked for: on loopback, for somebody who came without a proxy.
  func isFree(_ request: Request) -> Bool {
    guard hosts.isLoopback, !alwaysAsksForToken,
      let host = request.head.authority.flatMap(HostName.split)?.host,
      HostName.isLoopback(host)
    else { return false }
    return HTTPField.Name.forwarding.allSatisfy { request.headers[$0] == nil }
  }

  private func unauthorized(_ detail: String) -> Problem {
    var problem = Problem(.unauthorized, "token", detail)
    problem.headers[.wwwAuthenticate] = "Bearer"
    return problem
  }

  /// The name of the cookie that holds a token.
  static let cookie = "castq"

  private static func token(_ headers: HTTPFields) -> String? {
    if let field = headers[.authorization] {
      let words = field.split(separator: " ")
      return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : ""
    }
    return headers.cookie(cookie)
  }
}

extension HTTPFields {
  /// What a browser keeps under a name; nil without it.
  func cookie(_ name: String) -> String? {
    for field in self[values: .cookie] {
      for pair in field.split(separator: ";") {
        let halves = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
        if halves.count == 2, halves[0] == name { return String(halves[1]) }
      }
    }
    return nil
  }
}

extension HTTPField.Name {
  private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .origin }
  static let hostField = known("Host")
  static let fetchSite = known("Sec-Fetch-Site")
  static let fetchMode = known("Sec-Fetch-Mode")
  /// What a reverse proxy adds.
  static let forwarding = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"].map(known)
}
