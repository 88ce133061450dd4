import CastProtocol
import CastqText

/// Writes a playlist in castq's own format; reading it gives the same playlist again.
package struct NativeWriter: Sendable {
  private let playlist: Playlist

  package init(_ playlist: Playlist) { self.playlist = playlist }

  /// The playlist as YAML or JSON text; ends in a line feed.
  package func text(_ format: PlaylistFormat) -> String {
    format == .json ? JSONDocumentWriter.text(root) : YAMLWriter.text(root)
  }

  private var root: OutputNode {
    var root = OutputMapping()
    root["castq"] = 1
    root["name"] = playlist.name
    root["repeat"] = playlist.repeatMode?.rawValue
    root["shuffle"] = playlist.isShuffled
    if let foreign = playlist.foreign.listOutput { root.add("foreign", foreign) }
    root.list("entries", playlist.drafts.map { .mapping(Self.entry($0)) }, always: true)
    if let fallback = playlist.fallback {
      root.list("fallback", fallback.map { .mapping(Self.entry($0)) }, always: true)
    }
    return .mapping(root)
  }

  static func entry(_ draft: EntryDraft) -> OutputMapping {
    let media = draft.media
    var entry = OutputMapping()
    // The identifier of a list from the network stays an identifier: read as a file, it would be served.
    if let url = media.contentURL {
      entry["content_id"] = media.contentID
      place(url, &entry)
    } else if isAddress(media.contentID), draft.origin.mayName(media.contentID) {
      place(media.contentID, &entry)
    } else if !media.contentID.isEmpty {
      entry["content_id"] = media.contentID
    }
    entry["entity"] = media.entity
    entry["atv_entity"] = media.atvEntity
    entry["type"] = media.contentType
    entry["stream"] = media.streamType.word.lowercased()
    entry["duration"] = media.streamDuration?.seconds
    if let metadata = media.metadata { self.metadata(metadata, &entry) }
    entry.list("tracks", media.mediaTracks.map(track))
    if let ids = draft.activeTrackIDs {
      entry.list("active_tracks", ids.map { .scalar(.integer(Int64($0))) }, always: true)
    }
    if let style = media.textTrackStyle { entry.add("style", .mapping(self.style(style))) }
    entry.list("clips", media.adBreakClips.map { clip($0, of: draft.origin) })
    entry.list("breaks", media.adBreaks.map(adBreak))
    if let request = media.vmapAdsRequest { entry.add("vmap", adsRequest(request)) }
    entry["hls_segment_format"] = media.hlsSegmentFormat?.word
    entry["hls_video_segment_format"] = media.hlsVideoSegmentFormat?.word
    entry["start_absolute_time"] = media.startAbsoluteTime
    playing(draft, &entry)
    return entry
  }

  private static func playing(_ draft: EntryDraft, _ entry: inout OutputMapping) {
    entry["start"] = draft.startTime?.seconds
    entry["play_for"] = draft.playbackDuration?.seconds
    entry["preload"] = draft.preloadTime?.seconds
    entry["autoplay"] = draft.autoplay ? nil : false
    entry["rate"] = draft.playbackRate
    entry.json("custom_data", draft.media.customData)
    entry.json("item_custom_data", draft.customData)
    entry["credentials"] = draft.credentials
    entry["credentials_type"] = draft.credentialsType
    entry["not_before"] = draft.notBefore.map(RFC3339.text)
    entry["not_after"] = draft.notAfter.map(RFC3339.text)
    entry["on_error"] = draft.onError?.description
    if let foreign = draft.foreign.output { entry.add("foreign", foreign) }
  }

  private static func isAddress(_ url: String) -> Bool {
    ["file", "http", "https"].contains(WebAddress.scheme(of: url)?.scheme)
  }

  /// The path of a file if it is equivalent, because it is easier to read. Control characters are read in addresses alone.
  private static func place(_ url: String, _ mapping: inout OutputMapping) {
    if let path = path(url) { mapping["file"] = path } else { mapping["url"] = url }
  }

  private static func path(_ url: String) -> String? {
    guard WebAddress.scheme(of: url)?.scheme == "file", let path = try? FilePath.path(url: url),
      FilePath.url(path) == url, TerminalText.sanitized(path) == path
    else { return nil }
    return path
  }

  /// The place as one text, where a mapping is not possible.
  private static func place(_ url: String) -> String { path(url) ?? url }

  private static func metadata(_ metadata: MediaMetadata, _ entry: inout OutputMapping) {
    var members = OutputMapping()
    let kind = MetadataKey.kinds.first { $0.1 == metadata.kind }?.0
    if let kind { members["kind"] = kind } else { members["kind"] = metadata.kind.rawValue }
    for (wire, value) in metadata.values.sorted(by: { $0.key < $1.key }) {
      switch wire {
      // These two are written at the top level, where people look for them.
      case "title" where value.string != nil, "subtitle" where value.string != nil: continue
      default: members.json(MetadataKey.onWire(wire)?.name ?? wire, value)
      }
    }
    entry["title"] = metadata.values["title"]?.string
    entry["subtitle"] = metadata.values["subtitle"]?.string
    entry.add("metadata", .mapping(members))
    entry.list("images", metadata.images.map(image))
  }

  private static func image(_ image: Image) -> OutputNode {
    var members = OutputMapping()
    place(image.url, &members)
    members["width"] = image.width
    members["height"] = image.height
    return .mapping(members)
  }

  private static func track(_ track: MediaTrack) -> OutputNode {
    var members = OutputMapping()
    members["id"] = track.identifier
    members["kind"] = track.kind.word.lowercased()
    members["subtype"] = track.textSubtype?.word.lowercased()
    if let url = track.contentIdentifier { place(url, &members) }
    members["type"] = track.contentType
    members["language"] = track.languageCode
    members["name"] = track.name
    if track.subtitleOffset != 0 { members["offset"] = track.subtitleOffset }
    members.list("roles", track.roles.map { .scalar(.string($0)) })
    members.json("custom_data", track.ownCustomData)
    return .mapping(members)
  }

  private static func style(_ style: MediaTextTrackStyle) -> OutputMapping {
    var members = OutputMapping()
    members["font_scale"] = style.fontScale
    members["foreground_color"] = style.foregroundColor?.text
    members["background_color"] = style.backgroundColor?.text
    members["edge_type"] = style.edgeType?.word.lowercased()
    members["edge_color"] = style.edgeColor?.text
    members["window_type"] = style.windowType?.word.lowercased()
    members["window_color"] = style.windowColor?.text
    members["window_corner_radius"] = style.windowRoundedCornerRadius
    members["font_family"] = style.fontFamily
    members["font_generic_family"] = style.fontGenericFamily?.word.lowercased()
    members["font_style"] = style.fontStyle?.word.lowercased()
    members.json("custom_data", style.customData)
    return members
  }

  private static func adBreak(_ adBreak: AdBreakInfo) -> OutputNode {
    var members = OutputMapping()
    members["id"] = adBreak.identifier
    switch adBreak.position {
    case .at(let time) where time == .zero: members["position"] = "start"
    case .at(let time): members["position"] = time.seconds
    case .postroll: members["position"] = "end"
    }
    members.list("clips", adBreak.clipIdentifiers.map { .scalar(.string($0)) }, always: true)
    members["duration"] = adBreak.duration?.seconds
    members["embedded"] = adBreak.isEmbedded ? true : nil
    members["expanded"] = adBreak.isExpanded ? true : nil
    members["watched"] = adBreak.isWatched ? true : nil
    return .mapping(members)
  }

  private static func clip(_ clip: AdBreakClipInfo, of origin: EntryOrigin) -> OutputNode {
    var members = OutputMapping()
    members["id"] = clip.identifier
    members["title"] = clip.title
    if let url = clip.contentURL {
      members["content_id"] = clip.contentID
      place(url, &members)
    } else if let id = clip.contentID, isAddress(id), origin.mayName(id) {
      place(id, &members)
    } else {
      members["content_id"] = clip.contentID
    }
    members["type"] = clip.contentType
    members["duration"] = clip.duration?.seconds
    members["click_through"] = clip.clickThroughURL
    members["poster"] = clip.posterURL.map(place)
    members["skippable_after"] = clip.whenSkippable?.seconds
    members["hls_segment_format"] = clip.hlsSegmentFormat?.word
    members["hls_video_segment_format"] = clip.hlsVideoSegmentFormat?.word
    if let request = clip.vastAdsRequest { members.add("vast", adsRequest(request)) }
    members.json("custom_data", clip.customData)
    return .mapping(members)
  }

  private static func adsRequest(_ request: VASTAdsRequest) -> OutputNode {
    var members = OutputMapping()
    if let url = request.adTagURL { place(url, &members) }
    members["document"] = request.adsResponse
    return .mapping(members)
  }
}
