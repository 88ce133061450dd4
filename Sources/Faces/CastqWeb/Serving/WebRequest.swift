import CastProtocol
import CastqOperations
import CastqText
import HTTPTypes
import Hummingbird
import NIOCore

/// A request that has been let in.
struct WebRequest: Sendable {
  let method: HTTPRequest.Method
  /// The path without the query, as it was sent.
  let path: String
  /// What stands for the variable parts of the route, decoded, in their order.
  var arguments: [String] = []
  var query: WebOptions
  let headers: HTTPFields
  /// The name under which it was asked.
  let host: String
  /// The address that it came from.
  var peer: String?
  let body: RequestBody
  var visitor: WebVisitor

  /// The whole body.
  /// - Throws: `Problem` 413 when it is too large.
  func bytes(limit: Int) async throws(Problem) -> [UInt8] {
    if let length = headers[.contentLength].flatMap(Int.init), length > limit {
      throw Problem.tooLarge(limit)
    }
    var bytes: [UInt8] = []
    do {
      for try await piece in body {
        bytes += piece.readableBytesView
        if bytes.count > limit { throw Problem.tooLarge(limit) }
      }
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem(.badRequest, "body", "the body of the request did not arrive as a whole")
    }
    return bytes
  }

  /// The body as a JSON object.
  func object(limit: Int) async throws(Problem) -> JSONValue {
    let type = headers[.contentType]?.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } }
    guard type == "application/json" else {
      throw Problem(
        .unsupportedMediaType, "media_type", "send the body as application/json")
    }
    let bytes = try await bytes(limit: limit)
    // What is no text would become a title with signs for what could not be read.
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Problem(.badRequest, "json", "the body is not valid UTF-8")
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: bytes, allowsHalves: false) } catch {
      throw Problem(
        .badRequest, "json", "the body is not valid JSON: \(error.reason) at byte \(error.offset)")
    }
    guard value.object != nil else {
      throw Problem(.unprocessableContent, "usage", "the body is not a JSON object", exit: .usage)
    }
    return value
  }
}

/// Who asks.
struct WebVisitor: Sendable {
  var role: WebRole
  /// Nil on loopback, where none is asked for.
  var token: WebToken?
}
