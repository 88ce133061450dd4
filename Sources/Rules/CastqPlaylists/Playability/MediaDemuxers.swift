/// What castq lets `ffmpeg` open.
package enum MediaDemuxers {
  /// Whether a container, by the name `ffprobe` gives it, holds its media itself. Others (`hls`, `dash`, `concat`, `image2`, `sdp`) name
  /// further files or addresses, which a file that pretends to be a film must not have opened.
  package static func areSafe(_ format: String) -> Bool { safe.contains(format) }

  private static let safe: Set<String> = [
    "mov", "mp4", "m4a", "3gp", "3g2", "mj2", "matroska", "webm", "avi", "asf", "flv", "mpeg", "mpegts",
    "mpegvideo", "h261", "h263", "h264", "hevc", "m4v", "vc1", "ivf", "obu", "av1", "mjpeg", "yuv4mpegpipe",
    "dirac",
    "ogg", "wav", "w64", "aiff", "au", "caf", "voc", "amr", "amrnb", "amrwb", "ac3", "eac3", "dts", "dtshd",
    "truehd",
    "mlp", "aac", "loas", "mp3", "flac", "ape", "wv", "tta", "tak", "mpc", "mpc8", "rm", "nut", "mxf", "gxf",
    "dv",
    "nsv", "nuv", "wtv", "swf", "vivo", "oma", "xwma", "qcp", "gsm", "sox", "ircam", "spdif", "bink", "smk",
    "roq",
    "wc3movie", "4xm", "film_cpk", "thp", "xmv", "pva", "ty", "dsf", "iff", "rso", "avs", "rpl", "mtv",
  ]

  /// Types of containers that no device documents (protocol 12.1), and what people call them.
  static let foreignTypes = [
    "video/x-matroska": "Matroska", "audio/x-matroska": "Matroska", "video/quicktime": "QuickTime",
    "video/x-msvideo": "AVI", "video/x-ms-wmv": "Windows Media", "video/x-ms-asf": "Windows Media",
    "audio/x-ms-wma": "Windows Media", "video/x-flv": "Flash Video", "video/mpeg": "an MPEG program stream",
    "audio/aiff": "AIFF", "audio/x-ape": "Monkey's Audio", "audio/x-wavpack": "WavPack", "audio/ac3": "AC-3",
    "audio/vnd.dts": "DTS", "audio/amr": "AMR", "audio/basic": "AU", "audio/x-caf": "Core Audio",
    "video/x-nut": "NUT", "video/x-mxf": "MXF", "audio/x-tta": "True Audio",
    "video/dv": "DV", "video/vnd.rn-realvideo": "RealMedia",
  ]
}
