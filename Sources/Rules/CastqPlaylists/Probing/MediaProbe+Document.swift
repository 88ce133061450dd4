package import CastProtocol
package import CastqText

/// Reads what `ffprobe -of json -show_format -show_streams` prints, and writes the same form for the store.
///
/// The document describes a file of anybody, so every text in it is cut and cleaned, and every number has a range.
extension MediaProbe {
  /// How much of a document is read. What is beyond is left out; only a document that is too large is an error.
  package enum Limits {
    /// Of the whole document, in bytes.
    package static let bytes = 1 << 20
    package static let streams = 100
    /// Of one file.
    package static let tags = 64
    /// Of a tag's name, a codec and other names, in characters.
    package static let name = 64
    /// Of a tag's value, in characters.
    package static let value = 500
    /// The longest length that is believed, in seconds: about three years.
    package static let duration = 1e8
    /// Of the names of a container.
    package static let formats = 16
  }

  /// - Throws: when it is no document of `ffprobe`, or one without a container.
  package init(document bytes: [UInt8]) throws(TextError) {
    guard bytes.count <= Limits.bytes else {
      throw TextError("the answer is larger than \(Limits.bytes) bytes")
    }
    let root: JSONValue
    do throws(JSONError) { root = try JSONValue(parsing: bytes) } catch {
      throw TextError("the answer is not JSON: \(error.reason) at byte \(error.offset)")
    }
    try self.init(document: root)
  }

  /// - Throws: when it has no container.
  package init(document: JSONValue) throws(TextError) {
    guard let format = document["format"], let names = format["format_name"]?.string else {
      throw TextError("the answer names no container")
    }
    self.init()
    formats = names.utf8.split(separator: UInt8(ascii: ","), maxSplits: Limits.formats).prefix(Limits.formats)
      .compactMap { Self.name(String(Substring($0))) }
    streams = (document["streams"]?.array ?? []).prefix(Limits.streams).compactMap(Stream.init(document:))
    duration = Self.seconds(format["duration"]) ?? Self.longest(document["streams"])
    bitRate = Self.whole(format["bit_rate"], 1...(1 << 40))
    tags = Self.tags(format["tags"])
    // Ogg has the tags of its container in the first stream.
    if formats.contains("ogg"), let number = streams.first?.index,
      let first = document["streams"]?.array?.first(where: { Self.whole($0["index"], 0...9999) == number })
    {
      tags.merge(Self.tags(first["tags"])) { own, _ in own }
    }
  }

  /// The same facts in the form that is read.
  package var document: JSONValue {
    let format: JSONValue = .members([
      "format_name": .string(formats.joined(separator: ",")), "duration": JSONValue(duration),
      "bit_rate": JSONValue(bitRate), "tags": .object(tags.mapValues(JSONValue.string)),
    ])
    return ["format": format, "streams": .array(streams.map(\.document))]
  }

  private static func longest(_ streams: JSONValue?) -> Double? {
    (streams?.array ?? []).prefix(Limits.streams).compactMap { seconds($0["duration"]) }.max()
  }

  // MARK: - Values

  /// `ffprobe` writes most numbers as strings, and `N/A` for those it does not know.
  fileprivate static func number(_ value: JSONValue?) -> Double? {
    guard let number = value?.double ?? value?.string.flatMap(decimal) else { return nil }
    return number.isFinite ? number : nil
  }

