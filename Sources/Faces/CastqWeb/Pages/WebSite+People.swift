import CastProtocol
import CastqOperations
import CastqText
import HTTPTypes
import Hummingbird

/// Who may come from elsewhere: tokens are made and withdrawn on the page by those who may edit.
extension WebSite {
  /// The token is on the page that answers, once: no address and no notice has it.
  func people(_ request: WebRequest) async throws(Problem) -> Response {
    let form = try await form(request)
    let name = form["name"] ?? ""
    var given: GivenToken?
    var failure: Failure?
    do throws(Failure) {
      switch form["do"] {
      case "give": given = try give(name, form["role"])
      case "withdraw": try book { (tokens) throws(TokenBook.Problem) in try tokens.remove(name) }
      default: throw Failure("usage", "the form says nothing that can be done", exit: .usage)
      }
    } catch { failure = error }
    return await page(.settings, request) { context in
      context.given = given
      context.failures["people"] = failure
    }
  }

  private func give(_ name: String, _ role: String?) throws(Failure) -> GivenToken {
    let name = try ScheduleName.checked(name, "token", isOneWord: true)
    guard let role = role.flatMap(WebRole.init(rawValue:)) else {
      throw Failure("usage", "choose what they may do", exit: .usage)
    }
    let moment = RFC3339.text(now)
    let token = try book { (tokens) throws(TokenBook.Problem) in
      try tokens.add(name, role: role, at: moment)
    }
    return GivenToken(name: name, role: role, token: token)
  }

  private func book<Value>(
    _ body: (TokenBook) throws(TokenBook.Problem) -> Value
  ) throws(Failure) -> Value {
    do throws(TokenBook.Problem) { return try body(gate.tokens) } catch {
      throw Failure("token", error.message, hint: error.hint, exit: .badData)
    }
  }
}

/// A token that was just made: it is shown once.
struct GivenToken: Sendable {
  let name: String
  let role: WebRole
  let token: String
}
