import CastProtocol
import CastqPlaylists
import Testing

/// What devices play, by the facts of files (protocol 12.1).
struct PlayRulesTests {
  private static func film(
    _ formats: [String] = ["mov", "mp4"], _ video: String = "h264", _ audio: String? = "aac",
    _ change: (inout MediaProbe.Stream) -> Void = { _ in }
  ) -> MediaProbe {
    var picture = MediaProbe.Stream(.video, index: 0, codec: video)
    (picture.width, picture.height, picture.frameRate) = (1920, 1080, 25)
    if video == "h264" { (picture.profile, picture.level, picture.pixelFormat) = ("High", 40, "yuv420p") }
    change(&picture)
    var probe = MediaProbe(formats: formats, duration: 60, streams: [picture])
    if let audio { probe.streams.append(MediaProbe.Stream(.audio, index: 1, codec: audio)) }
    return probe
  }

  private static func decide(
    _ probe: MediaProbe, _ model: String? = "Chromecast", type: String? = "video/mp4",
    capabilities: DeviceCapabilities? = nil
  ) -> PlayDecision {
    PlayRules(DeviceAbilities(model: model, capabilities: capabilities), deviceName: "Lobby").decision(
      probe, declaredType: type)
  }

  @Test("a file is converted without an attempt only if no Cast device plays it")
  func certainty() {
    #expect(Self.decide(Self.film(["avi"], "mpeg4", "mp3")).isCertain)
    #expect(Self.decide(Self.film(["avi"])).isCertain, "no player reads the container")
    #expect(Self.decide(Self.film(["mov", "mp4"], "h264", "dts")).isCertain)
    #expect(Self.decide(Self.film { ($0.profile, $0.pixelFormat) = ("High 10", "yuv420p10le") }).isCertain)
    for probe in [
      Self.film(["matroska", "webm"]), Self.film(["mov", "mp4"], "hevc"),
      Self.film(["mov", "mp4"], "h264", "ac3"),
      Self.film { $0.level = 51 }, Self.film(["mov", "mp4"], "h264", "aac", Self.in4K),
    ] {
      let decision = Self.decide(probe, type: nil)
      #expect(decision.way != .direct && !decision.isCertain, "\(decision)")
    }
    #expect(!Self.decide(Self.film()).isCertain)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var probe: MediaProbe
    var model: String? = "Chromecast"
    var type = "video/mp4"
    var way: PlayDecision.Way
    var sends: String
    var says = ""
    var testDescription: String { name }
  }

  private static let in4K: @Sendable (inout MediaProbe.Stream) -> Void = {
    ($0.width, $0.height, $0.frameRate) = (3840, 2160, 50)
  }

