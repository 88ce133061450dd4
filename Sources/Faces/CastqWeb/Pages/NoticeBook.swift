import CastProtocol
import CastqOperations
import CastqText
import Synchronization

/// What became of a form, for the page that it leads to.
enum PageNotice: Sendable {
  case done(String)
  /// A rule is gone, and can be put back.
  /// - Parameter object: the rule as it is put.
  case removed(rule: String, object: JSONValue)
  /// - Parameter form: what was sent, so that nobody writes it twice.
  case mistake(Failure, form: WebOptions)
}

/// What became of forms, for the pages that they lead to. Their addresses have a number: no link can put words into a page.
final class NoticeBook: Sendable {
  private struct State {
    var notices: [String: PageNotice] = [:]
    /// The numbers, oldest first.
    var order: [String] = []
  }

  private let state = Mutex(State())
  /// Notices that are kept; the oldest goes.
  private static let most = 1000
  /// Bytes of a form that are kept with its mistake; what is longer is written again.
  private static let longestForm = 8192

  /// Keeps a notice.
  /// - Returns: its number.
  func keep(_ notice: PageNotice) -> String {
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    state.withLock { state in
      state.notices[number] = Self.bounded(notice)
      state.order.append(number)
      if state.order.count > Self.most { state.notices[state.order.removeFirst()] = nil }
    }
    return number
  }

  private static func bounded(_ notice: PageNotice) -> PageNotice {
    guard case .mistake(let failure, let form) = notice,
      form.values.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) > longestForm
    else { return notice }
    return .mistake(failure, form: WebOptions())
  }

  /// A notice; nil for a number that nobody was given.
  func notice(_ number: String) -> PageNotice? { state.withLock { $0.notices[number] } }
}
