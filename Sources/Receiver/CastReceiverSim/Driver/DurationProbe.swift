/// Determines the type and the duration of a medium from as few of its bytes as possible.
///
/// It receives bytes as they arrive, and reports when it has seen enough or which offset it needs. It never keeps more than `limit`
/// bytes.
struct DurationProbe: Sendable {
  enum Verdict: Sendable, Equatable {
    case needsMore
    /// The bytes from this offset of the file are needed instead.
    case seek(to: Int)
    case done(MediaFacts)
    /// These bytes are no film and no sound.
    case unsupported
  }

  /// Most bytes kept.
  static let limit = 1 << 20

  private let contentType: String?
  /// Length of the whole file; nil when the server does not state it.
  private let length: Int?
  /// Offset of the first kept byte in the file.
  private var base = 0
  private var bytes: [UInt8] = []
  /// Whether all bytes have arrived.
  private var isOver = false
  /// Whether bytes that are no film and no sound are `unsupported`; otherwise their length is unknown.
  private let refusesJunk: Bool

  init(contentType: String?, length: Int?, refusesJunk: Bool = false) {
    self.contentType = contentType
    self.length = length
    self.refusesJunk = refusesJunk
  }

  /// Restarts at an offset, after `seek`.
  mutating func restart(at offset: Int) {
    base = offset
    bytes = []
  }

  /// Receives the next bytes. At `limit`, `needsMore` becomes an unknown duration.
  mutating func append(_ new: some Collection<UInt8>) -> Verdict {
    bytes.append(contentsOf: new.prefix(max(0, Self.limit - bytes.count)))
    let verdict = judged()
    guard verdict == .needsMore, bytes.count >= Self.limit else { return verdict }
    return end().map { .done($0) } ?? .unsupported
  }

  /// The facts when no more bytes arrive; nil where they are no film and no sound.
  mutating func end() -> MediaFacts? {
    isOver = true
    switch judged() {
    case .done(let facts): return facts
    case .unsupported: return nil
    case .needsMore, .seek: return refusesJunk && base == 0 && isText ? nil : facts(nil)
    }
  }

  private func facts(_ duration: Double?) -> MediaFacts {
    MediaFacts(duration: duration, contentType: contentType)
  }

  private func judged() -> Verdict {
    if base == 0 {
      if MediaFormats.isImage(contentType) { return .done(image) }
      if MediaFormats.isManifest(contentType) { return .done(facts(nil)) }
    }
    guard base == 0 ? bytes.count >= 12 : !bytes.isEmpty else { return .needsMore }
    if base > 0 { return isAudioFrame ? mp3(at: 0) : boxes(from: 0) }
    if text(4, 4) == "ftyp" || text(4, 4) == "moov" { return boxes(from: 0) }
    if text(0, 4) == "RIFF", text(8, 4) == "WAVE" { return wave() }
    if text(0, 3) == "ID3" || isAudioFrame { return mp3(at: 0) }
    return isText ? junk : .done(facts(nil))
  }

  private var junk: Verdict { refusesJunk ? .unsupported : .done(facts(nil)) }

  // MARK: reading

  private func text(_ offset: Int, _ count: Int) -> String {
    guard offset >= 0, offset + count <= bytes.count else { return "" }
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }

