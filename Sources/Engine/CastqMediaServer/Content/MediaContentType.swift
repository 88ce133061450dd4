import CastProtocol

/// MIME types of media that a Cast device plays, and of files that it shows with them (protocol 12.2).
///
/// A wrong type is the most common cause of LOAD_FAILED, so no type is guessed: an unknown one is nil, and the caller asks the
/// user for a type.
package enum MediaContentType {
  /// The type for a file name or path, by its extension in any case; nil when there is none or it is unknown.
  package static func forName(_ name: String) -> String? {
    guard let ending = ending(ofName: name) else { return nil }
    return byEnding[ending]
  }

  /// Lower-case extension without the dot. A leading dot hides a file and starts no extension.
  static func ending(ofName name: String) -> String? {
    let file =
      name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? name.utf8[...]
    guard let dot = file.lastIndex(of: UInt8(ascii: ".")), dot != file.startIndex else { return nil }
    let ending = file[file.index(after: dot)...]
    guard (1...8).contains(ending.count) else { return nil }
    return String(Substring(ending)).lowercased()
  }

  /// The extension for a type in a URL, for files whose own name has none; nil for types not in the table.
  static func ending(forType type: String) -> String? {
    let essence = type.split(separator: ";", maxSplits: 1).first.map { String($0.lowercased()) } ?? type
    return preferredEndings[essence.filter { $0 != " " }]
  }

  /// Media, and what only a server of files has.
  private static let byEnding = MediaNameTypes.byEnding.merging([
    "mov": "video/quicktime", "mts": "video/mp2t", "wave": "audio/wav", "jpe": "image/jpeg",
    "ism": "application/vnd.ms-sstr+xml", "vtt": "text/vtt", "ttml": "application/ttml+xml",
    "dfxp": "application/ttml+xml", "srt": "application/x-subrip",
  ]) { media, _ in media }

  private static let preferredEndings: [String: String] = [
    "video/mp4": "mp4", "audio/mp4": "m4a", "video/webm": "webm", "audio/webm": "weba",
    "video/x-matroska": "mkv",
    "video/quicktime": "mov", "video/mp2t": "ts", "video/ogg": "ogv", "audio/mpeg": "mp3", "audio/mp3": "mp3",
    "audio/flac": "flac", "audio/wav": "wav", "audio/aac": "aac", "audio/ogg": "ogg",
    "application/x-mpegurl": "m3u8", "application/vnd.apple.mpegurl": "m3u8", "audio/mpegurl": "m3u8",
    "application/dash+xml": "mpd", "application/vnd.ms-sstr+xml": "ism", "image/jpeg": "jpg",
    "image/png": "png",
    "image/gif": "gif", "image/webp": "webp", "image/bmp": "bmp", "text/vtt": "vtt",
    "application/ttml+xml": "ttml", "application/x-subrip": "srt", "text/html": "html",
  ]
}
