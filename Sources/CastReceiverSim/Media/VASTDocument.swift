import CastProtocol

/// As much of a VAST document as a receiver needs for one linear ad: what to play, how long, from when it may be skipped.
///
/// Wrappers and companions are passed over. The reader looks for a few elements and understands nothing else of XML, which is
/// enough for documents of our own making; what it does not find is nil.
struct VASTDocument: Sendable, Equatable {
  var title: String?
  var url: String?
  var contentType: String?
  var duration: Double?
  var skipOffset: Double?
  var clickThrough: String?

  /// Longer documents are not looked at.
  static let limit = 256 * 1024

  init?(_ text: String) {
    guard text.utf8.count <= Self.limit, let linear = XMLScan.element("Linear", in: text) else { return nil }
    title = XMLScan.element("AdTitle", in: text)?.content
    duration = XMLScan.element("Duration", in: linear.content).flatMap { Self.seconds($0.content) }
    skipOffset = linear.attribute("skipoffset").flatMap(Self.seconds)
    let file = XMLScan.element("MediaFile", in: linear.content)
    url = file?.content
    contentType = file?.attribute("type")
    clickThrough = XMLScan.element("ClickThrough", in: linear.content)?.content
    if url == nil { return nil }
  }

  /// `HH:MM:SS` or `HH:MM:SS.mmm`.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":").map { Double($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      (0...1000).contains(hours), (0..<60).contains(minutes), (0..<61).contains(seconds)
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }

  /// A clip with what the document says of it; what the clip says itself is kept.
  func completing(_ clip: JSONValue) -> JSONValue {
    var members = clip.object ?? [:]
    let found: [(String, JSONValue?)] = [
      ("contentUrl", url.map(JSONValue.string)), ("contentType", contentType.map(JSONValue.string)),
      ("title", title.map(JSONValue.string)), ("duration", JSONValue(duration)),
      ("whenSkippable", JSONValue(skipOffset)), ("clickThroughUrl", clickThrough.map(JSONValue.string)),
    ]
    for (key, value) in found where members[key] == nil { members[key] = value }
    return .object(members)
  }
}

/// The breaks of a VMAP document whose ads stand in it (protocol 9).
enum VMAPDocument {
  /// `breaks` and `breakClips` as a MediaInformation has them.
  static func breaks(_ text: String, duration: Double?) -> (breaks: [JSONValue], clips: [JSONValue]) {
    var breaks: [JSONValue] = []
    var clips: [JSONValue] = []
    var rest = text[...]
    while breaks.count < 32, let found = XMLScan.element("vmap:AdBreak", in: rest) {
      rest = found.after
      guard let offset = found.attribute("timeOffset"), let position = position(offset) else { continue }
      let id = found.attribute("breakId") ?? "vmap-\(breaks.count + 1)"
      let clipID = "\(id)-clip"
      var clip: JSONValue = ["id": .string(clipID)]
      if let vast = VASTDocument(String(found.content)) {
        clip = vast.completing(clip)
      } else if let tag = XMLScan.element("vmap:AdTagURI", in: found.content)?.content {
        clip = ["id": .string(clipID), "vastAdsRequest": ["adTagUrl": .string(tag)]]
      } else {
        continue
      }
      clips.append(clip)
      breaks.append(
        .members([
          "id": .string(id), "breakClipIds": [.string(clipID)], "position": JSONValue(position),
          "isWatched": false,
        ]))
    }
    return (breaks, clips)
  }

  private static func position(_ offset: String) -> Double? {
    switch offset {
    case "start": 0
    case "end": -1
    default: VASTDocument.seconds(offset)
    }
  }
}

/// Finds elements by name in a text that is XML, or looks like it.
private enum XMLScan {
  struct Element {
    var tag: Substring
    /// Between the tags, without CDATA marks and outer blanks.
    var content: String
    var after: Substring

    func attribute(_ name: String) -> String? {
      guard let start = tag.range(of: "\(name)=\""), let end = tag[start...].firstIndex(of: "\"") else {
        return nil
      }
      return String(tag[start..<end])
    }
  }

  static func element(_ name: String, in text: some StringProtocol) -> Element? {
    let text = Substring(text)
    guard let open = opening(of: name, in: text), let end = text[open...].firstIndex(of: ">") else {
      return nil
    }
    let tag = text[open..<end]
    let inner = text.index(after: end)
    let close = "</\(name)>"
    guard let after = text[inner...].range(of: close) else { return nil }
    let content = text[inner..<text.index(after, offsetBy: -close.count)]
    return Element(tag: tag, content: trimmed(content), after: text[after...])
  }

  /// Where the first tag of that name goes on; a longer name that begins alike is another one.
  private static func opening(of name: String, in text: Substring) -> Substring.Index? {
    var rest = text
    while let open = rest.range(of: "<\(name)") {
      if let next = text[open...].first, next == ">" || next.isWhitespace { return open }
      rest = text[open...]
    }
    return nil
  }

  private static func trimmed(_ content: Substring) -> String {
    var content = content.drop { $0.isWhitespace }
    if content.hasPrefix("<![CDATA["), let end = content.range(of: "]]>") {
      content = content.dropFirst(9)
      content = content[..<content.index(end, offsetBy: -3)].drop { $0.isWhitespace }
    }
    while content.last?.isWhitespace == true { content = content.dropLast() }
    return String(content)
  }
}

extension Substring {
  /// Where the text goes on after the first occurrence of a word; nil when it does not occur.
  fileprivate func range(of word: String) -> Index? {
    let pattern = Array(word.utf8)
    var start = utf8.startIndex
    while let first = utf8[start...].firstIndex(of: pattern[0]) {
      if utf8[first...].starts(with: pattern) { return utf8.index(first, offsetBy: pattern.count) }
      start = utf8.index(after: first)
    }
    return nil
  }
}
