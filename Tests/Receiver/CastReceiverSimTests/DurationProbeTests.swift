import CastProtocol
import Testing

@testable import CastReceiverSim

struct DurationProbeTests {
  static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    bytes(content.count + 8, 4) + Array(kind.utf8) + content
  }

  static func movie(milliseconds: Int) -> [UInt8] {
    box("moov", box("mvhd", bytes(0, 12) + bytes(1000, 4) + bytes(milliseconds, 4) + bytes(0, 80)))
  }

  static func wave(seconds: Int, knowsSize: Bool = true) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { bytes(value, count).reversed() }
    let data = [UInt8](repeating: 0, count: 8000 * seconds)
    let format =
      Array("fmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2) + little(8000, 4) + little(8000, 4)
    let head = format + little(1, 2) + little(8, 2) + Array("data".utf8)
    return Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVE".utf8) + head
      + little(knowsSize ? data.count : 0xFFFF_FFFF, 4) + data
  }

  /// Feeds a whole file in pieces, following seeks as a server with ranges would.
  private func duration(of file: [UInt8], type: String? = nil, piece: Int = 1000) -> (Double?, seeks: Int) {
    var probe = DurationProbe(contentType: type, length: file.count)
    var offset = 0
    var seeks = 0
    while offset < file.count {
      switch probe.append(file[offset..<min(offset + piece, file.count)]) {
      case .done(let facts): return (facts.duration, seeks)
      case .unsupported: return (nil, seeks)
      case .seek(let target):
        #expect(target > offset)
        seeks += 1
        offset = target
        probe.restart(at: target)
      case .needsMore: offset += piece
      }
    }
    return (probe.end()?.duration, seeks)
  }

  @Test("the length of a medium is read from its bytes", arguments: [1, 7, 1000, 100_000])
  func lengths(piece: Int) {
    let type = Self.box("ftyp", Array("isom0000".utf8))
    let short = duration(of: type + Self.movie(milliseconds: 4200) + Self.box("mdat", [0, 0]), piece: piece)
    #expect(short.0 == 4.2 && short.seeks == 0)
    let media = Self.box("mdat", [UInt8](repeating: 1, count: 300_000))
    let last = duration(of: type + media + Self.movie(milliseconds: 61_200), piece: piece)
    #expect(last.0 == 61.2 && last.seeks == (piece == 100_000 ? 1 : 1))
    #expect(duration(of: Self.wave(seconds: 3), piece: piece).0 == 3)
    #expect(duration(of: Self.wave(seconds: 3, knowsSize: false), piece: piece).0 == 3)
    // 128 kbit/s at 44.1 kHz: 16,000 bytes a second.
    let frames = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 31_996)
    #expect(duration(of: frames, piece: piece).0 == 2)
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
    #expect(duration(of: tag + frames, piece: piece).0 == 2)
  }

  @Test(
    "a film whose media data is cut off breaks where the bytes end; one that is whole does not",
    arguments: [1, 7, 1000, 200_000])
  func cutFilms(piece: Int) {
    let head =
      Self.box("ftyp", Array("isom0000".utf8)) + Self.movie(milliseconds: 20_000) + Self.box("free", [0])
    let media = Self.box("mdat", [UInt8](repeating: 1, count: 100_000))
    for (share, flaw) in [(0.25, MediaFlaw.breaks(at: 5, code: 102)), (1, nil)] {
      let length = head.count + Int(Double(media.count) * share)
      let file = Array((head + media).prefix(length))
      var probe = DurationProbe(contentType: "video/mp4", length: file.count)
      var facts: MediaFacts?
      for start in stride(from: 0, to: file.count, by: piece) {
        if case .done(let found) = probe.append(file[start..<min(start + piece, file.count)]) {
          facts = facts ?? found
        }
      }
      #expect(facts?.duration == 20 && facts?.flaw == flaw)
    }
  }

  @Test("a film of which nothing but the beginning of its index came still tells its length")
  func onlyTheIndex() {
    let head = Self.box("ftyp", Array("isom0000".utf8)) + Self.movie(milliseconds: 20_000)
    var probe = DurationProbe(contentType: "video/mp4", length: 1_000_000)
    #expect(probe.append(head) == .needsMore)
    #expect(probe.end()?.duration == 20)
  }

  @Test("what the bytes do not tell is unknown")
  func unknown() {
    #expect(duration(of: Array("hello, this is no medium".utf8)).0 == nil)
    #expect(duration(of: Self.box("ftyp", Array("isom0000".utf8)) + Self.movie(milliseconds: 0)).0 == nil)
    #expect(duration(of: Self.wave(seconds: 3), type: "application/x-mpegurl").0 == nil)
    var picture = DurationProbe(contentType: "image/png", length: 40)
    let png = Self.bytes(0, 12) + Array("IHDR".utf8) + Self.bytes(640, 4) + Self.bytes(360, 4)
    let facts = MediaFacts(contentType: "image/png", isImage: true, width: 640, height: 360)
    #expect(picture.append(png) == .done(facts))
  }

  @Test("text, nothing, and a film without the index of its tracks are not played where junk is refused")
  func unsupported() {
    let index = Self.box("ftyp", Array("isom0000".utf8))
    let film = index + Self.box("mdat", [UInt8](repeating: 1, count: 5000))
    let list = Array("#EXTM3U\nfile:///etc/passwd\n".utf8)
    for file in [[], Array("film".utf8), list, film, Array(film.prefix(2000))] {
      var probe = DurationProbe(contentType: "video/mp4", length: file.count, refusesJunk: true)
      #expect(probe.append(file) == .unsupported || probe.end() == nil, "\(file.prefix(40))")
      var lenient = DurationProbe(contentType: "video/mp4", length: file.count)
      #expect(lenient.append(file) != .unsupported && lenient.end() != nil, "\(file.prefix(40))")
    }
    let type = "application/x-mpegurl"
    var manifest = DurationProbe(contentType: type, length: 8, refusesJunk: true)
    #expect(manifest.append(Array("#EXTM3U\n".utf8)) == .done(MediaFacts(contentType: type)))
  }

  @Test("random bytes after any beginning neither trap nor loop", arguments: 0..<8)
  func noise(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let starts: [[UInt8]] = [
      [], Self.box("ftyp", Array("isom0000".utf8)), Array("RIFF0000WAVE".utf8), Array("ID3".utf8),
      [0xFF, 0xFB, 0x90, 0],
    ]
    for start in starts {
      for _ in 0..<50 {
        let noise = (0..<2000).map { _ in
          UInt8.random(in: 0...255, using: &generator) & (Bool.random(using: &generator) ? 255 : 3)
        }
        let (found, seeks) = duration(of: start + noise)
        #expect(found.map { $0.isFinite && $0 >= 0 } ?? true)
        #expect(seeks < 100)
      }
    }
  }

  @Test(
    "an address is read, and a redirect leads on from it",
    arguments: [
      ("http://h:81/a/b.mp4?x=1#f", "c.mp4", "h", 81, "/a/b.mp4?x=1", "/a/c.mp4"),
      ("http://[::1]/", "/z", "::1", 80, "/", "/z"), ("HTTP://h", "http://h/k", "h", 80, "/", "/k"),
      ("http://u:p@h/ä", "?q", "h", 80, "/%C3%A4", "/?q"),
    ])
  func addresses(text: String, location: String, host: String, port: Int, target: String, next: String) throws
  {
    let url = try #require(MediaURL(text))
    #expect(url.host == host && url.port == port && url.target == target)
    #expect(url.redirected(to: location)?.target == next)
  }

  @Test(
    "what is no http address is refused",
    arguments: [
      "", "ftp://h/", "http://", "http://h:0/", "http://h:99999/", "http://h/a b", "http://h/\r\nX: y", "/a",
    ])
  func refusals(text: String) {
    #expect(MediaURL(text) == nil)
  }
}
