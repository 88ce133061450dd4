import CastqText

/// What a site shares with others, and with whom: `link:` of the configuration.
package struct LinkRules: Sendable, Hashable {
  /// The name of this site; nil when there is none, and then nothing is shared.
  package var site: String?
  /// The address of the centre's database, as libpq reads it; nil sends no plays.
  package var postgres: String?
  /// The address of the broker; nil sends no states.
  package var mqtt: String?
  /// The first level of the topics at which Home Assistant finds devices; nil announces none to it.
  package var discovery: String? = "homeassistant"
  /// Where the site's bundle comes from: a path or an address; nil is nowhere.
  package var bundle: String?
  /// The file with the public key that signs bundles; nil accepts none.
  package var bundleKey: String?

  package init() {}

  /// Whether a text may name a site: it is part of topics and of file names.
  package static func isSite(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || "-_.".utf8.contains($0) }
      && text.utf8.first.map(PercentEncoding.isAlphanumeric) == true
  }
}
