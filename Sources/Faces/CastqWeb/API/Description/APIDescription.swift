import CastProtocol
import CastqOperations
import HTTPTypes

/// The description of the API, made of its routes: what OpenAPI 3.1 calls a document.
struct APIDescription {
  let routes: [WebRoute]

  /// The problems that any request may meet, and those of requests that change something.
  private static let problems: [(status: Int, isChange: Bool, words: String)] = [
    (400, false, "The request is not valid."), (401, false, "A token is needed, or this one is not valid."),
    (403, false, "The role is too small, or the Host or Origin is another one."),
    (404, false, "There is no such thing."), (405, false, "Another method."),
    (409, false, "It was changed meanwhile, or the answer is no."),
    (412, true, "The rule has another revision."), (413, true, "The body is too large."),
    (415, true, "Another media type."), (422, false, "The document means nothing."),
    (428, true, "If-Match is missing."), (429, false, "Too many wrong tokens."),
    (500, false, "A fault in castq."), (502, true, "The receiver refused."),
    (503, false, "Not now; try again."), (504, false, "The device does not answer."),
  ]

  /// Where the routes of the API begin.
  private static let base = ["api", "v1"]

  var json: JSONValue {
    var paths: [String: JSONValue] = [:]
    for route in routes where route.parts.prefix(2).elementsEqual(Self.base) {
      let path = "/" + route.names.dropFirst(2).joined(separator: "/")
      var methods: [String: JSONValue] = [:]
      for (method, one) in route.handlers {
        guard let operation = APIOperation.all["\(method.rawValue) \(path)"] else { continue }
        methods[method.rawValue.lowercased()] = Self.json(
          operation, route, isChange: method != .get, role: route.isOpen ? nil : one.role.rawValue)
      }
      paths[path] = .object(methods)
    }
    return [
      "openapi": "3.1.0", "security": [["token": []], ["cookie": []], [:]], "paths": .object(paths),
      "info": [
        "title": "castq", "version": "1",
        "description":
          "The documents and commands of the castq command line. Problems are RFC 9457 with the command line's codes.",
      ],
      "servers": [["url": "/api/v1"]], "components": Self.components,
    ]
  }

  private static func json(
    _ operation: APIOperation, _ route: WebRoute, isChange: Bool, role: String?
  ) -> JSONValue {
    let parts = route.names.filter { $0.hasPrefix("{") }
    let parameters = parts.map { APIOperation.Parameter(part: String($0.dropFirst().dropLast())) }
    var responses: [String: JSONValue] = [:]
    for problem in problems where isChange || !problem.isChange {
      responses["\(problem.status)"] = ["$ref": .string("#/components/responses/problem\(problem.status)")]
    }
    for answer in operation.answers { responses["\(answer.status)"] = answer.json }
    var members: [String: JSONValue] = [
      "summary": .string(operation.summary), "responses": .object(responses),
      "parameters": .array((parameters + operation.parameters).map(\.json)),
    ]
    // Who may: a token of this role, or of one that may more.
    members["x-role"] = role.map { .string($0) }
    if let body = operation.body {
      members["requestBody"] = [
        "required": true, "content": ["application/json": ["schema": body.json]],
      ]
    }
    return .object(members)
  }

  private static let components: JSONValue = [
    "schemas": .object(
      Dictionary(APISchema.allCases.map { ($0.rawValue, $0.shape.json) }) { $1 }),
    "securitySchemes": [
      "token": ["type": "http", "scheme": "bearer"],
      "cookie": ["type": "apiKey", "in": "cookie", "name": "castq"],
    ],
    "responses": .object(
      Dictionary(
        problems.map { problem in
          (
            "problem\(problem.status)",
            [
              "description": .string(problem.words),
              "content": ["application/problem+json": ["schema": Schema.of(.problem).json]],
            ]
          )
        }
      ) { $1 }),
  ]
}
