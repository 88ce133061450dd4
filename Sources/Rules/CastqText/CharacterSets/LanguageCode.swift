/// Codes of languages, as in RFC 5646.
package enum LanguageCode {
  /// The language without script and region, in lower case.
  package static func base(_ code: String) -> String {
    String(code.lowercased().prefix { $0 != "-" })
  }
}
