package import CastProtocol

/// What a person reads where nobody wrote a title.
package enum MediaTitle {
  /// The name of the file as it was before it became part of an address; its host when it has none.
  ///
  /// Titles go to screens, logs and histories: user, password, query and fragment are not for them.
  package static func name(of url: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let parts = path.split(separator: "/")
    guard var name = parts.last else { return String(path) }
    if parts.count == 2, parts[0].hasSuffix(":"), let sign = name.lastIndex(of: "@") {
      name = name[name.index(after: sign)...]
    }
    return PercentEncoding.decoding(String(name)) ?? String(name)
  }
}

extension MediaInformation {
  /// What a person reads: the title, or the name of the file.
  package var label: String { metadata?.title ?? MediaTitle.name(of: url) }
}
