/// A `link`, `meta` or `extension` of XSPF or JSPF: what a list says to programs that know its name.
package struct ForeignNote: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case link, meta
    /// The content of an `extension` of XSPF, as XML.
    case xml
    /// A value of an `extension` of JSPF, as JSON.
    case json
  }

  package let kind: Kind
  /// The `rel` of a link or a meta, the `application` of an extension.
  package let name: String
  package let value: String
  /// Whether it is about the whole list.
  package let isOfList: Bool

  /// Unicode scalars of a value; those of a name are as many as of other fields.
  static let valueScalars = 4000

  package init(_ kind: Kind, name: String, value: String, isOfList: Bool = false) {
    self.kind = kind
    self.name = name
    self.value = value
    self.isOfList = isOfList
  }

  /// Sanitised; nil when it is empty or too long.
  var bounded: ForeignNote? {
    let name = EntryText(name, limit: ForeignFields.textScalars)
    let value = EntryText(value, limit: Self.valueScalars)
    guard !name.value.isEmpty, !value.value.isEmpty, !name.isCut, !value.isCut else { return nil }
    return ForeignNote(kind, name: name.value, value: value.value, isOfList: isOfList)
  }
}
