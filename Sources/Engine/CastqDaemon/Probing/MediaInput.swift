/// How a local file is named to `ffprobe` and `ffmpeg`.
///
/// Both find out themselves what a file is, and some of what they read names further files and addresses: lists of HLS, scripts of
/// `concat`, manifests, images in a row. A file called `film.mp4` may hold any of these, so only containers that hold their media
/// themselves are read, and only from files.
package enum MediaInput {
  /// Names of demuxers, as `ffprobe -formats` lists them.
  private static let containers = [
    "mov", "matroska", "webm", "avi", "mpegts", "mpeg", "mpegvideo", "mp3", "flac", "ogg", "wav", "w64",
    "aac", "ac3",
    "eac3", "dts", "dtshd", "truehd", "mlp", "aiff", "caf", "au", "amr", "ape", "wv", "tta", "tak", "mpc",
    "mpc8", "dsf", "asf",
    "flv", "rm", "nut", "mxf", "gxf", "dv", "ivf", "obu", "h264", "hevc", "m4v", "h263", "wtv", "nuv",
    "yuv4mpegpipe",
  ]

  /// The arguments that come before `-i`, or before the name, and the name itself.
  package static func arguments(path: String) -> (options: [String], name: String) {
    (
      ["-protocol_whitelist", "file", "-format_whitelist", containers.joined(separator: ",")],
      "file:\(path)"
    )
  }
}
