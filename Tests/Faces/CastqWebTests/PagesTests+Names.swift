import CastProtocol
import CastqOperations
import Testing
@testable import CastqWeb

/// What screens are called.
extension PagesTests {
  @Test("a screen has the name that people call it, and its label stands in addresses alone", arguments: all)
  func names(_ one: WebPage) {
    var documents = Self.documents("zq7")
    documents["devices"] = ["devices": [["name": "Lobby & Bar", "alias": "zq7"]]]
    documents["device"] = ["name": "Lobby & Bar", "alias": "zq7"]
    documents = documents.mapValues { Self.titled($0) }
    // What cannot be read is no screen.
    if case .object(var members)? = documents["library"] {
      members["problems"] = []
      documents["library"] = .object(members)
    }
    let html = page(one, documents, query: ["why": "now", "device": "zq7"])
    for text in html.split(separator: ">").compactMap({
      $0.split(separator: "<", omittingEmptySubsequences: false).first
    }) {
      #expect(!text.contains("zq7") || text.hasPrefix("castq "), "\(one): \(text)")
    }
    if [.history, .schedule, .device("x")].contains(one) { #expect(html.contains("Lobby &amp; Bar")) }
  }

  /// The document with its device alone called as it is.
  private static func titled(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let list): .array(list.map(titled))
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { key, value in
            (key, value == "zq7" && !["device", "alias"].contains(key) ? "text" : titled(value))
          }))
    default: value
    }
  }
}
