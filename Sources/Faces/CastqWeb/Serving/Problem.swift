import CastProtocol
import CastqText
import HTTPTypes
import Hummingbird
import NIOCore

/// An error as RFC 9457 writes it, with the code of the command line.
struct Problem: Error {
  var status: HTTPResponse.Status
  var code: String
  var detail: String
  /// The exit code of the command line; nil where no command is its counterpart.
  var exit: ExitStatus?
  /// The receiver's own words.
  var receiver: JSONValue?
  /// More members, such as the present rows.
  var members: [String: JSONValue] = [:]
  var headers = HTTPFields()

  init(_ status: HTTPResponse.Status, _ code: String, _ detail: String, exit: ExitStatus? = nil) {
    self.status = status
    self.code = code
    self.detail = detail
    self.exit = exit
  }

  init(_ failure: Failure) {
    self.init(Self.status(of: failure), failure.code, failure.paged.message, exit: failure.exit)
    receiver = failure.receiver
    if status == .serviceUnavailable { headers[.retryAfter] = "1" }
  }

  static func tooLarge(_ limit: Int) -> Problem {
    Problem(.contentTooLarge, "too_large", "the body is larger than \(limit) bytes")
  }

  static let notFound = Problem(.notFound, "not_found", "there is nothing at this address")

  var json: JSONValue {
    var all = members
    all["type"] = .string("urn:castq:problem:\(code)")
    all["title"] = .string(status.reasonPhrase)
    all["status"] = .integer(Int64(status.code))
    all["detail"] = .string(TerminalText.sanitized(AddressText.withoutSecrets(detail)))
    all["code"] = .string(code)
    all["exit"] = exit.map { .integer(Int64($0.rawValue)) } ?? .null
    all["receiver"] = receiver ?? .null
    return .object(all)
  }

  var response: Response {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: json.text)))
  }

  private static func status(of failure: Failure) -> HTTPResponse.Status {
    if let status = statuses[failure.code] { return status }
    switch failure.exit {
    case .done: return .ok
    case .no: return .conflict
    case .usage: return .badRequest
    case .badData, .inputMissing: return .unprocessableContent
    case .deviceUnknown: return .notFound
    case .notPermitted: return .forbidden
    case .tryAgain: return .serviceUnavailable
    case .refused: return .badGateway
    case .unreachable, .timeout: return .gatewayTimeout
    case .bug, .cannotCreate, .inputOutput, .configuration, .interrupted, .terminated:
      return .internalServerError
    }
  }

  /// Codes that say more than their exit codes.
  private static let statuses: [String: HTTPResponse.Status] = [
    "entry_unknown": .notFound, "unknown_play": .notFound, "unknown": .notFound, "unknown_group": .notFound,
    "art_unknown": .notFound, "stale": .conflict, "taken": .conflict, "in_use": .conflict, "busy": .conflict,
    // Also a list that its server does not give, which is 74 for a person.
    "bad_playlist": .unprocessableContent,
  ]
}