  static let cases: [Case] = [
    Case(name: "H.264 and AAC in MP4", probe: film(), way: .direct, sends: "video/mp4"),
    Case(
      name: "a film that is called something else", probe: film(), type: "video/x-matroska", way: .direct,
      sends: "video/mp4"),
    Case(
      name: "Matroska", probe: film(["matroska", "webm"]), type: "video/x-matroska", way: .remux,
      sends: "video/mp4",
      says: "Matroska is not among the documented containers"),
    Case(
      name: "Matroska under a false name", probe: film(["matroska", "webm"]), way: .remux, sends: "video/mp4"),
    Case(
      name: "WebM", probe: film(["matroska", "webm"], "vp8", "vorbis"), type: "video/webm", way: .direct,
      sends: "video/webm"),
    Case(
      name: "VP9 on a Chromecast", probe: film(["matroska", "webm"], "vp9", "opus"), type: "video/webm",
      way: .video,
      sends: "video/mp4",
      says:
        "the picture is VP9, which a Chromecast Ultra, later ones and the Nest Hubs play; Lobby is a Chromecast"
    ),
    Case(
      name: "VP9 in Matroska on an Ultra", probe: film(["matroska", "webm"], "vp9", "opus"),
      model: "Chromecast Ultra", type: "video/x-matroska", way: .remux, sends: "video/webm"),
    Case(
      name: "VP9 with AAC in Matroska on an Ultra", probe: film(["matroska", "webm"], "vp9", "ac3"),
      model: "Chromecast Ultra", type: "video/x-matroska", way: .audio, sends: "video/webm"),
    Case(
      name: "HEVC on a Chromecast", probe: film(["mov", "mp4"], "hevc"), way: .video, sends: "video/mp4",
      says: "HEVC, which a Chromecast Ultra and later ones play; Lobby is a Chromecast"),
    Case(
      name: "HEVC on an Ultra", probe: film(["mov", "mp4"], "hevc", "aac", in4K),
      model: "Chromecast Ultra",
      way: .direct, sends: "video/mp4"),
    Case(
      name: "HEVC in a transport stream", probe: film(["mpegts"], "hevc"), model: "Chromecast Ultra",
      type: "video/mp2t", way: .remux, sends: "video/mp4", says: "devices do not find in MPEG-2 TS"),
    Case(
      name: "AV1 on a streamer", probe: film(["mov", "mp4"], "av1"), model: "Google TV Streamer",
      way: .direct,
      sends: "video/mp4"),
    Case(
      name: "AC-3 in MP4", probe: film(["mov", "mp4"], "h264", "ac3"), way: .audio, sends: "video/mp4",
      says: "the sound is AC-3, which plays only where the television accepts it"),
    Case(
      name: "a recording of television", probe: film(["mpegts"], "mpeg2video", "mp2"), type: "video/mp2t",
      way: .video, sends: "video/mp4",
      says: "the picture is MPEG-2, which no Cast device plays; the sound is MP2"),
    Case(
      name: "ten bits", probe: film { ($0.profile, $0.pixelFormat) = ("High 10", "yuv420p10le") },
      way: .video,
      sends: "video/mp4", says: "H.264 High 10, which no Cast device decodes"),
    Case(
      name: "a level that is too high", probe: film { $0.level = 51 }, way: .video, sends: "video/mp4",
      says: "at level 5.1, and Lobby decodes level 4.1 at most"),
    Case(
      name: "60 pictures in full HD on a Chromecast", probe: film { $0.frameRate = 59.94 }, way: .video,
      sends: "video/mp4",
      says: "it has 59.94 pictures a second, and Lobby shows 30 of 1920×1080 points at most"),
    Case(
      name: "60 pictures in HD", probe: film { ($0.width, $0.height, $0.frameRate) = (1280, 720, 60) },
      way: .direct,
      sends: "video/mp4"),
    Case(
      name: "an upright film", probe: film { ($0.width, $0.height) = (1080, 1920) }, way: .direct,
      sends: "video/mp4"),
    Case(
      name: "4K on a Chromecast", probe: film(["mov", "mp4"], "h264", "aac", in4K), way: .video,
      sends: "video/mp4", says: "3840×2160 points, and Lobby shows 1920×1080 at most"),
    Case(
      name: "full HD on a Nest Hub", probe: film(), model: "Google Nest Hub", way: .video, sends: "video/mp4",
      says: "Lobby shows 1280×720 at most"),
    Case(
      name: "AVI", probe: film(["avi"], "mpeg4", "mp3"), type: "video/x-msvideo", way: .video,
      sends: "video/mp4",
      says: "AVI is not among the documented containers"),
    Case(
      name: "a film on a loudspeaker", probe: film(), model: "Google Home Mini", way: .remux,
      sends: "audio/mp4",
      says: "Lobby has no display and plays the sound alone"),
    Case(
      name: "a silent film on a loudspeaker", probe: film(["mov", "mp4"], "h264", nil),
      model: "Chromecast Audio",
      way: .impossible, sends: "video/mp4", says: "it has no sound, and Lobby has no display"),
    Case(
      name: "a file with nothing in it", probe: MediaProbe(formats: ["mov", "mp4"]), way: .impossible,
      sends: "video/mp4", says: "neither pictures that move nor sound"),
    Case(
      name: "a list that is called a film", probe: film(["hls"], "hevc"), way: .impossible,
      sends: "video/mp4",
      says: "castq does not convert such files"),
    Case(
      name: "a device of unknown model", probe: film(["mov", "mp4"], "hevc"), model: nil, way: .video,
      sends: "video/mp4", says: "Lobby is a device of unknown model"),
    Case(
      name: "a television", probe: film(), model: "BRAVIA 4K VH2", way: .direct, sends: "video/mp4"),
    Case(
      name: "QuickTime", probe: film { _ in }.tagged("major_brand", "qt  "), type: "video/quicktime",
      way: .remux,
      sends: "video/mp4", says: "QuickTime is not among"),
    Case(
      name: "a manifest", probe: film(["hls"]), type: "application/x-mpegURL", way: .direct,
      sends: "application/x-mpegurl"),
    Case(
      name: "a picture", probe: film(["png_pipe"], "png", nil), type: "image/png", way: .direct,
      sends: "image/png"),
  ]

