import CastProtocol
import CastqText

/// Ad breaks and their clips (protocol 9).
extension NativePlaylistParser {
  /// Clips that several breaks may name.
  mutating func clips(_ node: DocumentNode) -> [AdBreakClipInfo] {
    guard let nodes = list(node) else { return [] }
    var clips: [AdBreakClipInfo] = []
    var ids: Set<String> = []
    for node in nodes {
      guard let clip = clip(node, defaultID: nil) else { continue }
      guard ids.insert(clip.identifier).inserted else {
        fail(node, "another clip has the id `\(TerminalText.excerpt(clip.identifier))` already")
        continue
      }
      clips.append(clip)
    }
    return clips
  }

  /// Breaks, and the clips that are written inside them.
  mutating func breaks(_ node: DocumentNode, _ media: inout MediaInformation) {
    guard let nodes = list(node) else { return }
    var ids: Set<String> = []
    var clipIDs = Set(media.adBreakClips.map(\.identifier))
    for (index, node) in nodes.enumerated() {
      guard
        let adBreak = adBreak(node, defaultID: "break-\(index + 1)", clipIDs: &clipIDs, media: &media)
      else { continue }
      guard ids.insert(adBreak.identifier).inserted else {
        fail(node, "another break has the id `\(TerminalText.excerpt(adBreak.identifier))` already")
        continue
      }
      media.adBreaks.append(adBreak)
    }
  }

  private mutating func adBreak(
    _ node: DocumentNode, defaultID: String, clipIDs: inout Set<String>, media: inout MediaInformation
  ) -> AdBreakInfo? {
    guard let fields = fields(node, as: BreakKey.self) else { return nil }
    var adBreak = AdBreakInfo(identifier: defaultID, clipIdentifiers: [], position: .postroll)
    var clips: DocumentNode?
    var hasPosition = false
    for (key, value) in fields {
      switch key {
      case .id: adBreak.identifier = string(value) ?? defaultID
      case .position:
        if let position = position(value) {
          adBreak.position = position
          hasPosition = true
        }
      case .clips: clips = value
      case .duration: adBreak.duration = time(value)
      case .embedded: adBreak.isEmbedded = flag(value) ?? false
      case .expanded: adBreak.isExpanded = flag(value) ?? false
      case .watched: adBreak.isWatched = flag(value) ?? false
      }
    }
    guard hasPosition else {
      if !fields.contains(where: { $0.key == .position }) {
        fail(node, "the break has no `position`", hint: "write seconds, `start` or `end`")
      }
      return nil
    }
    guard let clips else {
      fail(node, "the break has no `clips`")
      return nil
    }
    for clip in list(clips) ?? [] {
      let number = adBreak.clipIdentifiers.count + 1
      if let name = clip.string {
        if clipIDs.contains(name) {
          adBreak.clipIdentifiers.append(name)
        } else {
          fail(clip, "no clip has the id \(shown(clip))", hint: "list it in `clips`, or write it here")
        }
      } else if let inline = self.clip(clip, defaultID: "\(adBreak.identifier)-\(number)") {
        guard clipIDs.insert(inline.identifier).inserted else {
          fail(clip, "another clip has the id `\(TerminalText.excerpt(inline.identifier))` already")
          continue
        }
        media.adBreakClips.append(inline)
        adBreak.clipIdentifiers.append(inline.identifier)
      }
    }
    return adBreak
  }

  private mutating func position(_ node: DocumentNode) -> AdBreakPosition? {
    switch node.string {
    case "start": return .at(.zero)
    case "end": return .postroll
    default: return time(node).map { .at($0) }
    }
  }

  /// - Parameter defaultID: nil where the clip must have an `id`.
  private mutating func clip(_ node: DocumentNode, defaultID: String?) -> AdBreakClipInfo? {
    guard let fields = fields(node, as: ClipKey.self) else { return nil }
    var clip = AdBreakClipInfo(identifier: defaultID ?? "")
    var (url, file): (DocumentNode?, DocumentNode?)
    for (key, value) in fields {
      switch key {
      case .id: clip.identifier = string(value) ?? clip.identifier
      case .title: clip.title = text(value)
      case .url: url = value
      case .file: file = value
      case .contentID: clip.contentID = identifier(value)
      case .type: clip.contentType = contentType(value)
      case .duration: clip.duration = time(value)
      case .clickThrough: clip.clickThroughURL = address(value)
      case .poster:
        clip.posterURL = location(value, what: "picture", missing: .warning)?.url
      case .skippableAfter: clip.whenSkippable = time(value)
      case .hlsSegmentFormat: clip.hlsSegmentFormat = word(value, as: HLSSegmentFormat.self)
      case .hlsVideoSegmentFormat:
        clip.hlsVideoSegmentFormat = word(value, as: HLSVideoSegmentFormat.self)
      case .vast: clip.vastAdsRequest = adsRequest(value)
      case .customData: clip.customData = json(value)
      }
    }
    guard !clip.identifier.isEmpty else {
      if !fields.contains(where: { $0.key == .id }) {
        fail(node, "the clip has no `id`, so no break can name it")
      }
      return nil
    }
    if let place = only(url, file) {
      guard let location = location(place, what: "clip") else { return nil }
      if clip.contentID == nil { clip.contentID = location.url } else { clip.contentURL = location.url }
      clip.contentType = clip.contentType ?? types.type(path: location.path)
    }
    return clip
  }

  /// An address, or the document itself.
  mutating func adsRequest(_ node: DocumentNode) -> VASTAdsRequest? {
    if node.scalar != nil {
      return location(node, what: "ad document").map { VASTAdsRequest(adTagURL: $0.url) }
    }
    guard let fields = fields(node, as: AdsRequestKey.self) else { return nil }
    var (url, file): (DocumentNode?, DocumentNode?)
    var request = VASTAdsRequest()
    for (key, value) in fields {
      switch key {
      case .url: url = value
      case .file: file = value
      case .document: request.adsResponse = string(value)
      }
    }
    if let place = only(url, file) { request.adTagURL = location(place, what: "ad document")?.url }
    guard request.adTagURL != nil || request.adsResponse != nil else {
      if fields.isEmpty { fail(node, "the ad request has neither an address nor a `document`") }
      return nil
    }
    return request
  }
}
