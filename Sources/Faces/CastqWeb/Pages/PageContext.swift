import CastProtocol
import CastqFeeding
import CastqOperations
import CastqText

/// A page of the browser.
enum WebPage: Sendable, Hashable {
  case screens
  /// By alias or name.
  case device(String)
  case schedule, library, history, reports, doctor, settings
  /// Where a token is asked for.
  case login
  /// Where there is nothing.
  case lost
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
  var documents: [String: JSONValue] = [:] { didSet { names = Self.names(documents["devices"]) } }
  /// What people call the screens, by their labels; those alone that are called otherwise than their label.
  private(set) var names: [String: String] = [:]
  var failures: [String: Failure] = [:]
  /// A token that was just made; nil without one.
  var given: GivenToken?
  /// Where colleagues find the page; nil where it listens on this computer alone.
  var publicAddress: String?
  /// What became of the form that led here; nil without one.
  var notice: PageNotice?
  /// The screen that this browser chose last; nil for none, and for one that is gone.
  var chosen: String?
  /// Where a login leads.
  var back = "/"
  /// The moment of the page.
  var now: WallTime
  /// The name of the zone in which times are shown, and its offsets.
  var zoneName = "UTC"
  var zone = TimeZoneRules()
  /// How the pages look, and what they do by themselves.
  var face = FaceRules()
  /// The path of an asset by its name.
  var asset: @Sendable (String) -> String
}

extension PageContext {
  /// A document; nil when it is missing or could not be had.
  subscript(name: String) -> JSONValue? { documents[name] }

  /// What people call a screen, or a group. Addresses and forms have the label.
  func name(of label: String?) -> String { label.map { names[$0] ?? $0 } ?? "" }

  private static func names(_ document: JSONValue?) -> [String: String] {
    let pairs = (document?["devices"]?.array ?? []).compactMap { device -> (String, String)? in
      guard let alias = device["alias"]?.string, let name = device["name"]?.string, name != alias else {
        return nil
      }
      return (alias, name)
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The elements of a list in a document.
  func list(_ name: String, _ member: String) -> [JSONValue] { documents[name]?[member]?.array ?? [] }

  /// The label of the page's device; nil on pages that have none.
  var device: String? {
    if case .device(let label) = page { return label }
    return query["device"]
  }

  /// The address of this page with some filters replaced; nil removes one.
  func address(with changes: KeyValuePairs<String, String?>) -> String {
    var filters = query.values.filter { filter in !changes.contains { $0.key == filter.name } }
    for (name, value) in changes { if let value { filters.append(.init(name, value)) } }
    return PageAddress.text(path, filters)
  }
}

/// Addresses of pages.
enum PageAddress {
  /// The page of a device.
  static func device(_ label: String) -> String { "/d/\(encoded(label))" }

  /// A path with filters.
  static func text(_ path: String, _ filters: [WebOptions.Value]) -> String {
    guard !filters.isEmpty else { return path }
    let pairs = filters.map { "\(encoded($0.name))=\(encoded($0.value))" }
    return "\(path)?\(pairs.joined(separator: "&"))"
  }

  /// A text as a part of an address (RFC 3986): everything but unreserved characters is a `%` and its digits.
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
