/// What somebody gave cannot stand where it stands: the words say what may.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ words: String) { description = words }
}
