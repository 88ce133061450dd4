/// The keys of one kind of mapping in a native playlist.
protocol NativeKey: RawRepresentable, CaseIterable, Sendable, Hashable where RawValue == String {
  /// The name of the mapping in messages.
  static var whole: String { get }
}

extension NativeKey {
  static var names: [String] { allCases.map(\.rawValue) }
}

/// The list as a whole.
enum PlaylistKey: String, NativeKey {
  case castq, name, `repeat`, shuffle, foreign, defaults, fallback, entries

  static let whole = "a playlist"
}

/// One entry.
enum EntryKey: String, NativeKey {
  case url, file
  case contentID = "content_id"
  case entity
  case atvEntity = "atv_entity"
  case type, stream, duration, title, subtitle, metadata, images, tracks
  case activeTracks = "active_tracks"
  case subtitles
  case style, breaks, clips, vmap
  case hlsSegmentFormat = "hls_segment_format"
  case hlsVideoSegmentFormat = "hls_video_segment_format"
  case startAbsoluteTime = "start_absolute_time"
  case start, end
  case playFor = "play_for"
  case preload, autoplay, rate
  case customData = "custom_data"
  case itemCustomData = "item_custom_data"
  case credentials
  case credentialsType = "credentials_type"
  case notBefore = "not_before"
  case notAfter = "not_after"
  case onError = "on_error"
  case foreign

  static let whole = "an entry"

  /// Keys that locate an entry; `defaults` may not hold them.
  static let places: Set<EntryKey> = [.url, .file, .contentID, .entity]
}

/// What is meant for other players.
enum ForeignKey: String, NativeKey {
  case attributes, lines, list, notes

  static let whole = "foreign fields"
}

/// What a list says of itself to other players.
enum ForeignListKey: String, NativeKey {
  case attributes, notes

  static let whole = "foreign fields of a list"
}

/// A link, a meta or an extension of a list for other players.
enum ForeignNoteKey: String, NativeKey {
  case kind, name, value, list

  static let whole = "a note"
}

/// A picture.
enum ImageKey: String, NativeKey {
  case url, file, width, height

  static let whole = "an image"
}

/// A text, audio or video track.
enum TrackKey: String, NativeKey {
  case id, kind, subtype, url, file, type, language, name, offset, roles
  case customData = "custom_data"

  static let whole = "a track"
}

/// How subtitles look.
enum StyleKey: String, NativeKey {
  case fontScale = "font_scale"
  case foregroundColor = "foreground_color"
  case backgroundColor = "background_color"
  case edgeType = "edge_type"
  case edgeColor = "edge_color"
  case windowType = "window_type"
  case windowColor = "window_color"
  case windowCornerRadius = "window_corner_radius"
  case fontFamily = "font_family"
  case fontGenericFamily = "font_generic_family"
  case fontStyle = "font_style"
  case customData = "custom_data"

  static let whole = "a text style"
}

/// An ad break.
enum BreakKey: String, NativeKey {
  case id, position, clips, duration, embedded, expanded, watched

  static let whole = "a break"
}

/// A clip of ad breaks.
enum ClipKey: String, NativeKey {
  case id, title, url, file
  case contentID = "content_id"
  case type, duration
  case clickThrough = "click_through"
  case poster
  case skippableAfter = "skippable_after"
  case hlsSegmentFormat = "hls_segment_format"
  case hlsVideoSegmentFormat = "hls_video_segment_format"
  case vast
  case customData = "custom_data"

  static let whole = "a clip"
}

/// An ad request.
enum AdsRequestKey: String, NativeKey {
  case url, file, document

  static let whole = "an ad request"
}
