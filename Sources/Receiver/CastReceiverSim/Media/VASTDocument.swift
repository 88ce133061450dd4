import CastProtocol

/// The parts of a VAST document that a receiver needs for one linear ad: what to play, how long, from when it may be skipped.
///
/// Wrappers and companions are ignored; a missing value is nil.
struct VASTDocument: Sendable, Equatable {
  var title: String?
  var url: String?
  var contentType: String?
  /// Seconds.
  var duration: Double?
  /// Seconds into the clip.
  var skipOffset: Double?
  var clickThrough: String?

  /// Longest document, in bytes; longer ones are ignored.
  static let limit = 256 * 1024

  /// Nil when there is no linear ad with something to play.
  init?(_ text: String) { self.init(AdElement(text)) }

  /// Nil when there is no linear ad with something to play in an element.
  private init?(_ ad: AdElement) {
    guard let linear = ad.first("Linear") else { return nil }
    title = ad.first("AdTitle")?.text
    duration = linear.first("Duration").flatMap { Self.seconds($0.text) }
    let length = duration
    skipOffset = linear.attribute("skipoffset").flatMap { Self.offset($0, of: length) }
    let files = linear.all("MediaFile", limit: 32)
    // A document may offer the same ad in many formats; the first playable one is used.
    let file = files.first { MediaFormats.canPlay(declared: $0.attribute("type")) } ?? files.first
    url = file?.text
    contentType = file?.attribute("type")
    clickThrough = linear.first("ClickThrough")?.text
    if url == nil { return nil }
  }

  /// The ads in an element, in order; wrappers and ads without anything to play are passed over.
  static func ads(in element: AdElement) -> [VASTDocument] {
    element.all("Ad", limit: 16).compactMap { VASTDocument($0) }
  }

  /// `HH:MM:SS`, `HH:MM:SS.mmm`, or a share of the whole as `25%`.
  static func offset(_ text: String, of whole: Double?) -> Double? {
    guard text.hasSuffix("%") else { return seconds(text) }
    guard let share = Double(text.dropLast()), (0...100).contains(share), let whole else { return nil }
    return whole * share / 100
  }

  /// `HH:MM:SS` or `HH:MM:SS.mmm`.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":").map { Double($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      (0...1000).contains(hours), (0..<60).contains(minutes), (0..<61).contains(seconds)
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }

  /// A clip completed from the document; the clip's own members take precedence.
  func completing(_ clip: JSONValue) -> JSONValue {
    var members = clip.object ?? [:]
    let found: [(String, JSONValue?)] = [
      ("contentUrl", url.map(JSONValue.string)), ("contentType", contentType.map(JSONValue.string)),
      ("title", title.map(JSONValue.string)), ("duration", JSONValue(duration)),
      ("whenSkippable", JSONValue(skipOffset)), ("clickThroughUrl", clickThrough.map(JSONValue.string)),
    ]
    for (key, value) in found where members[key] == nil { members[key] = value }
    return .object(members)
  }
}
