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
  package var prefixes: [(prefix: String, address: String)] = []
  package var place: XMLPlace

  package func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}
