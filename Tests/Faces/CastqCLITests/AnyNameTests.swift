import Foundation
import Testing

/// Files whose names are in Latin-1, as on the disk of an old NAS.
@Suite("Names that are not UTF-8", .timeLimit(.minutes(20)))
struct AnyNameTests {
  /// `Été/Café 1.wav`, in Latin-1, as bash writes it.
  private static let names =
    #"d=$(printf '\311t\351'); f=$(printf 'Caf\351 1.wav'); mkdir -p "$d"; mv tone.wav "$d/$f"; "#
  /// The same as an address.
  private static let address = "%C9t%E9/Caf%E9%201.wav"

  /// Programs end with the name of a folder that Foundation does not read.
  private static func with(_ body: (Stage) async throws -> Void) async throws {
    try await Stage.with(readsFiles: true) { stage in
      try stage.tone("tone.wav", seconds: 1)
      #expect(try await stage.shell("cd '\(stage.folder)'; \(names)").ended().exit == 0)
      try await body(stage)
      #expect(try await stage.shell("cd '\(stage.folder)'; rm -rf *").ended().exit == 0)
    }
  }

  @Test(
    "files are found by folders, lists, addresses and words of the shell, and play under a readable title")
  func play() async throws {
    try await Self.with { stage in
      let script = #"""
        d=$(printf '\311t\351'); f=$(printf 'Caf\351 1.wav')
        printf '\311t\351/Caf\351 1.wav\n' > latin1.m3u
        printf '%s\n' '%C9t%E9/Caf%E9%201.wav' > escaped.m3u8
        castq enqueue latin1.m3u escaped.m3u8 "$d" "$d/$f" && cd "$d" && castq enqueue "$f"
        """#
      let receiver = try await Receiver(stage, speed: 20)
      try await stage.castq("device", "add", "lobby", receiver.address)
      let enqueued = try await stage.shell("cd '\(stage.folder)'; \(script)").ended()
      #expect(enqueued.exit == 0, "\(enqueued.stderr)")
      let queue = try await stage.json("queue")["entries"]?.elements ?? []
      #expect(queue.count == 5)
      for entry in queue {
        #expect(entry["url"]?.string?.hasSuffix("/\(Self.address)") == true, "\(entry)")
        #expect(entry["title"]?.string == "Café 1")
      }
      let check = try await stage.castq("check", "-d", "lobby", "latin1.m3u")
      #expect(check.exit == 0 && check.stdout.contains("plays as it is on lobby"), "\(check.stdout)")
      expectSilence(try await stage.castq("run", "-d", "lobby"))
      let plays = try await stage.history()
      #expect(plays.map { $0["outcome"]?.string } == Array(repeating: "finished", count: 5))
      #expect(
        plays.allSatisfy { $0["title"]?.string == "Café 1" && $0["duration_s"]?.number == 1 }, "\(plays)")
    }
  }

  @Test(
    "a list in Windows-1251 finds its files by names in UTF-8 and by names in its own bytes, under Cyrillic titles",
    arguments: ["UTF-8", "CP1251"])
  func cyrillic(disk: String) async throws {
    try await Stage.with { stage in
      try stage.tone("a.wav", seconds: 1)
      try stage.tone("b.wav", seconds: 1)
      let script = #"""
        here() { printf '%s' "$2" | iconv -f UTF-8 -t "$1"; }
        mv a.wav "$(here "$0" 'Песня о друге').wav" && mv b.wav "$(here "$0" 'Чёрный кофе').wav"
        here CP1251 $'#EXTM3U\n#EXTINF:1,Своё имя\nПесня о друге.wav\nЧёрный кофе.wav\n' > list.m3u
        castq device add lobby 127.0.0.1:9 && castq check list.m3u && castq enqueue list.m3u
        """#
      try stage.file("steps.sh", script)
      let done = try await stage.shell("cd '\(stage.folder)'; bash -c \"$(cat steps.sh)\" \(disk)").ended()
      #expect(done.exit == 0 && done.stdout.isEmpty, "\(done.stdout)\(done.stderr)")
      let queue = try await stage.json("queue")["entries"]?.elements ?? []
      #expect(queue.map { $0["title"]?.string } == ["Своё имя", "Чёрный кофе"])
      let byte = disk == "UTF-8" ? "%D0%A7" : "/%D7"
      #expect(queue.last?["url"]?.string?.contains(byte) == true, "\(queue)")
      #expect(try await stage.shell("cd '\(stage.folder)'; rm -rf *").ended().exit == 0)
    }
  }

  @Test(
    "lists that are exported name them by addresses, and bring them back", arguments: ["m3u", "xspf", "yaml"])
  func export(format: String) async throws {
    try await Self.with { stage in
      try await stage.castq("device", "add", "lobby", "127.0.0.1:9")
      let enqueued = try await stage.shell(
        #"cd '\#(stage.folder)'; castq enqueue "$(printf '\311t\351')""#
      ).ended()
      #expect(enqueued.exit == 0, "\(enqueued.stderr)")
      let text = try await stage.castq("export", "--format", format).stdout
      #expect(text.contains("file:///") && text.contains("/\(Self.address)"), "\(text)")
      try stage.file("back.\(format)", text)
      expectSilence(try await stage.castq("import", "back.\(format)"))
      #expect(try await stage.castq("export", "--format", format).stdout == text)
    }
  }

  @Test(
    "what the device cannot play is converted from such a file, with the picture and the text beside it",
    .enabled(if: PrepareTests.hasProgram, PrepareTests.absent))
  func prepare() async throws {
    try await Self.with { stage in
      let script = #"""
        cd "$(printf '\311t\351')"; n=$(printf 'Caf\351 2')
        ffmpeg -nostdin -v error -f lavfi -i testsrc=s=160x120:d=1 -c:v mpeg4 "$n.avi"
        ffmpeg -nostdin -v error -f lavfi -i color=red:s=64x64:d=0.04 -frames:v 1 "$n.jpg"
        printf '1\n00:00:00,000 --> 00:00:00,900\nHello\n' > "$n.en.srt"
        castq device add lobby "$1" && castq prepare -d lobby "$n.avi" && castq run -d lobby "$n.avi"
        """#
      let receiver = try await Receiver(stage, speed: 20)
      let run = try await stage.shell("set -- \(receiver.address); cd '\(stage.folder)'; \(script)").ended()
      #expect(run.exit == 0, "\(run.stdout)\(run.stderr)")
      let index = try #require(await receiver.request("QUEUE_LOAD", from: 0))
      let media = try Document(receiver.log.lines[index])["data"]?["items"]?.elements.first?["media"]
      #expect(media?["contentType"]?.string == "video/mp4")
      #expect(media?["metadata"]?["title"]?.string == "Café 2")
      #expect(media?["metadata"]?["images"]?.elements.count == 1)
      #expect(media?["tracks"]?.elements.map { $0["trackContentType"]?.string } == ["text/vtt"])
      #expect(try await stage.history().last?["outcome"]?.string == "finished")
    }
  }
}
