import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqPrograms
import CastqStore
import CastqText
import Foundation
import Testing

/// `ffprobe` as castq asks it, and programs of its name that do harm.
struct MediaProberTests {
  private static let installed = ProgramSearch.find("ffprobe", path: ProgramSearch.systemPath)
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "castq-probe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func file(_ name: String, _ bytes: String) throws -> String {
    let path = folder.appending(path: name).path
    try Data(bytes.utf8).write(to: URL(filePath: path))
    return path
  }

  /// A second of silence: a header of 44 bytes, 8000 samples of 8 bits.
  private func silence(_ name: String) throws -> String {
    var bytes = Array("RIFF".utf8) + [0x64, 0x1F, 0, 0] + Array("WAVEfmt ".utf8)
    bytes += [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
    bytes += Array("data".utf8) + [0x40, 0x1F, 0, 0] + [UInt8](repeating: 128, count: 8000)
    let path = folder.appending(path: name).path
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  /// A program that does what a shell script says.
  private func fake(_ script: String) throws -> ChildProgram {
    let path = try file("ffprobe", "#!/bin/sh\n\(script)\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return ChildProgram(path: path)
  }

  private func problem(_ script: String, time: Duration = .seconds(60)) async throws -> MediaProber.Problem? {
    let (program, film) = (try fake(script), try file("film.mp4", "film"))
    do throws(MediaProber.Problem) {
      _ = try await MediaProber(program, time: time).probe(film)
      return nil
    } catch {
      return error
    }
  }

  @Test("a sound has its length", .enabled(if: installed != nil, "ffprobe is not installed"))
  func sound() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try silence("-ßound: 100%.wav")
    let probe = try await MediaProber(ChildProgram(path: try #require(Self.installed)), time: .seconds(200))
      .probe(path)
    #expect(probe.duration == 1 && probe.formats == ["wav"] && probe.streams.map(\.kind) == [.audio])
  }

  @Test(
    "a file that names other files or addresses is no media, whatever it is called",
    .enabled(if: installed != nil, "ffprobe is not installed"),
    arguments: [
      "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
      "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n",
      "ffconcat version 1.0\nfile '/etc/passwd'\n",
      // What ffprobe itself would read: another file beside it.
      "ffconcat version 1.0\nfile good.wav\n",
      "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"></MPD>",
      "v=0\no=- 0 0 IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n",
      "junk", "",
    ])
  func references(_ text: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try silence("good.wav")
    let path = try file("film.mp4", text)
    await #expect {
      try await MediaProber(ChildProgram(path: try #require(Self.installed)), time: .seconds(200)).probe(path)
    } throws: { error in
      guard case MediaProber.Problem.notMedia(let words) = error else { return false }
      return !words.contains(path)
    }
  }

  @Test("a file that is gone is no bad media")
  func missing() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let prober = MediaProber(try fake("echo 'No such file' >&2; exit 1"))
    await #expect(throws: MediaProber.Problem.failed("No such file or directory")) {
      try await prober.probe("/nonexistent/film.mp4")
    }
  }

  @Test("a program that hangs is ended")
  func hangs() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let problem = try await problem("exec sleep 600", time: .milliseconds(200))
    #expect(problem?.message.contains("no answer within") == true)
  }

  @Test(
    "an answer that is none says so",
    arguments: [
      "exit 0", "echo junk", "echo '{}'", "echo '{\"format\":'", "printf '\\377\\376'", "cat /dev/zero",
    ])
  func garbage(_ script: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    guard case .failed(let words)? = try await problem(script) else {
      Issue.record("it was believed")
      return
    }
    #expect(words.hasPrefix("ffprobe"))
  }

  @Test(
    "a failure of the program is none of the file: it says so, is not kept, and the next probe asks again",
    arguments: [
      "echo 'ffprobe: error while loading shared libraries: libavutil.so.57: no such file' >&2; exit 127",
      "echo 'ffprobe: not executable' >&2; exit 126",
      "echo 'file:'\"$0\"': Cannot allocate memory' >&2; exit 1",
      "echo \"Unrecognized option 'format_whitelist'.\" >&2; exit 1", "exit 1", "exit 3", "kill -9 $$",
    ])
  func failure(_ script: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let film = try file("film.mp4", "film")
    let database = try Database(path: folder.appending(path: "q.db").path)
    let memory = ProbeMemory(MediaProber(try fake(script), time: .seconds(60)), database)
    await #expect {
      _ = try await memory.result(film, now: { WallTime(milliseconds: 0) })
    } throws: { error in
      guard case MediaProber.Problem.failed(let words) = error else { return false }
      return ["ffprobe failed with exit code", "ffprobe was ended by signal 9"].contains {
        words.hasPrefix($0)
      }
    }
    _ = try fake(
      """
      echo '{"format":{"format_name":"wav","duration":"1.0"},"streams":[{"index":0,"codec_type":"audio"}]}'
      """)
    let result = try await memory.result(film, now: { WallTime(milliseconds: 0) })
    #expect(result.probe?.duration == 1)
  }

  @Test("a verdict on the file is in plain words, and is kept")
  func verdict() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let film = try file("film.mp4", "film")
    let database = try Database(path: folder.appending(path: "q.db").path)
    let words = "echo 'file:\(film): Invalid data found when processing input' >&2; exit 1"
    let memory = ProbeMemory(MediaProber(try fake(words), time: .seconds(60)), database)
    for _ in 0..<2 {
      let result = try await memory.result(film, now: { WallTime(milliseconds: 0) })
      #expect(result == .notMedia("ffprobe finds neither film nor sound in it"))
      // What is known is not asked again.
      _ = try fake("exit 127")
    }
  }

  @Test("its own words are shown without the path and without what a terminal would obey")
  func words() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "film.mp4").path
    let problem = try await problem("printf 'file:\(path): Bad \\033[2Jdata\\n' >&2; exit 1")
    guard case .notMedia(let words)? = problem else {
      Issue.record("\(problem.map { "\($0)" } ?? "it was believed")")
      return
    }
    #expect(words.hasPrefix("Bad ") && !words.unicodeScalars.contains("\u{1B}"))
  }
}

