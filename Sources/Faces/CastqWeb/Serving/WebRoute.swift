import CastqOperations
import HTTPTypes
import Hummingbird

/// What answers a path.
struct WebRoute: Sendable {
  typealias Handler = @Sendable (WebRequest) async throws -> Response

  /// The parts of the path as they are described, such as `{device}` for any one part.
  let names: [String]
  /// The parts of the path; nil stands for any one part.
  let parts: [String?]
  /// By method. `HEAD` is answered as `GET` without the body.
  let handlers: [HTTPRequest.Method: (role: WebRole, handler: Handler)]
  /// Whether strangers get it: the login, and the files that its page loads.
  let isOpen: Bool

  /// - Parameter path: such as `/api/v1/devices/{device}/queue`.
  init(_ path: String, isOpen: Bool = false, _ handlers: [HTTPRequest.Method: (WebRole, Handler)]) {
    self.isOpen = isOpen
    names = Self.parts(path).map { String($0) }
    parts = names.map { $0.hasPrefix("{") ? nil : $0 }
    self.handlers = handlers.mapValues { ($0.0, $0.1) }
  }

  /// For `Allow`.
  var methods: String {
    var names = handlers.keys.map(\.rawValue)
    if handlers[.get] != nil { names.append("HEAD") }
    return names.sorted().joined(separator: ", ")
  }

  static func parts(_ path: some StringProtocol) -> [Substring] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// The variable parts of a path; nil when the route is for another one.
  func arguments(_ path: [Substring]) -> [String]? {
    guard path.count == parts.count else { return nil }
    var arguments: [String] = []
    for (given, wanted) in zip(path, parts) {
      if let wanted {
        guard given == wanted else { return nil }
      } else {
        guard let text = FormText.decoded(given), !text.isEmpty else { return nil }
        arguments.append(text)
      }
    }
    return arguments
  }
}
