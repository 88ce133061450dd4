import CastProtocol
import CastqCore

/// A page of the browser.
enum WebPage: Sendable, Hashable {
  case screens
  /// By alias or name.
  case device(String)
  case schedule, programmes, history, report, doctor, settings
  /// Where a token is asked for.
  case login
}

/// Everything that a page is made of.
struct PageContext: Sendable {
  var page: WebPage
  /// The path without the query, such as `/d/lobby`.
  var path: String
  /// The query: filters, zone, range and device are in the address.
  var query = WebOptions()
  var role = WebRole.edit
  /// Whether a token was needed, so that there is something to log out of.
  var hasToken = false
  /// The documents of the command line's `--json`, by name: `devices`, `statuses`, `device`, `status`, `queue`, `history`, `plan`,
  /// `rules`, `programmes`, `report` … What could not be had is in `failures` instead.
  var documents: [String: JSONValue] = [:]
  var failures: [String: ControlFailure] = [:]
  /// What became of the form that led here; nil without one.
  var notice: String?
  /// The moment of the page.
  var now: WallTime
  /// The path of an asset by its name.
  var asset: @Sendable (String) -> String
}
