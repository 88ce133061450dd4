import CastProtocol
import CastqPlaylists
import Testing

/// The recipes by which `ffmpeg` converts.
struct RecipeTests {
  private static let models = [
    nil, "Chromecast", "Chromecast Ultra", "Google TV Streamer", "Google Nest Hub", "Google Nest Hub Max",
    "Chromecast Audio", "Google Cast Group", "BRAVIA",
  ]
  private static let formats = [
    ["mov", "mp4"], ["matroska", "webm"], ["avi"], ["mpegts"], ["ogg"], ["asf"], ["flv"], ["wav"], ["mp3"],
    ["flac"], ["mpeg"],
  ]
  private static let types = [
    nil, "video/mp4", "video/webm", "video/x-matroska", "audio/mpeg", "video/x-msvideo",
  ]

  private static func probe(_ random: inout SeededGenerator) -> MediaProbe {
    var probe = MediaProbe(formats: formats.randomElement(using: &random) ?? [], duration: 10)
    for index in 0..<Int.random(in: 0...4, using: &random) {
      let kind = MediaProbe.Stream.Kind.allCases.randomElement(using: &random) ?? .other
      let codecs =
        kind == .video
        ? ["h264", "hevc", "vp8", "vp9", "av1", "mpeg4", "theora"]
        : ["aac", "mp3", "ac3", "opus", "vorbis", "flac", "pcm_s16le", "alac", "dts"]
      var stream = MediaProbe.Stream(kind, index: index, codec: codecs.randomElement(using: &random))
      if kind == .video, Bool.random(using: &random) {
        stream.width = [320, 853, 1280, 1440, 1920, 3840, 7680].randomElement(using: &random)
        stream.height = [180, 480, 720, 1080, 1920, 2160, 4320].randomElement(using: &random)
        stream.frameRate = [12, 23.976, 25, 30, 50, 59.94, 120].randomElement(using: &random)
        stream.level = [30, 41, 51, 62, 153].randomElement(using: &random)
        stream.pixelFormat = ["yuv420p", "yuv420p10le", "yuv444p"].randomElement(using: &random)
      }
      if kind == .audio {
        stream.channels = Int.random(in: 1...8, using: &random)
        stream.sampleRate = [8000, 44_100, 48_000, 96_000, 192_000].randomElement(using: &random)
      }
      stream.isDefault = Bool.random(using: &random)
      probe.streams.append(stream)
    }
    return probe
  }

  @Test("what a recipe makes is played as it is", arguments: 0..<20)
  func fixpoint(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<200 {
      let model = Self.models.randomElement(using: &random) ?? nil
      let rules = PlayRules(DeviceAbilities(model: model, capabilities: nil), deviceName: "Lobby")
      let probe = Self.probe(&random)
      let decision = rules.decision(probe, declaredType: Self.types.randomElement(using: &random) ?? nil)
      guard let recipe = decision.recipe else { continue }
      #expect(recipe.way == decision.way)
      let made = recipe.made(of: probe)
      let again = rules.decision(made, declaredType: recipe.contentType)
      #expect(again.way == .direct, "\(model ?? "unknown"): \(probe) became \(made): \(again.reason)")
      #expect(again.contentType == recipe.contentType)
    }
  }

