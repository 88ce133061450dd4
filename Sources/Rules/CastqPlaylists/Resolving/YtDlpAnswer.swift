import CastProtocol
package import CastqText

/// Reads what `yt-dlp --dump-single-json` writes, and picks the one format that a television plays in one piece.
///
/// Formats of pictures or sound alone are parts that a player would have to put together. So the order is: MP4 with H.264 and AAC in
/// one file, which every receiver plays; an HLS manifest; any other file with both; sound alone, where there is nothing else.
package enum YtDlpAnswer {
  /// - Parameters:
  ///   - program: the name of the resolver, for messages.
  ///   - wall: when it answered.
  package static func read(
    _ bytes: [UInt8], of program: String, at wall: WallTime
  ) throws(LinkFailure) -> ResolvedLink {
    var page = try ResolverFields(bytes, of: program)
    // A page with several films is a list; the first is what the page is about.
    if let entries = page.root["entries"]?.array {
      guard let first = entries.first(where: { $0.object != nil }) else {
        throw LinkFailure("\(program) found nothing to play on the page")
      }
      page = ResolverFields(root: first, program: program)
    }
    let formats = (page.root["formats"]?.array ?? [page.root]).prefix(mostFormats).compactMap {
      YtDlpFormat($0)
    }
    guard let best = formats.max(by: { $0.rank < $1.rank }) else {
      throw LinkFailure(
        "\(program) found no format that a television plays in one piece; pictures and sound are apart, protected, or need a login"
      )
    }
    var link = ResolvedLink(url: try page.url(best.url, named: "url"))
    link.contentType = best.contentType
    link.isLive = page.root["is_live"]?.bool ?? false
    // What is wrong with an ornament costs no film.
    link.duration = (try? page.number("duration")).flatMap { $0 }.map(MediaTime.init(seconds:))
    link.title = page.root["title"]?.string.flatMap(page.title)
    link.picture = page.root["thumbnail"]?.string.flatMap(page.picture)
    link.lifetime = lifetime(of: link.url, at: wall)
    return link
  }

  /// Sites offer a few dozen; more is not a list of formats.
  private static let mostFormats = 1000

  /// How long a link says of itself that it can be fetched: `expire=1700000000` in its query, `/expire/1700000000/` in its path. Nil
  /// when it does not say so, or names a moment that is over, which then means something else.
  static func lifetime(of url: String, at wall: WallTime) -> Duration? {
    let words = url.split(whereSeparator: { "/?&=#".contains($0) })
    for (name, value) in zip(words, words.dropFirst())
    where ["expire", "expires"].contains(name.lowercased()) {
      guard let moment = Double(value), moment >= 1e9, moment < 1e11 else { continue }
      let left = moment - Double(wall.milliseconds) / 1000
      return left > 0 ? .bounded(seconds: left) : nil
    }
    return nil
  }
}

/// One format of a page that a device could fetch and play by itself.
struct YtDlpFormat {
  let url: String
  let contentType: String
  /// The better the higher.
  let rank: Rank

  struct Rank: Comparable {
    /// 3 to 0, in the order that `YtDlpAnswer` names.
    var kind: Int
    /// Lines of the picture, at most those that every television has.
    var height: Int
    var rate: Double

    static func < (left: Rank, right: Rank) -> Bool {
      (left.kind, left.height, left.rate) < (right.kind, right.height, right.rate)
    }
  }

  /// Nil when a device cannot play it alone.
  init?(_ format: JSONValue) {
    guard format["has_drm"]?.bool != true, Self.needed(format["http_headers"]?.object ?? [:]) == nil else {
      return nil
    }
    let scheme = format["protocol"]?.string ?? "https"
    let isManifest = scheme.hasPrefix("m3u8")
    let address = (isManifest ? format["manifest_url"]?.string : nil) ?? format["url"]?.string
    guard let address, address.utf8.count <= ResolvedLink.longestAddress, (try? WebAddress(address)) != nil,
      isManifest || scheme == "https" || scheme == "http"
    else { return nil }
    url = address
    let (picture, sound) = (Codec(format["vcodec"]), Codec(format["acodec"]))
    let height = format["height"]?.double ?? 0
    let rate = format["tbr"]?.double ?? 0
    let name = format["ext"]?.string?.lowercased() ?? ""
    let kind: Int
    switch (picture, sound) {
    // A manifest lists the sound beside the pictures; the one above all says nothing of either.
    case _ where isManifest && (picture != .none || sound != .none):
      (kind, contentType) = (2, ContentTypes.hls)
    case (.none, .none): return nil
    case (.none, _):
      guard let type = Self.sound[name] else { return nil }
      (kind, contentType) = (0, type)
    case (_, .none): return nil
    default:
      guard let type = ContentTypes.standard.type(fileExtension: name), type != ContentTypes.page else {
        return nil
      }
      let isPlain =
        type == "video/mp4" && picture.isPlain(["avc1", "avc3", "h264"]) && sound.isPlain(["mp4a", "aac"])
      (kind, contentType) = (isPlain ? 3 : ContentTypes.family(of: type) == "audio" ? 0 : 1, type)
    }
    // More lines than every television has are no better: the device might not decode them.
    let isTooLarge = height > 1080
    rank = Rank(
      kind: kind, height: isTooLarge || !height.isFinite ? 0 : Int(max(height, 0)),
      rate: rate.isFinite ? rate : 0)
  }

  private static let sound = [
    "m4a": "audio/mp4", "mp4": "audio/mp4", "mp3": "audio/mpeg", "aac": "audio/aac", "webm": "audio/webm",
    "weba": "audio/webm", "opus": "audio/ogg", "ogg": "audio/ogg", "flac": "audio/flac", "wav": "audio/wav",
  ]

  /// yt-dlp names where it came from to most servers, which few of them check.
  private static func needed(_ headers: [String: JSONValue]) -> String? {
    ResolverFields.needed(headers.filter { !["referer", "origin"].contains($0.key.lowercased()) })
  }

  /// What a format says of its pictures, or of its sound.
  private enum Codec: Equatable {
    case none
    /// Not said, as for a file that was found by its name.
    case unknown
    case named(String)

    init(_ value: JSONValue?) {
      switch value?.string?.lowercased() {
      case nil, "": self = .unknown
      case "none": self = .none
      case let name?: self = .named(name)
      }
    }

    /// Whether it is one of these, or may be.
    func isPlain(_ names: [String]) -> Bool {
      switch self {
      case .none: false
      case .unknown: true
      case .named(let name): names.contains { name.hasPrefix($0) }
      }
    }
  }
}
