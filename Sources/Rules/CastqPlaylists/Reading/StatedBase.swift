import CastqText

/// The base that a document states for its addresses (XML Base), as text: what comes out is resolved again against the place of the
/// document itself.
struct StatedBase: Sendable {
  /// Empty when none is stated.
  private var text = ""

  /// The base of an element within this one.
  func inner(_ stated: String) -> StatedBase {
    var result = self
    result.text = resolving(stated)
    return result
  }

  /// A reference relative to this base; absolute ones are unchanged.
  func resolving(_ reference: String) -> String {
    guard !text.isEmpty, WebAddress.scheme(of: reference) == nil, !reference.utf8.starts(with: "\\".utf8)
    else {
      return reference
    }
    if let address = try? WebAddress(text) {
      return (try? address.resolving(reference).text) ?? reference
    }
    if reference.utf8.first == UInt8(ascii: "/") {
      return WebAddress.scheme(of: text)?.scheme == "file" ? "file://" + reference : reference
    }
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return reference }
    return text[...slash] + reference
  }
}
