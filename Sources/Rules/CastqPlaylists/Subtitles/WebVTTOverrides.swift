/// Overrides of SubStation in WebVTT, `{\an8}`, which sites that convert subtitles leave there: WebVTT knows none, and receivers show them. They
/// are removed, and the place that they name is taken.
struct WebVTTOverrides {
  let text: String
  let settings: String
  private(set) var isChanged = false

  init(_ lines: [String], _ settings: String) {
    var override = SubStationOverride()
    var ignored = CueText()
    var (result, isChanged): ([String], Bool) = ([], false)
    for line in lines {
      guard line.utf8.contains(UInt8(ascii: "{")) else {
        result.append(line)
        continue
      }
      var (rest, kept) = (line.unicodeScalars[...], String.UnicodeScalarView())
      while let brace = rest.firstIndex(of: "{") {
        kept.append(contentsOf: rest[..<brace])
        let inside = rest[rest.index(after: brace)...]
        guard let end = inside.firstIndex(of: "}") else {
          rest = rest[brace...]
          break
        }
        if Self.isOverride(inside[..<end]) {
          override.read(inside[..<end], style: [], into: &ignored)
          isChanged = true
          rest = inside[inside.index(after: end)...]
        } else {
          kept.append("{")
          rest = inside
        }
      }
      kept.append(contentsOf: rest)
      // A line of an override alone would be an empty one, which ends the subtitle.
      if !kept.isEmpty || line.isEmpty { result.append(String(kept)) }
    }
    text = result.joined(separator: "\n")
    self.isChanged = isChanged
    let place = override.alignment.map(SubStationOverride.settings) ?? ""
    let own = settings.split(separator: " ").map { $0.prefix { $0 != ":" } }
    let added = place.split(separator: " ").filter { setting in
      !own.contains(setting.prefix { $0 != ":" })
    }
    self.settings = ([settings] + added.map(String.init)).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// A backslash and a letter: other braces are text.
  private static func isOverride(_ inside: Substring.UnicodeScalarView) -> Bool {
    guard inside.first == "\\", let name = inside.dropFirst().first else { return false }
    return ("a"..."z").contains(name) || ("1"..."4").contains(name)
  }
}
