package import CastProtocol

/// The displayed title of media without one.
package enum MediaTitle {
  /// The decoded file name in the address; the host when there is none.
  ///
  /// Titles appear on screens, in logs and in history, so user, password, query and fragment are left out.
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
  /// The title, or the name of the file.
  package var label: String { metadata?.title ?? MediaTitle.name(of: url) }
}
