import CastqText

/// Names of containers and codecs for people.
enum MediaNames {
  /// The name of a codec that `ffprobe` names.
  static func codec(_ name: String?) -> String {
    guard let name, !name.isEmpty else { return "of an unknown kind" }
    if let known = VideoCodec(rawValue: name) { return known.words }
    if let known = codecs[name] { return known }
    if name.hasPrefix("pcm_") { return "PCM" }
    return TerminalText.excerpt(name, limit: 40)
  }

  /// The name of a container.
  static func container(_ container: MediaContainer) -> String {
    switch container {
    case .mp4: "MP4"
    case .quickTime: "QuickTime"
    case .webM: "WebM"
    case .matroska: "Matroska"
    case .transportStream: "MPEG-2 TS"
    case .ogg: "Ogg"
    case .mp3: "MP3"
    case .wave: "WAV"
    case .flac: "FLAC"
    case .adts: "AAC"
    case .foreign(let name): containers[name] ?? TerminalText.excerpt(name, limit: 40)
    }
  }

  private static let codecs = [
    "mpeg1video": "MPEG-1", "mpeg2video": "MPEG-2", "mpeg4": "MPEG-4 Part 2", "msmpeg4v2": "MS MPEG-4",
    "msmpeg4v3": "DivX 3", "h263": "H.263", "h261": "H.261", "wmv1": "Windows Media Video 7",
    "wmv2": "Windows Media Video 8", "wmv3": "Windows Media Video 9", "vc1": "VC-1", "theora": "Theora",
    "mjpeg": "Motion JPEG", "prores": "ProRes", "dnxhd": "DNxHD", "dvvideo": "DV", "flv1": "Flash Video",
    "rv40": "RealVideo 4", "ffv1": "FFV1", "huffyuv": "HuffYUV", "rawvideo": "uncompressed",
    "cinepak": "Cinepak",
    "svq3": "Sorenson 3",
    "aac": "AAC", "mp1": "MP1", "mp2": "MP2", "mp3": "MP3", "ac3": "AC-3", "eac3": "E-AC-3", "dts": "DTS",
    "truehd": "TrueHD", "flac": "FLAC", "alac": "Apple Lossless", "opus": "Opus", "vorbis": "Vorbis",
    "wmav1": "Windows Media Audio", "wmav2": "Windows Media Audio", "wmapro": "Windows Media Audio Pro",
    "wmalossless": "Windows Media Audio Lossless", "amr_nb": "AMR", "amr_wb": "AMR", "ape": "Monkey's Audio",
    "wavpack": "WavPack", "tta": "True Audio", "speex": "Speex", "cook": "RealAudio", "adpcm_ms": "ADPCM",
    "adpcm_ima_wav": "ADPCM",
  ]

  private static let containers = [
    "avi": "AVI", "asf": "Windows Media", "flv": "Flash Video", "mpeg": "an MPEG program stream",
    "mpegvideo": "a bare MPEG stream", "h264": "a bare H.264 stream", "hevc": "a bare HEVC stream",
    "m4v": "a bare MPEG-4 stream", "aiff": "AIFF", "au": "AU", "caf": "Core Audio", "amr": "AMR",
    "ac3": "a bare AC-3 stream", "eac3": "a bare E-AC-3 stream", "dts": "a bare DTS stream", "w64": "Wave64",
    "ape": "Monkey's Audio", "wv": "WavPack", "tta": "True Audio", "rm": "RealMedia", "nut": "NUT",
    "mxf": "MXF",
    "dv": "DV", "ivf": "IVF", "swf": "Flash", "wtv": "Windows recorded television",
  ]
}