  @Test("arguments hold the file as an address of the file protocol, which nothing in the file can leave")
  func arguments() throws {
    let probe = MediaProbe(
      formats: ["matroska", "webm"],
      streams: [
        MediaProbe.Stream(.video, index: 0, codec: "h264"), MediaProbe.Stream(.audio, index: 2, codec: "aac"),
      ])
    let rules = PlayRules(DeviceAbilities(model: "Chromecast", capabilities: nil), deviceName: "Lobby")
    let recipe = try #require(rules.decision(probe, declaredType: "video/x-matroska").recipe)
    #expect(
      recipe.arguments(from: "/films/-i http:x.mkv", to: "/cache/a.partial") == [
        "-nostdin", "-hide_banner", "-v", "error", "-y", "-fflags", "+genpts", "-protocol_whitelist", "file",
        "-format_whitelist", "matroska,webm", "-i", "file:/films/-i http:x.mkv", "-sn", "-dn",
        "-map_chapters", "-1",
        "-map", "0:0", "-c:v", "copy", "-map", "0:2", "-c:a", "copy", "-movflags", "+faststart", "-f", "mp4",
        "file:/cache/a.partial",
      ])
  }

  @Test("pictures become H.264 of a size and pace that the device shows")
  func pictures() throws {
    var stream = MediaProbe.Stream(.video, index: 0, codec: "hevc")
    (stream.width, stream.height, stream.frameRate) = (3840, 2160, 50)
    let probe = MediaProbe(formats: ["mov", "mp4"], streams: [stream])
    func arguments(_ model: String) throws -> String {
      let rules = PlayRules(DeviceAbilities(model: model, capabilities: nil), deviceName: "Lobby")
      return try #require(rules.decision(probe, declaredType: "video/mp4").recipe).arguments(
        from: "/a", to: "/b"
      )
      .joined(separator: " ")
    }
    let small = try arguments("Chromecast")
    #expect(
      small.contains("-c:v libx264 -preset veryfast -crf 21 -profile:v high -level:v 4.1 -pix_fmt yuv420p"))
    #expect(small.contains("fps=25000/1000,scale=w='min(1920,iw)':h='min(1080,ih)'"))
    let hub = try arguments("Google Nest Hub")
    #expect(hub.contains("scale=w='min(1280,iw)':h='min(720,ih)'"))
    #expect(!hub.contains("fps="))
  }

  @Test("time is limited by what is done and how long the file is, however absurd its numbers")
  func time() throws {
    func recipe(_ codec: String) throws -> PreparationRecipe {
      let rules = PlayRules(DeviceAbilities(model: nil, capabilities: nil), deviceName: "Lobby")
      let probe = MediaProbe(
        formats: ["avi"], streams: [MediaProbe.Stream(.audio, index: 0, codec: codec)])
      return try #require(rules.decision(probe, declaredType: "video/x-msvideo").recipe)
    }
    let (copy, encode) = (try recipe("mp3"), try recipe("ac3"))
    #expect(copy.timeLimit(duration: 3600, bytes: 0) == .seconds(120))
    #expect(encode.timeLimit(duration: 3600, bytes: 2_000_000) == .seconds(3721))
    #expect(encode.timeLimit(duration: 1e300, bytes: .max) < .seconds(1e14))
    #expect(encode.timeLimit(duration: -1, bytes: -1) == .seconds(120))
  }
}

extension PreparationRecipe {
  /// What `ffmpeg` makes of a file by this recipe.
  fileprivate func made(of probe: MediaProbe) -> MediaProbe {
    let formats: [String] =
      switch container {
      case .mp4, .m4a: ["mov", "mp4", "m4a"]
      case .webm, .weba: ["matroska", "webm"]
      case .mp3: ["mp3"]
      case .ogg: ["ogg"]
      case .flac: ["flac"]
      }
    var made = MediaProbe(formats: formats)
    switch picture {
    case .none: break
    case .copied(let index, _): made.streams += probe.streams.filter { $0.index == index }
    case .encoded(let index, let target):
      guard var stream = probe.streams.first(where: { $0.index == index }) else { break }
      (stream.codec, stream.profile, stream.level) = ("h264", "High", target.level)
      stream.pixelFormat = "yuv420p"
      stream.frameRate = target.rate ?? stream.frameRate
      if let width = stream.width, let height = stream.height {
        let factor = min(
          1, Double(target.width) / Double(width), Double(target.height) / Double(height))
        stream.width = Int(Double(width) * factor) / 2 * 2
        stream.height = Int(Double(height) * factor) / 2 * 2
      }
      made.streams.append(stream)
    }
    switch sound {
    case .none: break
    case .copied(let index, _): made.streams += probe.streams.filter { $0.index == index }
    case .encoded(let index, let target):
      guard var stream = probe.streams.first(where: { $0.index == index }) else { break }
      stream.codec = target.rawValue
      if target != .flac { stream.channels = 2 }
      stream.sampleRate = min(stream.sampleRate ?? 48_000, 96_000)
      made.streams.append(stream)
    }
    return made
  }
}
