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
