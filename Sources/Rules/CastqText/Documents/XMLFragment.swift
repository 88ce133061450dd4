package import CastXML

/// The content of an element, written again as it is read: every element with its namespace, and the prefixes of its attributes
/// declared, so that it means the same elsewhere.
package struct XMLFragment {
  package private(set) var text = ""
  /// Whether something of it could not be written: attributes with a prefix that is not declared, and what lies beyond the limit.
  package private(set) var isIncomplete = false
  /// The open elements, the surrounding one first.
  private var open: [Level]

  private struct Level {
    var name: String
    var namespace: String
    /// The namespaces of the prefixes that are declared in the fragment.
    var prefixes: [String: String] = [:]
  }

  /// The namespace of XSPF, in which fragments stand.
  static let outer = "http://xspf.org/ns/0/"
  /// Bytes of the text; beyond them nothing is kept.
  private static let limit = 16 << 10

  package init() { open = [Level(name: "", namespace: Self.outer)] }

  /// The fragment as this type writes it; nil when it is not well-formed. It cannot end the element that it is put into.
  package init?(parsing text: String) {
    self.init()
    var reader = XMLReader(Array("<x xmlns=\"\(Self.outer)\">\(text)</x>".utf8))
    var depth = 0
    while let token = reader.next() {
      switch token {
      case .start(let element):
        depth += 1
        if depth > 1 { start(element) }
      case .text(let text): add(text)
      case .end:
        depth -= 1
        if depth == 0 {
          // What follows the end of the element came from the fragment.
          guard reader.next() == nil else { return nil }
        } else {
          end()
        }
      }
      guard reader.takeIssues().isEmpty else { return nil }
    }
    guard !isIncomplete else { return nil }
  }

  package mutating func start(_ element: XMLElement) {
    var level = Level(
      name: element.name, namespace: element.namespace ?? "", prefixes: open.last?.prefixes ?? [:])
    var tag = "<\(element.name)"
    func add(_ name: String, _ value: String) {
      tag += " \(name)=\"\(Self.escaped(value, inQuotes: true))\""
    }
    if level.namespace != open.last?.namespace { add("xmlns", level.namespace) }
    for (prefix, address) in element.prefixes where level.prefixes[prefix] != address {
      level.prefixes[prefix] = address
      add("xmlns:\(prefix)", address)
    }
    for (name, value) in element.attributes where name != "xmlns" && !name.hasPrefix("xmlns:") {
      if name.utf8.contains(UInt8(ascii: ":")), !name.hasPrefix("xml:"),
        XMLReader.prefix(of: name).flatMap({ level.prefixes[$0] }) == nil
      {
        isIncomplete = true
      } else {
        add(name, value)
      }
    }
    open.append(level)
    write(tag + ">")
  }

  package mutating func add(_ text: String) { write(Self.escaped(text)) }

  package mutating func end() {
    guard open.count > 1 else { return }
    let element = open.removeLast()
    write("</\(element.name)>")
  }

  private mutating func write(_ piece: String) {
    guard text.utf8.count + piece.utf8.count <= Self.limit else {
      isIncomplete = true
      return
    }
    text += piece
  }

  package static func escaped(_ text: String, inQuotes: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for scalar in TerminalText.sanitized(text).unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"" where inQuotes: result.append(contentsOf: "&quot;".unicodeScalars)
      // XML has no way to write these two.
      case "\u{FFFE}", "\u{FFFF}": break
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
