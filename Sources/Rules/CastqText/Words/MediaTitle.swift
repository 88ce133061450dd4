package import CastProtocol

/// The displayed title of media without one.
package enum MediaTitle {
  /// The decoded file name in the address; the host when there is none.
  ///
  /// Titles appear on screens, in logs and in history, so user, password, query and fragment are left out.
  package static func name(of url: String) -> String {
    let text = String(encodedName(of: url))
    return NameInBytes.readable(PercentEncoding.decodingPath(text) ?? text)
  }

  /// The name as it stands in the address.
  private static func encodedName(of url: String) -> Substring {
    // By bytes: a queue has thousands of addresses, and what separates their parts is ASCII.
    let slash = UInt8(ascii: "/")
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let last = path.lastIndex(where: { $0 != slash }) else { return Substring(path) }
    let named = path[...last]
    var name = named.lastIndex(of: slash).map { named[named.index(after: $0)...] } ?? named
    if let sign = name.lastIndex(of: UInt8(ascii: "@")) {
      // Behind a scheme alone it is a host, with its user.
      let before = named[..<name.startIndex].split(separator: slash)
      if before.count == 1, before[0].last == UInt8(ascii: ":") { name = name[name.index(after: sign)...] }
    }
    return Substring(name)
  }

  /// The title that the name of the file tells; nil where it tells none, as most addresses.
  package static func told(by url: String) -> String? { ReadableName.title(of: name(of: url)) }

  /// What is shown of a title that somebody gave, and of an address.
  package static func shown(_ title: String?, url: String) -> String {
    if let title, !repeatsName(title, of: url) { return title }
    return told(by: url) ?? name(of: url)
  }

  /// Whether a title is no more than the name of the file, as players write it into a list when they know no other.
  package static func repeatsName(_ title: String, of url: String) -> Bool {
    guard mayBegin(encodedName(of: url), with: title) else { return false }
    let name = name(of: url)
    guard title != name else { return ReadableName.title(of: name) != nil }
    guard let told = ReadableName.title(of: name), told != title else { return false }
    return name.hasPrefix("\(title).") && !title.contains(" ")
      && name.utf8.count - title.utf8.count == FilePath.fileExtension(of: name).utf8.count + 1
  }

  /// False only where the name does not begin with the title: the first letter that differs tells most titles from most names. What is not
  /// ASCII may be written in several ways.
  private static func mayBegin(_ encodedName: Substring, with title: String) -> Bool {
    for (byte, wanted) in zip(encodedName.utf8, title.utf8) where byte != wanted {
      return byte == UInt8(ascii: "%") || byte >= 0x80 || wanted >= 0x80
    }
    return true
  }
}

extension MediaInformation {
  /// The title, or what the name of the file tells.
  package var label: String { MediaTitle.shown(metadata?.title, url: url) }

  /// The line below the title: the subtitle, else artist and album, else the series; nil when there is none.
  package var secondLine: String? {
    guard let metadata else { return nil }
    if let subtitle = metadata.subtitle { return subtitle }
    let artist = metadata.values["artist"]?.string ?? metadata.values["albumArtist"]?.string
    let words = [artist, metadata.values["albumName"]?.string].compactMap(\.self).filter { !$0.isEmpty }
    return words.isEmpty ? metadata.values["seriesTitle"]?.string : words.joined(separator: " · ")
  }

  /// The title that somebody gave; nil where it only repeats the name of the file.
  package var givenTitle: String? {
    metadata?.title.flatMap { MediaTitle.repeatsName($0, of: url) ? nil : $0 }
  }
}