  private func big(_ offset: Int, _ count: Int) -> UInt64? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func little(_ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Whether it begins as no container does, or is empty: each has a size, a version or a mark in its first bytes.
  private var isText: Bool {
    bytes.prefix(12).allSatisfy { (0x20..<0x7F).contains($0) || [0x09, 0x0A, 0x0D].contains($0) }
  }

  // MARK: images

  /// A PNG has its size at a fixed offset; that of other images is not read.
  private var image: MediaFacts {
    var facts = MediaFacts(contentType: contentType, isImage: true)
    if text(12, 4) == "IHDR" {
      facts.width = big(16, 4).flatMap { Int(exactly: $0) }
      facts.height = big(20, 4).flatMap { Int(exactly: $0) }
    }
    return facts
  }

  // MARK: MP4

  /// Walks the boxes of a file or of `moov` until `mvhd` (ISO 14496-12).
  private func boxes(from start: Int) -> Verdict {
    var offset = start
    while true {
      guard var size = big(offset, 4), let kind = big(offset + 4, 4) else { return .needsMore }
      var header = 8
      if size == 1 {
        guard let large = big(offset + 8, 8) else { return .needsMore }
        size = large
        header = 16
      }
      if kind == 0x6D6F_6F76 {  // moov: look inside
        return movie(offset + header, end: size < 1 << 50 && size >= 8 ? offset + Int(size) : nil)
      }
      // A box of size 0 reaches to the end of the file: nothing follows.
      guard size >= UInt64(header), let step = Int(exactly: size), step < 1 << 50 else {
        return .done(facts(nil))
      }
      let next = offset + step
      // Without the description of its tracks a film cannot be played.
      if let length, base + next >= length { return junk }
      if next > bytes.count {
        return next - bytes.count > 65_536 ? .seek(to: base + next) : .needsMore
      }
      offset = next
    }
  }

  /// Reads `mvhd` inside `moov`, then looks whether the file holds all of the `mdat` that follows.
  private func movie(_ start: Int, end: Int?) -> Verdict {
    var offset = start
    while true {
      guard let size = big(offset, 4), let kind = big(offset + 4, 4) else { return .needsMore }
      if kind == 0x6D76_6864 { break }  // mvhd
      guard size >= 8, let step = Int(exactly: size), offset + step <= end ?? 1 << 51 else {
        return .done(facts(nil))
      }
      offset += step
    }
    guard case .done(var found) = movieHeader(offset + 8) else { return .needsMore }
    guard let end, let duration = found.duration, let length, base == 0 else { return .done(found) }
    switch cut(from: end, length: length) {
    case .unknown: return .needsMore
    case .whole: return .done(found)
    case .share(let share):
      found.flaw = .breaks(at: duration * share, code: 102)
      return .done(found)
    }
  }

  private enum Cut {
    case unknown, whole
    /// The share of the media data that is present, 0 to 1.
    case share(Double)
  }

  /// Whether the file ends before its `mdat` does, as after an incomplete copy.
  private func cut(from start: Int, length: Int) -> Cut {
    var offset = start
    while offset < length {
      guard let size = big(offset, 4), let kind = big(offset + 4, 4) else {
        return isOver || offset - bytes.count > 65_536 ? .whole : .unknown
      }
      let whole = size == 1 ? big(offset + 8, 8) : size
      guard let whole, let step = Int(exactly: whole), step >= 8, step < 1 << 50 else { return .whole }
      if kind == 0x6D64_6174 {  // mdat
        return offset + step > length ? .share(Double(length - offset) / Double(step)) : .whole
      }
      offset += step
    }
    return .whole
  }

  private func movieHeader(_ offset: Int) -> Verdict {
    guard let version = big(offset, 1) else { return .needsMore }
    let isLong = version == 1
    guard let scale = big(offset + (isLong ? 20 : 12), 4),
      let duration = big(offset + (isLong ? 24 : 16), isLong ? 8 : 4)
    else { return .needsMore }
    let isUnknown = duration == 0 || duration == (isLong ? UInt64.max : UInt64(UInt32.max)) || scale == 0
    return .done(facts(isUnknown ? nil : Double(duration) / Double(scale)))
  }

  // MARK: WAV

  private func wave() -> Verdict {
    var offset = 12
    var rate: Int?
    while true {
      guard let size = little(offset + 4, 4) else { return .needsMore }
      let kind = text(offset, 4)
      if kind == "fmt " {
        rate = little(offset + 16, 4)
        if rate == nil { return .needsMore }
      }
      if kind == "data" {
        guard let rate, rate > 0 else { return .done(facts(nil)) }
        // A writer that streams does not know the size.
        let isKnown = size > 0 && size < 0xFFFF_FFFF
        let data = isKnown ? size : length.map { max(0, $0 - offset - 8) }
        return .done(facts(data.map { Double($0) / Double(rate) }))
      }
      offset += 8 + size + size % 2
      if offset > Self.limit { return .done(facts(nil)) }
    }
  }

  // MARK: MP3

  private var isAudioFrame: Bool { bytes.count >= 2 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 }

  private func mp3(at start: Int) -> Verdict {
    var offset = start
    if text(0, 3) == "ID3" {
      guard bytes.count >= 10 else { return .needsMore }
      // Four bytes of seven bits each.
      let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      offset = 10 + size
      if offset > bytes.count, offset - bytes.count > 65_536 { return .seek(to: base + offset) }
    }
    guard let header = big(offset, 4), offset + 200 <= bytes.count || atEnd else { return .needsMore }
    guard let frame = MPEGFrame(header: UInt32(truncatingIfNeeded: header)) else { return .done(facts(nil)) }
    for place in [36, 21, 13] where ["Xing", "Info"].contains(text(offset + place, 4)) {
      if let flags = big(offset + place + 4, 4), flags & 1 == 1, let frames = big(offset + place + 8, 4) {
        return .done(facts(Double(frames) * Double(frame.samples) / Double(frame.sampleRate)))
      }
    }
    guard let length else { return .done(facts(nil)) }
    return .done(facts(Double(max(0, length - base - offset)) * 8 / Double(frame.bitRate)))
  }

  private var atEnd: Bool { length.map { base + bytes.count >= $0 } ?? false }
}

/// The header of one MPEG audio frame (ISO 11172-3, layer III).
struct MPEGFrame: Sendable {
  /// Bits per second.
  var bitRate: Int
  /// Samples per second.
  var sampleRate: Int
  /// Samples in the frame.
  var samples: Int

  /// Nil when the four bytes are no layer III header.
  init?(header: UInt32) {
    let version = header >> 19 & 3
    let layer = header >> 17 & 3
    let rateIndex = Int(header >> 12 & 15)
    let sampleIndex = Int(header >> 10 & 3)
    guard header >> 21 == 0x7FF, version != 1, layer == 1, (1...14).contains(rateIndex), sampleIndex < 3
    else {
      return nil
    }
    let isFirst = version == 3
    let first = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    let second = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    bitRate = (isFirst ? first : second)[rateIndex - 1] * 1000
    sampleRate = [44_100, 48_000, 32_000][sampleIndex] / (isFirst ? 1 : version == 2 ? 2 : 4)
    samples = isFirst ? 1152 : 576
  }
}
