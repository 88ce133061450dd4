import CastProtocol
import CastqText

/// Images, tracks and text styles.
extension NativePlaylistParser {
  mutating func images(_ node: DocumentNode) -> [Image] {
    (list(node) ?? []).compactMap { image($0) }
  }

  private mutating func image(_ node: DocumentNode) -> Image? {
    // A missing picture does not fail a list.
    if node.scalar != nil {
      return location(node, what: "picture", missing: .warning).map { Image(url: $0.url) }
    }
    guard let fields = fields(node, as: ImageKey.self) else { return nil }
    var (url, file): (DocumentNode?, DocumentNode?)
    var image = Image(url: "")
    for (key, value) in fields {
      switch key {
      case .url: url = value
      case .file: file = value
      case .width: image.width = count(value, 1...100_000)
      case .height: image.height = count(value, 1...100_000)
      }
    }
    guard let place = only(url, file) else {
      fail(node, "the image has no `url` and no `file`")
      return nil
    }
    guard let location = location(place, what: "picture", missing: .warning) else { return nil }
    image.url = location.url
    return image
  }

  mutating func tracks(_ node: DocumentNode) -> [MediaTrack] {
    guard let nodes = list(node) else { return [] }
    guard nodes.count <= limits.tracks else {
      fail(node, "more than \(limits.tracks) tracks")
      return []
    }
    var tracks: [MediaTrack] = []
    var ids: Set<Int> = []
    // Given identifiers are reserved first, so that a generated one never collides.
    let given = Set(
      nodes.compactMap { $0.mapping?.first { $0.key == TrackKey.id.rawValue }?.value.scalar?.int })
    var next = 1
    for node in nodes {
      guard var track = track(node) else { continue }
      if track.identifier < 0 {
        while given.contains(next) { next += 1 }
        track.identifier = next
        next += 1
      }
      guard ids.insert(track.identifier).inserted else {
        fail(node, "another track has the id \(track.identifier) already, so this one was left out")
        continue
      }
      tracks.append(track)
    }
    return tracks
  }

  /// - Returns: with the identifier -1 when none was given.
  private mutating func track(_ node: DocumentNode) -> MediaTrack? {
    guard let fields = fields(node, as: TrackKey.self) else { return nil }
    var track = MediaTrack(identifier: -1, kind: .text)
    var (url, file): (DocumentNode?, DocumentNode?)
    var isUsable = true
    var offset = 0.0
    for (key, value) in fields {
      switch key {
      case .id:
        track.identifier = count(value, 0...Self.largestTrackID) ?? -1
      case .kind:
        if let kind = word(value, as: MediaTrack.Kind.self) { track.kind = kind } else { isUsable = false }
      case .subtype: track.textSubtype = word(value, as: MediaTrack.TextSubtype.self)
      case .url: url = value
      case .file: file = value
      case .type: track.contentType = contentType(value)
      case .language:
        if let text = node.mapping == nil ? nil : value.string, TrackText.isLanguage(text) {
          track.languageCode = text
        } else {
          fail(value, "\(shown(value)) is not a language", hint: "write a code such as en or pt-BR")
        }
      case .name: track.name = text(value)
      case .offset:
        let range = -MediaTrack.largestOffset...MediaTrack.largestOffset
        offset = number(value, range, "a number of seconds from -86400 to 86400") ?? 0
      case .roles: track.roles = (list(value) ?? []).compactMap { string($0) }
      case .customData: track.customData = json(value)
      }
    }
    if !track.setSubtitleOffset(offset) {
      fail(node, "the `custom_data` of a track that has an `offset` must be a mapping")
    }
    if track.kind == .text, track.textSubtype == nil { track.textSubtype = .subtitles }
    if track.kind != .text, track.textSubtype != nil {
      fail(node, "only text tracks have a `subtype`")
      track.textSubtype = nil
    }
    if track.textSubtype == .subtitles, track.languageCode == nil {
      if !fields.contains(where: { $0.key == .language }) {
        fail(node, "subtitles need a `language`, or receivers refuse them", hint: "write language: en")
      }
      isUsable = false
    }
    if let place = only(url, file) {
      guard let location = location(place, what: "track") else { return nil }
      track.contentIdentifier = location.url
      isUsable = giveType(&track, location, place) && isUsable
    }
    return isUsable ? track : nil
  }

  private mutating func giveType(_ track: inout MediaTrack, _ location: MediaLocation, _ node: DocumentNode)
    -> Bool
  {
    guard track.contentType == nil else { return true }
    guard track.kind == .text else {
      track.contentType = types.type(path: location.path)
      return true
    }
    track.contentType = ContentTypes.textTrackType(fileExtension: FilePath.fileExtension(of: location.path))
    guard track.contentType == nil else { return true }
    fail(
      node, "unknown kind of text track: \(shown(node))",
      hint: "castq reads \(SubtitleFormat.endingsInWords) files; for others give the `type`")
    return false
  }

  mutating func subtitles(_ node: DocumentNode) -> SubtitleChoice? {
    do throws(TextError) {
      guard let text = node.string else {
        throw TextError(
          "\(shown(node)) is not a choice of subtitles", hint: "write a language such as en, or off")
      }
      return try SubtitleChoice(text)
    } catch {
      fail(node, error.message, hint: error.hint)
      return nil
    }
  }

  mutating func style(_ node: DocumentNode) -> MediaTextTrackStyle? {
    guard let fields = fields(node, as: StyleKey.self) else { return nil }
    var style = MediaTextTrackStyle()
    for (key, value) in fields {
      switch key {
      case .fontScale: style.fontScale = number(value, 0.01...100, "a size from 0.01 to 100")
      case .foregroundColor: style.foregroundColor = color(value)
      case .backgroundColor: style.backgroundColor = color(value)
      case .edgeType: style.edgeType = word(value, as: MediaTextTrackStyle.EdgeType.self)
      case .edgeColor: style.edgeColor = color(value)
      case .windowType: style.windowType = word(value, as: MediaTextTrackStyle.WindowType.self)
      case .windowColor: style.windowColor = color(value)
      case .windowCornerRadius: style.windowRoundedCornerRadius = number(value, 0...10_000, "a radius")
      case .fontFamily: style.fontFamily = string(value)
      case .fontGenericFamily:
        style.fontGenericFamily = word(value, as: MediaTextTrackStyle.FontGenericFamily.self)
      case .fontStyle: style.fontStyle = word(value, as: MediaTextTrackStyle.FontStyle.self)
      case .customData: style.customData = json(value)
      }
    }
    return style
  }

  /// `#RRGGBBAA`; opaque without the last two digits.
  private mutating func color(_ node: DocumentNode) -> MediaTextTrackStyle.Color? {
    guard let text = node.string, let color = MediaTextTrackStyle.Color(css: text) else {
      fail(node, "\(shown(node)) is not a colour", hint: "write \"#RRGGBBAA\" in quotes")
      return nil
    }
    return color.canonical
  }
}
