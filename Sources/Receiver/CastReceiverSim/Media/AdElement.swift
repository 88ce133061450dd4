import CastXML

/// An element of an ad document (VAST, VMAP), with what is in it. Prefixes of names are left out: many servers declare none.
///
/// What is not well-formed is read as far as it goes; a receiver plays what it understands.
struct AdElement {
  var name = ""
  var attributes: [(name: String, value: String)] = []
  /// The text of the element itself, without outer blanks.
  private(set) var text = ""
  private(set) var children: [AdElement] = []

  /// The whole document: the element around its root.
  ///
  /// - Parameter limit: bytes; a longer document has no elements.
  init(_ document: String, limit: Int = VASTDocument.limit) {
    var open = [AdElement()]
    guard document.utf8.count <= limit else { return }
    var reader = XMLReader(Array(document.utf8))
    while let token = reader.next() {
      _ = reader.takeIssues()
      switch token {
      case .start(let element):
        open.append(AdElement(name: element.name, attributes: element.attributes))
      case .text(let text): open[open.count - 1].text += text
      case .end:
        var ended = open.removeLast()
        ended.text = Self.trimmed(ended.text)
        open[open.count - 1].children.append(ended)
      }
    }
    self = open[0]
  }

  private init() {}

  private init(name: String, attributes: [(name: String, value: String)]) {
    (self.name, self.attributes) = (name, attributes)
  }

  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The first element of that name in it, at whatever depth.
  func first(_ name: String) -> AdElement? { all(name, limit: 1).first }

  /// The elements of that name in it that are not inside another one of it, in the order of the document.
  func all(_ name: String, limit: Int) -> [AdElement] {
    var found: [AdElement] = []
    for child in children where found.count < limit {
      found += child.name == name ? [child] : child.all(name, limit: limit - found.count)
    }
    return found
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text.drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