  @Test(
    "each file has the cheapest way that makes the device play it, and the reason in words", arguments: cases)
  func table(_ row: Case) {
    let decision = Self.decide(row.probe, row.model, type: row.type)
    #expect(decision.way == row.way, "\(decision.reason)")
    #expect(decision.contentType == row.sends)
    #expect(decision.reason.contains(row.says), "\(decision.reason)")
    #expect((decision.recipe == nil) == (row.way == .direct || row.way == .impossible))
    #expect(decision.reasons.isEmpty == (row.way == .direct))
  }

  @Test(
    "sound keeps its codec where the device plays it, and its quality where it has all of it",
    arguments: [
      ("mp3", "mp3", "audio/mpeg", PlayDecision.Way.direct, "audio/mpeg"),
      ("flac", "flac", "audio/flac", .direct, "audio/flac"),
      ("aac", "aac", "audio/aac", .direct, "audio/aac"),
      ("ogg", "opus", "audio/ogg", .direct, "audio/ogg"),
      ("wav", "pcm_s16le", "audio/wav", .direct, "audio/wav"),
      ("mp4", "alac", "audio/mp4", .audio, "audio/flac"),
      ("aiff", "pcm_s16be", "audio/aiff", .audio, "audio/flac"),
      ("asf", "wmav2", "audio/x-ms-wma", .audio, "audio/mp4"),
      ("ac3", "ac3", "audio/ac3", .audio, "audio/mp4"),
      ("matroska", "vorbis", "audio/x-matroska", .remux, "audio/ogg"),
      ("matroska", "mp3", "audio/x-matroska", .remux, "audio/mpeg"),
    ])
  func sound(format: String, codec: String, type: String, way: PlayDecision.Way, sends: String) {
    var probe = MediaProbe(formats: [format], streams: [MediaProbe.Stream(.audio, index: 0, codec: codec)])
    // A cover is no film.
    probe.streams.append(MediaProbe.Stream(.cover, index: 1, codec: "mjpeg"))
    for model in ["Chromecast", "Google Home"] {
      let decision = Self.decide(probe, model, type: type)
      #expect(decision.way == way, "\(decision.reason)")
      #expect(decision.contentType == sends)
    }
  }

  @Test("a device that announces no display plays sound alone, whatever its model")
  func capabilities() {
    let decision = Self.decide(Self.film(), "Soundbar", capabilities: [.audioOut])
    #expect(decision.way == .remux)
    #expect(decision.contentType == "audio/mp4")
    #expect(Self.decide(Self.film(), "Soundbar", capabilities: [.audioOut, .videoOut]).way == .direct)
  }

  @Test("text and covers never cause a conversion of pictures, and are not copied")
  func text() {
    var probe = Self.film(["matroska", "webm"])
    probe.streams.append(MediaProbe.Stream(.subtitle, index: 2, codec: "ass"))
    probe.streams.append(MediaProbe.Stream(.cover, index: 3, codec: "mjpeg"))
    let decision = Self.decide(probe, type: "video/x-matroska")
    #expect(decision.way == .remux)
    #expect(decision.recipe?.arguments(from: "/a", to: "/b").contains("-sn") == true)
  }
}

extension MediaProbe {
  func tagged(_ name: String, _ value: String) -> MediaProbe {
    var probe = self
    probe.tags[name] = value
    return probe
  }
}
