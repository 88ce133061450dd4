import CastqOperations
import CastqText
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Answers every request: lets it in, finds its route, and adds what every answer carries.
struct WebResponder: HTTPResponder {
  let gate: WebGate
  let routes: [WebRoute]
  /// A problem as a page, for browsers.
  let page: @Sendable (WebRequest, Problem) async -> Response

  func respond(to request: Request, context: WebContext) async throws -> Response {
    var response = await answer(request, context)
    await PackedAnswer.pack(&response, for: request)
    if request.method == .head {
      let length = response.headers[.contentLength]
      response.body = .init()
      response.headers[.contentLength] = length
    }
    WebHeaders.add(to: &response.headers)
    return response
  }

  private func answer(_ request: Request, _ context: WebContext) async -> Response {
    let path = request.head.path ?? ""
    let halves = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard path.hasPrefix("/"), path.utf8.count <= 8192, let plain = halves.first else {
      return Problem(.badRequest, "path", "the address is not valid").response
    }
    do throws(Problem) {
      guard let query = FormText.options(halves.count > 1 ? halves[1] : "") else {
        throw Problem(.badRequest, "query", "the query of the address is not valid")
      }
      let parts = WebRoute.parts(plain)
      for route in routes {
        guard let arguments = route.arguments(parts) else { continue }
        return try await answer(
          request, context, path: String(plain), query: query, route: route, arguments: arguments)
      }
      // Strangers learn nothing of what there is.
      _ = try gate.visitor(request, peer: context.peer)
      throw Problem.notFound
    } catch {
      guard isPage(request, plain, error) else { return error.response }
      let query = halves.count > 1 ? FormText.options(halves[1]) : nil
      return await page(request, String(plain), query ?? WebOptions(), error)
    }
  }

  private func answer(
    _ request: Request, _ context: WebContext, path: String, query: WebOptions, route: WebRoute,
    arguments: [String]
  ) async throws(Problem) -> Response {
    let host = try gate.checkHost(request)
    let method = request.method == .head ? .get : request.method
    guard let (role, handler) = route.handlers[method] else {
      var problem = Problem(.methodNotAllowed, "method", "this address takes \(route.methods)")
      problem.headers[.allow] = route.methods
      throw problem
    }
    try gate.checkOrigin(request, host: host)
    let visitor =
      route.isOpen ? WebVisitor(role: .look) : try gate.visitor(request, peer: context.peer)
    guard visitor.role >= role || route.isOpen else {
      throw Problem(
        .forbidden, "role", "this needs the role \(role.rawValue), and the token has \(visitor.role.rawValue)"
      )
    }
    let asked = WebRequest(
      method: method, path: path, arguments: arguments, query: query,
      headers: PackedAnswer.plainTags(request.headers), host: host, peer: context.peer, body: request.body,
      visitor: visitor)
    do {
      return try await handler(asked)
    } catch let problem as Problem {
      throw problem
    } catch let failure as Failure {
      throw Problem(failure)
    } catch {
      throw Problem(.internalServerError, "bug", "the page failed: an error of the type \(type(of: error))")
    }
  }

  /// Whether a browser asks for a page, and needs a token first or has come to where there is none.
  private func isPage(_ request: Request, _ path: Substring, _ problem: Problem) -> Bool {
    guard request.method == .get, request.headers[.accept]?.contains("text/html") == true else {
      return false
    }
    return problem.status == .unauthorized
      || problem.code == Problem.notFound.code && !path.hasPrefix("/api/")
  }

  private func page(
    _ request: Request, _ path: String, _ query: WebOptions, _ problem: Problem
  ) async -> Response {
    let asked = WebRequest(
      method: .get, path: path, query: query, headers: request.headers, host: "", body: request.body,
      visitor: WebVisitor(role: .look))
    var response = await page(asked, problem)
    response.status = problem.status
    if problem.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
    return response
  }
}

/// What every answer carries.
enum WebHeaders {
  /// No script but ours, no frame, no foreign address.
  static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; \
    worker-src 'self'; form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'; frame-ancestors 'none'
    """

  static func add(to headers: inout HTTPFields) {
    headers[.contentSecurityPolicy] = policy
    headers[.xContentTypeOptions] = "nosniff"
    if let name = HTTPField.Name("X-Frame-Options") { headers[name] = "DENY" }
    if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "same-origin" }
    if let name = HTTPField.Name("Cross-Origin-Opener-Policy") { headers[name] = "same-origin" }
    if let name = HTTPField.Name("Cross-Origin-Resource-Policy") { headers[name] = "same-origin" }
    if let name = HTTPField.Name("Permissions-Policy") {
      headers[name] = "camera=(), microphone=(), geolocation=()"
    }
    if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
  }
}
