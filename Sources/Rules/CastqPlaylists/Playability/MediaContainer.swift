/// A container of media, as far as devices tell them apart.
enum MediaContainer: Sendable, Hashable {
  case mp4, quickTime, webM, matroska, transportStream, ogg, mp3, wave, flac, adts
  /// One that no device documents, by the name that `ffprobe` gives it.
  case foreign(String)

  /// The container of a file.
  ///
  /// - Parameter declaredType: the type by its name. `ffprobe` has one name for Matroska and WebM.
  init(_ probe: MediaProbe, declaredType: String?) {
    let names = Set(probe.formats)
    if names.contains("mp4") {
      let brand = probe.tags["major_brand"]?.filter { $0 != " " }
      self = brand == "qt" ? .quickTime : .mp4
    } else if names.contains("matroska") || names.contains("webm") {
      let isWebM = declaredType != "video/x-matroska" && declaredType != "audio/x-matroska"
      self = isWebM && Self.holdsWebM(probe) ? .webM : .matroska
    } else if let known = Self.byName.first(where: { names.contains($0.name) }) {
      self = known.container
    } else {
      self = .foreign(probe.formats.first ?? "")
    }
  }

  private static let byName: [(name: String, container: MediaContainer)] = [
    ("mpegts", .transportStream), ("ogg", .ogg), ("mp3", .mp3), ("wav", .wave), ("flac", .flac),
    ("aac", .adts),
  ]

  private static func holdsWebM(_ probe: MediaProbe) -> Bool {
    probe.streams.allSatisfy { stream in
      switch stream.kind {
      case .video: ["vp8", "vp9", "av1"].contains(stream.codec)
      case .audio: ["opus", "vorbis"].contains(stream.codec)
      case .subtitle, .cover, .other: true
      }
    }
  }

  /// Whether devices document it (protocol 12.1).
  var isDocumented: Bool {
    switch self {
    case .mp4, .webM, .transportStream, .ogg, .mp3, .wave, .flac, .adts: true
    case .quickTime, .matroska, .foreign: false
    }
  }

  /// Foreign ones that no player of a device reads, by the names that `ffprobe` gives them.
  static let unreadable: Set = ["avi", "asf", "flv", "live_flv", "mpeg", "rm"]

  /// Codecs of pictures that players find in it. Devices take HEVC in a transport stream for broken (protocol 12.3).
  var videoCodecs: Set<VideoCodec> {
    switch self {
    case .mp4: [.h264, .hevc, .vp9, .av1]
    case .webM: [.vp8, .vp9, .av1]
    case .transportStream: [.h264]
    case .quickTime, .matroska, .ogg, .mp3, .wave, .flac, .adts, .foreign: []
    }
  }

  /// Whether players find this codec of sound in it.
  func holds(audio codec: String) -> Bool {
    switch self {
    case .mp4: ["aac", "mp3", "flac", "opus"].contains(codec)
    case .webM: ["opus", "vorbis"].contains(codec)
    case .transportStream: ["aac", "mp3"].contains(codec)
    case .ogg: ["opus", "vorbis", "flac"].contains(codec)
    case .mp3: codec == "mp3"
    case .wave: ["pcm_s16le", "pcm_s24le", "pcm_u8", "pcm_f32le"].contains(codec)
    case .flac: codec == "flac"
    case .adts: codec == "aac"
    case .quickTime, .matroska, .foreign: false
    }
  }

  /// The type to send: the declared one if it names this container, else the usual one.
  func contentType(hasPicture: Bool, declared: String?) -> String {
    let types = contentTypes(hasPicture: hasPicture)
    if let declared, types.contains(declared) { return declared }
    return types.first ?? declared ?? "application/octet-stream"
  }

  /// The usual type first (protocol 12.2).
  private func contentTypes(hasPicture: Bool) -> [String] {
    switch self {
    case .mp4, .quickTime:
      hasPicture ? ["video/mp4", "video/x-m4v"] : ["audio/mp4", "audio/x-m4a", "video/mp4"]
    case .webM, .matroska: hasPicture ? ["video/webm"] : ["audio/webm", "video/webm"]
    case .transportStream: ["video/mp2t"]
    case .ogg: hasPicture ? ["video/ogg"] : ["audio/ogg", "application/ogg"]
    case .mp3: ["audio/mpeg", "audio/mp3"]
    case .wave: ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"]
    case .flac: ["audio/flac", "audio/x-flac"]
    case .adts: ["audio/aac", "audio/aacp"]
    case .foreign: []
    }
  }
}
