/// What somebody is told of a screen without castq's picture who looks at a day, or points at a moment of it.
package struct SpokenDarkness: Sendable, Hashable {
  /// What a stretch of it is called.
  package let title: String
  /// Sentences of what was so, is so, and will be.
  package let past: String
  package let present: String
  package let coming: String

  /// Without a reason of its own.
  package static let nothing = SpokenDarkness(was: "nothing was due")
  static let guest = SpokenDarkness(
    title: "A guest", past: "Somebody else had the screen.", present: "Somebody else has the screen.",
    coming: "Somebody else has the screen.")

  private init(title: String, past: String, present: String, coming: String) {
    (self.title, self.past, self.present, self.coming) = (title, past, present, coming)
  }

  /// - Parameters:
  ///   - was: why nothing was on.
  ///   - now: why nothing is on; nil where a person need not hear that.
  init(_ title: String = "Nothing on", was: String, now: String? = nil) {
    let why = now.map { ": \($0)" } ?? ""
    self.init(
      title: title, past: "Nothing was on the screen: \(was).", present: "Nothing is on\(why).",
      coming: "Nothing will be on\(why).")
  }
}
