package import CastProtocol

/// What a person chose for the page and the terminal. The daemon does without it.
package struct FaceRules: Sendable, Hashable {
  /// Colours and fonts as keys and values, as `PresentationStyle` reads them; nil is the standard style.
  package var style: JSONValue?
  /// Whether the faces explain themselves once to whoever sees them first.
  package var showsIntroduction = true
  /// Whether the expanded controller opens by itself when casting begins.
  package var opensController = false

  package init() {}
}
