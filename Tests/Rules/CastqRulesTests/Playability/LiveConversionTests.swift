import CastProtocol
import CastqPlaylists
import Testing

/// Films that are converted while they play.
struct LiveConversionTests {
  private static func film(_ duration: Double? = 60, _ codecs: [MediaProbe.Stream.Kind: String]) -> MediaProbe
  {
    let kinds: [MediaProbe.Stream.Kind] = [.video, .audio]
    let streams = kinds.enumerated().compactMap { index, kind in
      codecs[kind].map { MediaProbe.Stream(kind, index: index, codec: $0) }
    }
    return MediaProbe(formats: ["avi"], duration: duration, streams: streams)
  }

  private static func live(_ probe: MediaProbe, _ model: String = "Chromecast") -> LiveConversion? {
    PlayRules(DeviceAbilities(model: model, capabilities: nil), deviceName: "Lobby").live(probe)
  }

  private static let both: [MediaProbe.Stream.Kind: String] = [.video: "mpeg4", .audio: "ac3"]

  @Test(
    "the manifest has the whole film, in pieces of eight seconds and a rest that is worth a picture",
    arguments: [
      (0.1, ["0.100"]), (8, ["8.000"]), (8.5, ["8.500"]), (8.6, ["8.000", "0.600"]),
      (20.25, ["8.000", "8.000", "4.250"]),
    ] as [(Double, [String])])
  func manifest(duration: Double, lengths: [String]) throws {
    let manifest = try #require(Self.live(Self.film(duration, Self.both))).manifest
    let lines = manifest.split(separator: "\n").map(String.init)
    #expect(lines.first == "#EXTM3U" && lines.last == "#EXT-X-ENDLIST")
    #expect(lines.contains("#EXT-X-PLAYLIST-TYPE:VOD") && lines.contains("#EXT-X-TARGETDURATION:9"))
    #expect(
      lines.filter { $0.hasPrefix("#EXTINF:") || !$0.hasPrefix("#") }
        == lengths.enumerated().flatMap { ["#EXTINF:\($1),", "\($0).ts"] })
  }

  @Test("pieces of any film add up to it", arguments: [0.4, 7.99, 16.001, 3599.999, 86_400])
  func sum(duration: Double) throws {
    let live = try #require(Self.live(Self.film(duration, Self.both)))
    let lengths = live.manifest.split(separator: "\n").compactMap { line in
      line.hasPrefix("#EXTINF:") ? Double(line.dropFirst(8).dropLast()) : nil
    }
    #expect(lengths.count == live.pieceCount && lengths.allSatisfy { $0 > 0 && $0 <= 8.5 })
    #expect(abs(lengths.reduce(0, +) - duration) < 0.002)
  }

  @Test("a piece begins at its second of the film, which the program is told before it opens the file")
  func arguments() throws {
    let live = try #require(Self.live(Self.film(20.25, Self.both)))
    let last = live.arguments(piece: 2, from: "-i /a b.avi").joined(separator: " ")
    // Its sound begins three frames earlier, which are left out again, as is the encoder's own.
    #expect(last.contains("-ss 15.936 -t 5.314 -i file:-i /a b.avi "))
    #expect(last.contains("-vf trim=start=16.000,setpts=PTS-16.000/TB,yadif"))
    #expect(
      last.contains(
        "-af atrim=start=15.936,aresample=48000,aresample=async=1:first_pts=764928,asetpts=PTS-16.000/TB "
          + "-bsf:a noise=drop=abs(floor((n-4)/208)) "))
    #expect(last.contains("-output_ts_offset 16.000") && last.hasSuffix("-f mpegts pipe:1"))
    #expect(last.contains("-protocol_whitelist file -format_whitelist avi "))
    let first = live.arguments(piece: 0, from: "/a").joined(separator: " ")
    #expect(first.contains("-t 9.000 -i") && !first.contains("-ss"))
    #expect(first.contains("-vf trim=start=0.000:end=8.000,setpts=PTS-0.000/TB,yadif"))
    #expect(first.contains(":first_pts=0,") && first.contains("noise=drop=abs(floor((n-1)/375))"))
    // Both streams are of one input, or each would begin at its own first time.
    #expect(first.contains("-copyts -start_at_zero ") && first.ranges(of: " -i ").count == 1)
  }

  @Test(
    "without an index decoding begins earlier, and the piece where it should",
    arguments: ["mpegts", "mpeg", "flv", "asf"])
  func unindexed(format: String) throws {
    var recording = Self.film(60, Self.both)
    recording.formats = [format]
    let arguments = try #require(Self.live(recording)).arguments(piece: 1, from: "/a").joined(separator: " ")
    #expect(arguments.contains("-ss 4.936 -t 12.064 -i file:/a "))
    #expect(arguments.contains("-vf trim=start=8.000:end=16.000,setpts=PTS-8.000/TB,yadif"))
    #expect(arguments.contains("-af atrim=start=7.936,"))
    #expect(arguments.contains("-output_ts_offset 8.000"))
  }

  @Test("a loudspeaker, and a file of sound, get sound alone")
  func sound() throws {
    for live in [
      Self.live(Self.film(Self.both), "Chromecast Audio"), Self.live(Self.film([.audio: "dts"])),
    ] {
      let live = try #require(live)
      let arguments = live.arguments(piece: 1, from: "/a")
      #expect(live.way == .audio && arguments.count { $0 == "-i" } == 1 && !arguments.contains("libx264"))
    }
    #expect(Self.live(Self.film(Self.both))?.way == .video)
  }

  @Test("without a length, or with nothing to show, there is nothing to make")
  func impossible() {
    for duration in [nil, 0, -1, .nan, .infinity, 1e300] as [Double?] {
      #expect(Self.live(Self.film(duration, Self.both)) == nil)
    }
    #expect(Self.live(Self.film([:])) == nil)
    #expect(Self.live(Self.film([.video: "mpeg4"]), "Chromecast Audio") == nil)
    var list = Self.film(Self.both)
    list.formats = ["hls", "concat"]
    #expect(Self.live(list) == nil)
  }

  @Test(
    "a name that the manifest does not have is no piece",
    arguments: [
      "", "ts", ".ts", "3.ts", "-1.ts", "+1.ts", "00.ts", "01.ts", "0.TS", "0.ts ", "1e0.ts", "0x1.ts",
      "9999999.ts", "99999999999999999999999999.ts", "0.ts/0.ts", "..", "film.m3u8", "٠.ts", "%30.ts",
    ])
  func names(name: String) throws {
    let live = try #require(Self.live(Self.film(20, Self.both)))
    #expect(live.piece(named: name) == nil)
    #expect(["0.ts", "1.ts", "2.ts"].map(live.piece(named:)) == [0, 1, 2])
  }

  @Test("whatever is asked, the arguments name a piece of the film", arguments: [Int.min, -1, 3, Int.max])
  func bounded(piece: Int) throws {
    let live = try #require(Self.live(Self.film(20, Self.both)))
    #expect(live.arguments(piece: piece, from: "/a").contains("mpegts"))
  }
}

extension LiveConversionTests {
  private static func film(_ codecs: [MediaProbe.Stream.Kind: String]) -> MediaProbe { film(60, codecs) }
}
