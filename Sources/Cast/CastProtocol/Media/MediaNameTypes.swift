/// MIME types of media by the ending of a file's name: those that receivers document (protocol 12.1, 12.2), and Matroska, which many play
/// without documenting it.
package enum MediaNameTypes {
  /// By the ending in lower case, without a dot.
  package static let byEnding = [
    "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "mkv": "video/x-matroska",
    "ts": "video/mp2t", "m2ts": "video/mp2t", "ogv": "video/ogg",
    "m4a": "audio/mp4", "m4b": "audio/mp4", "weba": "audio/webm", "mp3": "audio/mpeg", "aac": "audio/aac",
    "flac": "audio/flac", "wav": "audio/wav", "mka": "audio/x-matroska",
    // Opus is stored in an Ogg container, which the type names.
    "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
    "m3u8": "application/x-mpegurl", "mpd": "application/dash+xml",
    // An animated PNG is a PNG, and `image/png` is the type that receivers list.
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "apng": "image/png", "gif": "image/gif",
    "webp": "image/webp", "bmp": "image/bmp",
    "html": "text/html", "htm": "text/html", "xhtml": "text/html",
  ]
}
