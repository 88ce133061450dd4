/// What the simulated device can play (protocol 12.1, 12.2).
enum MediaFormats {
  private static let manifests: Set<String> = [
    "application/x-mpegurl", "application/vnd.apple.mpegurl", "audio/mpegurl", "audio/x-mpegurl",
    "application/dash+xml", "application/vnd.ms-sstr+xml",
  ]
  private static let video: Set<String> = [
    "video/mp4", "video/webm", "video/mp2t", "video/ogg", "video/x-m4v",
  ]
  private static let audio: Set<String> = [
    "audio/mp4", "audio/webm", "audio/mpeg", "audio/mp3", "audio/flac", "audio/x-flac", "audio/wav",
    "audio/wave",
    "audio/x-wav", "audio/vnd.wave", "audio/ogg", "audio/aac", "audio/aacp", "audio/x-m4a", "application/ogg",
  ]
  private static let images: Set<String> = [
    "image/apng", "image/bmp", "image/gif", "image/jpeg", "image/jpg", "image/png", "image/webp",
  ]
  /// The types that servers send by default; they carry no information about the medium.
  private static let meaningless: Set<String> = [
    "application/octet-stream", "binary/octet-stream", "text/plain",
  ]

  /// A content type without parameters, in lower case.
  static func plain(_ contentType: String?) -> String? {
    contentType?.split(separator: ";").first.map { $0.filter { $0 != " " }.lowercased() }
  }

  static func isManifest(_ contentType: String?) -> Bool {
    plain(contentType).map(manifests.contains) ?? false
  }

  static func isImage(_ contentType: String?) -> Bool { plain(contentType)?.hasPrefix("image/") ?? false }

  /// `mediaCategory` of a status; nil when the type does not determine it (protocol 6.8).
  static func category(of contentType: String?) -> String? {
    guard let type = plain(contentType) else { return nil }
    if type.hasPrefix("image/") { return "IMAGE" }
    if type.hasPrefix("audio/"), !manifests.contains(type) { return "AUDIO" }
    return type.hasPrefix("video/") || manifests.contains(type) ? "VIDEO" : nil
  }

  /// Whether the device plays a medium, from the type in the request and the type the server gave.
  ///
  /// The request's type picks the player; the server's matters only when it is plainly something else.
  static func canPlay(declared: String?, served: String?, audioOnly: Bool) -> Bool {
    let served = plain(served).flatMap { meaningless.contains($0) ? nil : $0 }
    guard let type = plain(declared) ?? served, isKnown(type, audioOnly: audioOnly) else { return false }
    guard let served, plain(declared) != nil else { return true }
    if manifests.contains(type) { return !served.hasPrefix("image/") }
    return isKnown(served, audioOnly: audioOnly) && isImage(served) == isImage(type)
  }

  /// Whether a screen plays media of that type.
  static func canPlay(declared: String?) -> Bool {
    plain(declared).map { isKnown($0, audioOnly: false) } ?? false
  }

  private static func isKnown(_ type: String, audioOnly: Bool) -> Bool {
    if manifests.contains(type) || audio.contains(type) { return true }
    return !audioOnly && (video.contains(type) || images.contains(type))
  }
}
