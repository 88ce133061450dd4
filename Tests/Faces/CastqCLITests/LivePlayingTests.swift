import Foundation
import Testing

/// Files that a device refuses, and that nobody has prepared.
@Suite("Converted while it plays", .timeLimit(.minutes(20)))
struct LivePlayingTests {
  /// 40 s, which no device plays: MPEG-4 Part 2 and AC-3 in AVI, with a key frame every four seconds.
  private func film(_ stage: Stage) async throws {
    let made = try await stage.shell(
      """
      cd '\(stage.folder)'; ffmpeg -nostdin -v error -f lavfi -i testsrc=s=160x120:r=25:d=40 \
      -f lavfi -i sine=d=40:r=48000 -c:v mpeg4 -g 100 -c:a ac3 film.avi
      """
    ).ended()
    #expect(made.exit == 0, "\(made.stderr)")
  }

  /// The media of the last item that was sent.
  private func sent(_ receiver: Receiver) throws -> Document {
    let line = try #require(
      receiver.log.lines.last { $0.contains(#""dir":"in""#) && $0.contains("contentId") })
    let data = try #require(try Document(line)["data"])
    return try #require(data["items"]?.elements.first?["media"] ?? data["media"])
  }

  /// The times of the packets of one kind that a player gets, and how far each is from the one before.
  private func steps(_ address: String, _ kind: String, _ stage: Stage) async throws -> (
    first: Double, Set<Int>, Int
  ) {
    let read = try await stage.shell(
      "ffprobe -v error -select_streams \(kind) -show_entries packet=pts_time -of csv=p=0 '\(address)'"
    ).ended()
    #expect(read.exit == 0, "\(read.stderr)")
    let times = read.outLines.compactMap { Double($0.prefix { $0 != "," }) }
    let steps = zip(times, times.dropFirst()).map { Int((($1 - $0) * 10_000).rounded()) }
    return (try #require(times.first), Set(steps), times.count)
  }

  @Test(
    "what no device plays is converted without an attempt, from the second on at which it is asked for, in the film's own time",
    .enabled(if: PrepareTests.hasProgram, PrepareTests.absent))
  func film() async throws {
    try await Stage.with(readsFiles: true) { stage in
      try await film(stage)
      // Its 40 s take more than five minutes, long enough for all that is done while it plays.
      let receiver = try await Receiver(stage, speed: 0.12)
      try stage.add(device: "lobby", at: receiver.address)
      let daemon = try stage.start(["daemon"])
      _ = await daemon.stderr.line(containing: "ready")
      // A busy computer may take longer for it than cast waits.
      try await stage.castq("check", "--probe", "film.avi")
      let cast = try await stage.castq("cast", "-d", "lobby", "film.avi")
      #expect(cast.exit == 0, "\(cast.stderr)")
      #expect(!receiver.log.lines.contains { $0.contains("video/x-msvideo") })
      let media = try sent(receiver)
      #expect(media["contentType"]?.string == "application/x-mpegurl")
      #expect(media["streamType"]?.string == "BUFFERED" && media["duration"]?.number == 40)
      let address = try #require(media["contentId"]?.string)
      // Every picture and every frame of sound is there once, at its own time, over all pieces.
      let pictures = try await steps(address, "v", stage)
      #expect(pictures.first == 0 && pictures.1 == [400] && pictures.2 == 1000, "\(pictures)")
      let sound = try await steps(address, "a", stage)
      #expect(sound.first == 0 && sound.1.isSubset(of: [213, 214]) && sound.2 >= 1875, "\(sound)")
      // A seek restarts the conversion there.
      #expect(try await stage.castq("seek", "-d", "lobby", "20").exit == 0)
      let sought = try await stage.json("status", "-d", "lobby")
      #expect((20..<40).contains(sought["position_s"]?.number ?? 0), "\(sought)")
      #expect(sought["duration_s"]?.number == 40 && sought["live"] == .bool(false))
      #expect(sought["url"]?.string?.hasSuffix("/film.avi") == true && sought["title"]?.string == "film")
      let piece = address.replacing("film.m3u8", with: "2.ts")
      let begins = try await steps(piece, "v", stage)
      #expect(begins.first == 16 && begins.2 == 200)
      let queue = try await stage.json("queue", "-d", "lobby")["entries"]?.elements.first
      #expect(queue?["url"]?.string?.hasSuffix("/film.avi") == true && queue?["duration_s"]?.number == 40)

      // The next castq continues where the device is, and serves the same pieces at the same addresses.
      daemon.signal(SIGKILL)
      _ = await daemon.ended()
      let next = try stage.start(["daemon"])
      _ = await next.stderr.line(containing: "ready")
      let adopted = try stage.start(["status", "-d", "lobby", "--follow", "--jsonl"])
      let line = await adopted.stdout.line(containing: #""player_state":"PLAYING""#)
      adopted.signal(SIGTERM)
      let position = try Document(try #require(line))["position_s"]?.number ?? 0
      #expect((20...40).contains(position))
      #expect(try await steps(address.replacing("film.m3u8", with: "3.ts"), "v", stage).first == 24)
      let history = try stage.start(["history", "--follow", "--jsonl"])
      #expect(try await stage.castq("seek", "-d", "lobby", "38").exit == 0)
      let end = await history.stdout.line(containing: #""outcome":"finished""#)
      history.signal(SIGTERM)
      next.signal(SIGTERM)
      _ = await next.ended()
      let play = try Document(try #require(end))
      #expect(play["duration_s"]?.number == 40 && play["url"]?.string?.hasSuffix("/film.avi") == true)
      // What it showed, and not what was made.
      #expect((play["played_s"]?.number ?? 99) < 40, "\(play)")
    }
  }

  /// What a device refuses, what `ffmpeg` makes it of, and whether it has pictures.
  private static let refusedKinds = [
    ("film.mkv", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a ac3", true),
    ("film.wmv", "-c:v wmv2 -c:a wmav2", true),
    ("film.mpg", "-c:v mpeg2video -c:a mp2 -f vob", true),
    ("film.flv", "-c:v flv -c:a libmp3lame -ar 44100", true),
    ("song.wma", "-vn -af adelay=500 -c:a wmav2", false),
    ("song.mka", "-vn -af adelay=500 -c:a flac", false),
  ]

  @Test(
    "every kind of file that the device does not play is converted, over all pieces without a gap",
    .enabled(if: PrepareTests.hasProgram, PrepareTests.absent), arguments: refusedKinds.indices)
  func kinds(index: Int) async throws {
    let (name, codecs, hasPictures) = Self.refusedKinds[index]
    try await Stage.with(readsFiles: true) { stage in
      let made = try await stage.shell(
        """
        cd '\(stage.folder)'; ffmpeg -nostdin -v error -f lavfi -i testsrc=s=160x120:r=25:d=12 \
        -itsoffset 0.5 -f lavfi -i sine=d=11.5:r=48000 \(codecs) \(name)
        """
      ).ended()
      #expect(made.exit == 0, "\(made.stderr)")
      // Its 12 s take two minutes: what is served ends with what plays, and all of it is read meanwhile.
      let receiver = try await Receiver(stage, speed: 0.1)
      try stage.add(device: "lobby", at: receiver.address)
      try await stage.castq("check", "--probe", name)
      let cast = try await stage.castq("cast", "-d", "lobby", name)
      #expect(cast.exit == 0, "\(cast.stderr)")
      let media = try sent(receiver)
      #expect(media["contentType"]?.string == "application/x-mpegurl", "\(media)")
      let address = try #require(media["contentId"]?.string)
      let sound = try await steps(address, "a", stage)
      #expect(sound.first < 0.05 && sound.1.isSubset(of: [213, 214]), "\(sound)")
      #expect((555...570).contains(sound.2), "\(sound)")
      // It was late by half a second, and still is: nothing is moved against the pictures.
      let heard = try await stage.shell(
        "ffmpeg -nostdin -hide_banner -i '\(address)' -map 0:a -af silencedetect=n=-40dB:d=0.2 -f null - 2>&1"
      ).ended()
      let silence = heard.stdout.split(separator: "silence_end: ").dropFirst().first?.split(separator: " ")
        .first
      #expect((0.4...0.65).contains(silence.flatMap { Double($0) } ?? 0), "\(heard.stdout)")
      if hasPictures {
        let pictures = try await steps(address, "v", stage)
        #expect(
          pictures.first < 0.05 && pictures.1 == [400] && (297...303).contains(pictures.2), "\(pictures)")
      }
      try await stage.castq("stop", "-d", "lobby")
      // Matroska is tried first: some devices play it.
      let failed = try await stage.history().count { $0["outcome"]?.string == "failed" }
      #expect(failed == (name.contains(".mk") ? 1 : 0))
    }
  }

  @Test(
    "files that are converted keep their places in a folder, and cast is done when the first one plays",
    .enabled(if: PrepareTests.hasProgram, PrepareTests.absent))
  func order() async throws {
    try await Stage.with(readsFiles: true) { stage in
      let made = try await stage.shell(
        """
        mkdir '\(stage.folder)/d' && cd '\(stage.folder)/d' && for name in a.mkv b.avi c.mp4; do \
        ffmpeg -nostdin -v error -f lavfi -i testsrc=s=160x120:r=25:d=4 -pix_fmt yuv420p $name || exit 1; done
        """
      ).ended()
      #expect(made.exit == 0, "\(made.stderr)")
      let receiver = try await Receiver(stage, speed: 4)
      try stage.add(device: "lobby", at: receiver.address)
      let cast = try await stage.castq("cast", "-d", "lobby", "--json", "d")
      #expect(cast.exit == 0, "\(cast.stdout)\(cast.stderr)")
      #expect(try Document(cast.stdout)["title"]?.string == "a")
      #expect(await FeederEnd.of(stage))
      let finished = try await stage.history().filter { $0["outcome"]?.string == "finished" }
      #expect(finished.map { $0["title"]?.string } == ["a", "b", "c"])
    }
  }

  @Test(
    "where that is not allowed, or a device refuses that too, the file fails with its reason",
    .enabled(if: PrepareTests.hasProgram, PrepareTests.absent), arguments: ["live: off", "allow: audio"])
  func refused(rule: String) async throws {
    try await Stage.with(readsFiles: true) { stage in
      try await film(stage)
      try stage.file("config.yaml", "prepare: {\(rule)}\n")
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try await stage.castq("check", "-d", "lobby", "film.avi")
      let run = try await stage.castq("run", "-d", "lobby", "--config", "config.yaml", "film.avi")
      #expect(run.exit == 76)
      #expect(!receiver.log.lines.contains { $0.contains("mpegurl") })
      let reason = try await stage.history().last?["reason"]?.string ?? ""
      #expect(reason.contains("the file needs its pictures converted"), "\(reason)")
    }
  }
}
