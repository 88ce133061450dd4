/// A mistake at one place of a document. Whoever reads the document words it.
package struct XMLIssue: Hashable, Sendable {
  package enum Part: String, Sendable {
    case comment, instruction, declaration
    case cdata = "CDATA section"
  }

  package enum Mistake: Hashable, Sendable {
    /// An element was open at the end of the document.
    case noEnd(String)
    case notClosed(Part)
    /// An end tag that fits no open element.
    case strayEnd
    /// An element ended while another in it was open.
    case endsBefore(String, inner: String)
    /// A `<` that begins no tag.
    case noTag
    case malformedTag(String)
    /// More nested elements than the limit; the rest of the document is not read.
    case tooDeep(Int)
    /// A text of more bytes than the limit; it is cut.
    case longText(Int)
    /// A `&` that begins no reference.
    case noReference
    /// A reference to what XML does not know; it is kept as it is written.
    case unknownReference(String)
  }

  package var mistake: Mistake
  package var place: XMLPlace
}

/// Where a piece begins, in Unicode scalars from 1.
package struct XMLPlace: Hashable, Sendable {
  package var line: Int
  package var column: Int
}
