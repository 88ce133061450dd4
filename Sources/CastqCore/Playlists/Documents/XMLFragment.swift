/// The content of an element, written again as it is read: every element with its namespace, so that it means the same elsewhere.
struct XMLFragment {
  private(set) var text = ""
  /// Whether something of it could not be written: attributes with a prefix, and what lies beyond the limit.
  private(set) var isIncomplete = false
  /// The open elements with their namespaces, the surrounding one first.
  private var open: [(name: String, namespace: String)]

  /// The namespace of XSPF, in which fragments stand.
  static let outer = "http://xspf.org/ns/0/"
  /// Bytes of the text; beyond them nothing is kept.
  private static let limit = 16 << 10

  init() { open = [("", Self.outer)] }

  /// The fragment as this type writes it; nil when it is not well-formed. It cannot end the element that it is put into.
  init?(parsing text: String) {
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

  mutating func start(_ element: XMLElement) {
    let namespace = element.namespace ?? ""
    var tag = "<\(element.name)"
    if namespace != open.last?.namespace { tag += " xmlns=\"\(Self.escaped(namespace, inQuotes: true))\"" }
    for (name, value) in element.attributes where name != "xmlns" && !name.hasPrefix("xmlns:") {
      if name.utf8.contains(UInt8(ascii: ":")), !name.hasPrefix("xml:") {
        isIncomplete = true
      } else {
        tag += " \(name)=\"\(Self.escaped(value, inQuotes: true))\""
      }
    }
    open.append((element.name, namespace))
    write(tag + ">")
  }

  mutating func add(_ text: String) { write(Self.escaped(text)) }

  mutating func end() {
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

  static func escaped(_ text: String, inQuotes: Bool = false) -> String {
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
