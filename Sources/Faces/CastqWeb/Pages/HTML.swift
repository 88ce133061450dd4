import CastProtocol

/// A piece of a page. Text enters it escaped, so what devices, playlists and people name things stays text.
///
/// A literal is text, an interpolated value is text, and the names of elements and attributes are written in the program. There
/// is no other way in.
struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
  /// The markup.
  private(set) var markup: String

  /// Nothing.
  static let none = HTML(markup: "")

  /// Text, escaped.
  init(stringLiteral value: String) { self.init(text: value) }

  /// Text, escaped.
  init(_ text: String) { self.init(text: text) }

  /// Pieces, one after another.
  init(arrayLiteral elements: HTML...) { self.init(elements) }

  /// Pieces, one after another.
  init(_ pieces: [HTML]) { self.init(markup: pieces.map(\.markup).joined()) }

  private init(text: String) { self.init(markup: Self.escaped(text)) }

  private init(markup: String) { self.markup = markup }

  static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.markup + right.markup) }

  static func += (left: inout HTML, right: HTML) { left.markup += right.markup }

  /// One attribute of an element.
  struct Attribute: Sendable {
    fileprivate let markup: String

    /// An attribute with a value; none when the value is nil.
    init(_ name: StaticString, _ value: String?) {
      markup = value.map { " \(name)=\"\(HTML.escaped($0))\"" } ?? ""
    }

    /// An attribute without a value; none when `isSet` is false.
    init(_ name: StaticString, if isSet: Bool) { markup = isSet ? " \(name)" : "" }
  }

  /// An element with its content.
  static func element(_ name: StaticString, _ attributes: [Attribute], _ content: [HTML]) -> HTML {
    HTML(markup: "<\(name)\(attributes.map(\.markup).joined())>\(content.map(\.markup).joined())</\(name)>")
  }

  /// An element that has no content, such as `input`.
  static func empty(_ name: StaticString, _ attributes: [Attribute]) -> HTML {
    HTML(markup: "<\(name)\(attributes.map(\.markup).joined())>")
  }

  /// A whole document.
  static func document(language: StaticString, head: HTML, body: HTML) -> String {
    "<!doctype html><html lang=\"\(language)\"><head>\(head.markup)</head>\(body.markup)</html>\n"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: (0x20..<0x7F).contains(byte)
    }
  }

  /// Text in which nothing is markup, and nothing is hidden. Control characters that a document may not hold become a visible sign.
  private static func escaped(_ text: String) -> String {
    // Nearly all of a page is plain, and there is much of it.
    if text.utf8.allSatisfy(isPlain) { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    VisibleText.forEach(text) { scalar, kind in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): result += "\u{FFFD}"
      // Isolates are the elements' own.
      case _ where kind == .order || kind == .invisible: break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// Attributes that pages use.
extension HTML.Attribute {
  static func `class`(_ value: String) -> Self { Self("class", value) }
  static func id(_ value: String) -> Self { Self("id", value) }
  static func href(_ value: String) -> Self { Self("href", value) }
  /// The part that a script keeps up to date.
  static func part(_ value: String) -> Self { Self("data-part", value) }
  static func label(_ value: String) -> Self { Self("aria-label", value) }
  static let hidden = Self("aria-hidden", "true")
}

/// Elements that pages use.
extension HTML {
  static func div(_ attributes: [Attribute] = [], _ content: HTML...) -> HTML {
    element("div", attributes, content)
  }
  static func span(_ attributes: [Attribute] = [], _ content: HTML...) -> HTML {
    element("span", attributes, content)
  }
  static func p(_ attributes: [Attribute] = [], _ content: HTML...) -> HTML {
    element("p", attributes, content)
  }
  static func a(_ attributes: [Attribute], _ content: HTML...) -> HTML {
    element("a", attributes, content)
  }
  static func h1(_ attributes: [Attribute] = [], _ content: HTML...) -> HTML {
    element("h1", attributes, content)
  }
  static func h2(_ attributes: [Attribute] = [], _ content: HTML...) -> HTML {
    element("h2", attributes, content)
  }
  static func section(_ attributes: [Attribute] = [], _ content: HTML...) -> HTML {
    element("section", attributes, content)
  }
  static func button(_ attributes: [Attribute], _ content: HTML...) -> HTML {
    element("button", [Attribute("type", "button")] + attributes, content)
  }
  /// A button that sends its form.
  static func submit(_ attributes: [Attribute], _ content: HTML...) -> HTML {
    element("button", attributes, content)
  }
  /// Text of somebody else's: isolated, so that its direction does not turn what stands beside it.
  static func foreign(_ text: String, part: String? = nil) -> HTML {
    element("bdi", [Attribute("data-part", part)], [HTML(text)])
  }
}
