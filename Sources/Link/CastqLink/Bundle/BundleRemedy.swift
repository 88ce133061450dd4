/// What helps a site that has not applied a bundle.
package enum BundleRemedy: Sendable, Hashable {
  /// Another bundle alone: this one stays wrong here.
  case anotherBundle
  /// Time: this one is right, and what it needs was not there.
  case anotherAttempt
  /// Reading it again from its beginning: what came may not be what was put there, and the mark of its server says nothing of that.
  case anotherReading

  /// - Parameter code: that of the refusal.
  package init(against code: String) {
    self =
      switch code {
      case "media", "unavailable", "input_output": .anotherAttempt
      case "bad_bundle", "bad_signature", "too_large": .anotherReading
      default: .anotherBundle
      }
  }
}
