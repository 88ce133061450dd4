/// What somebody gave cannot stand where it stands: the words say what may.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  init(_ words: String) { description = words }
}