/// Which programs are used.
struct MediaProgramsTests {
  private func programs(_ choices: ProgramChoices = ProgramChoices(), _ variables: [String: String])
    -> MediaPrograms
  {
    MediaPrograms(choices) { variables[$0] }
  }

  @Test("the configuration chooses a program, and the environment another one")
  func choice() throws {
    var choices = ProgramChoices()
    choices.ffprobe = try ProgramChoice("/bin/sh")
    #expect(programs(choices, [:]).ffprobe?.path == "/bin/sh")
    #expect(programs(choices, ["CASTQ_FFPROBE": "off"]).ffprobe == nil)
    #expect(programs(choices, ["CASTQ_FFPROBE": "/bin/cat"]).ffprobe?.path == "/bin/cat")
    choices.ffmpeg = .off
    #expect(programs(choices, ["PATH": "/usr/bin:/bin"]).ffmpeg == nil)
  }

  @Test("without a choice the search path decides, and none is no problem")
  func search() {
    #expect(programs(["PATH": "/nonexistent"]).ffprobe == nil)
    #expect(programs(["PATH": "/nonexistent"]).problems == [])
  }

  @Test("a program that was named and is not there is a problem in words")
  func missing() throws {
    var choices = ProgramChoices()
    choices.ffmpeg = try ProgramChoice("/nonexistent/ffmpeg")
    #expect(
      programs(choices, [:]).problems == ["ffmpeg: /nonexistent/ffmpeg is no program that may be executed"])
    #expect(programs(["CASTQ_FFPROBE": "ffprobe"]).problems.first?.hasPrefix("CASTQ_FFPROBE: ") == true)
  }

  private func programs(_ variables: [String: String]) -> MediaPrograms {
    programs(ProgramChoices(), variables)
  }
}