  private static func decimal(_ text: String) -> Double? {
    guard (1...40).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) })
    else { return nil }
    return Double(text)
  }

  fileprivate static func whole(_ value: JSONValue?, _ range: ClosedRange<Int>) -> Int? {
    number(value).flatMap(Int.init(exactly:)).flatMap { range.contains($0) ? $0 : nil }
  }

  private static func seconds(_ value: JSONValue?) -> Double? {
    number(value).flatMap { $0 > 0 && $0 <= Limits.duration ? $0 : nil }
  }

  fileprivate static func name(_ text: String?) -> String? {
    guard let clean = text.flatMap({ Self.text($0, limit: Limits.name) }), clean != "unknown" else {
      return nil
    }
    return clean
  }

  /// What is cut off may leave a blank at the end.
  private static func text(_ text: String, limit: Int) -> String? {
    let clean = EntryText(EntryText(text, limit: limit).value, limit: limit).value
    return clean.isEmpty ? nil : clean
  }

  /// Of two names that differ in case the one that sorts first counts.
  fileprivate static func tags(_ value: JSONValue?) -> [String: String] {
    let members = (value?.object ?? [:]).sorted { $0.key < $1.key }
    var tags: [String: String] = [:]
    for (key, value) in members where tags.count < Limits.tags {
      guard key.utf8.count <= Limits.name, let name = name(key)?.lowercased(), name.utf8.count <= Limits.name,
        let words = value.string.flatMap({ text($0, limit: Limits.value) })
      else { continue }
      if tags[name] == nil { tags[name] = words }
    }
    return tags
  }
}

extension MediaProbe.Stream {
  /// Nil for one without a number.
  fileprivate init?(document: JSONValue) {
    guard let index = MediaProbe.whole(document["index"], 0...9999) else { return nil }
    let disposition = document["disposition"]
    self.init(Self.kind(document), index: index, codec: MediaProbe.name(document["codec_name"]?.string))
    profile = MediaProbe.name(document["profile"]?.string)
    level = MediaProbe.whole(document["level"], 0...9999)
    width = MediaProbe.whole(document["width"], 1...65_535)
    height = MediaProbe.whole(document["height"], 1...65_535)
    pixelFormat = MediaProbe.name(document["pix_fmt"]?.string)
    frameRate = Self.rate(document["avg_frame_rate"]) ?? Self.rate(document["r_frame_rate"])
    channels = MediaProbe.whole(document["channels"], 1...1024)
    sampleRate = MediaProbe.whole(document["sample_rate"], 1...10_000_000)
    let tags = MediaProbe.tags(document["tags"])
    language = tags["language"].flatMap { $0 == "und" ? nil : MediaProbe.name($0) }
    title = tags["title"]
    isDefault = disposition?["default"]?.int == 1
  }

  private static func kind(_ document: JSONValue) -> Kind {
    switch document["codec_type"]?.string {
    case "video": document["disposition"]?["attached_pic"]?.int == 1 ? .cover : .video
    case "audio": .audio
    case "subtitle": .subtitle
    default: .other
    }
  }

  /// `30000/1001`; `0/0` is unknown.
  private static func rate(_ value: JSONValue?) -> Double? {
    let rate: Double?
    if let parts = value?.string?.split(separator: "/"), parts.count == 2 {
      let (top, bottom) = (
        MediaProbe.number(.string(String(parts[0]))), MediaProbe.number(.string(String(parts[1])))
      )
      rate = top.flatMap { top in bottom.map { top / $0 } }
    } else {
      rate = MediaProbe.number(value)
    }
    return rate.flatMap { $0 > 0 && $0 <= 10_000 ? $0 : nil }
  }

  fileprivate var document: JSONValue {
    var disposition: [String: JSONValue] = [:]
    if isDefault { disposition["default"] = 1 }
    if kind == .cover { disposition["attached_pic"] = 1 }
    let tags = ["language": language, "title": title].compactMapValues { $0.map(JSONValue.string) }
    return .members([
      "index": .integer(Int64(index)), "codec_type": .string(kind.codecType), "codec_name": JSONValue(codec),
      "profile": JSONValue(profile), "level": JSONValue(level), "width": JSONValue(width),
      "height": JSONValue(height), "pix_fmt": JSONValue(pixelFormat),
      "avg_frame_rate": JSONValue(frameRate), "channels": JSONValue(channels),
      "sample_rate": JSONValue(sampleRate), "disposition": disposition.isEmpty ? nil : .object(disposition),
      "tags": tags.isEmpty ? nil : .object(tags),
    ])
  }
}

extension MediaProbe.Stream.Kind {
  /// As `ffprobe` calls it.
  fileprivate var codecType: String {
    switch self {
    case .video, .cover: "video"
    case .audio: "audio"
    case .subtitle: "subtitle"
    case .other: "data"
    }
  }
}
