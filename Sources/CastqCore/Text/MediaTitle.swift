package import CastProtocol

/// What a person reads where nobody wrote a title.
package enum MediaTitle {
  /// The name of the file as it was before it became part of an address; the address itself when it has none.
  package static func name(of url: String) -> String {
    guard let name = url.split(separator: "/").last.map(String.init) else { return url }
    return PercentEncoding.decoding(name) ?? name
  }
}

extension MediaInformation {
  /// What a person reads: the title, or the name of the file.
  package var label: String { metadata?.title ?? MediaTitle.name(of: url) }
}
