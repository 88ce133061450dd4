/// One piece of an XML document.
package enum XMLToken {
  case start(XMLElement)
  /// The end of the innermost open element.
  case end
  /// A part of its text: references are replaced, and CDATA is text.
  case text(String)
}

package struct XMLElement {
  /// The address of the namespace; empty without one, nil when the prefix is not declared.
  package var namespace: String?
  /// The name without its prefix.
  package var name: String
  /// As written, prefixes included.
  package var attributes: [(name: String, value: String)]
  /// The declared prefixes that it declares itself, or that its attributes need: those of their names, and those that their values
  /// begin with, as in `xsi:type="p:Kind"`. Each once.
  var prefixes: [(prefix: String, address: String)] = []
  package var place: DocumentPlace

  package func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// Limits on an XML document.
package struct XMLLimits: Sendable {
  /// Nesting of elements.
  var depth = 64
  /// Bytes of a name.
  var nameBytes = 256
  /// Bytes of one text or value.
  var textBytes = 64 << 10
  /// Attributes of one element, declarations of namespaces included.
  var attributes = 64
  /// Declarations of namespaces that hold at one place; further ones are ignored.
  var namespaces = 32
  /// Issues of one piece.
  var issues = 1000
}
