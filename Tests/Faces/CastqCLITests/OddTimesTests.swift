import Foundation
import Glibc
import Testing

/// Files of other people's disks, whose times and sizes no clock and no disk has.
@Suite("Files of odd times and sizes", .timeLimit(.minutes(20)))
struct OddTimesTests {
  /// Seconds since 1970. tmpfs, btrfs and NFS keep them all; broken cards make them.
  private static let times = [
    Int.min, -10_000_000_000_000_000, -1, 0, 253_402_300_800, 10_000_000_000_000_000, Int.max,
  ]

  /// A folder that keeps such times, with songs, lists, an empty file and one that claims all bytes there are.
  private func folder() throws -> String {
    var template = Array("/dev/shm/castq-odd.XXXXXX".utf8CString)
    return String(cString: try #require(mkdtemp(&template)))
  }

  private func fill(_ folder: String, _ stage: Stage) throws {
    for (index, time) in Self.times.enumerated() {
      let song = try stage.tone("song.wav", seconds: 0.2)
      let files = [("\(folder)/song \(index).wav", song), ("\(folder)/list \(index).m3u", nil)]
      for (file, source) in files {
        if let source {
          try FileManager.default.copyItem(atPath: source, toPath: file)
        } else {
          try Data("#EXTM3U\nsong \(index).wav\n".utf8).write(to: URL(filePath: file))
        }
        let moments = [timespec(tv_sec: time, tv_nsec: 999_999_999), timespec(tv_sec: time, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, file, moments, 0) == 0, "\(time)")
      }
    }
    try Data().write(to: URL(filePath: "\(folder)/empty.wav"))
    for name in ["all.wav", "all.m3u"] {
      try Data().write(to: URL(filePath: "\(folder)/\(name)"))
      // Not every file system takes it.
      _ = truncate("\(folder)/\(name)", .max)
    }
  }

  @Test(
    "every command, MPD command and page lives through files of any time and size",
    .enabled(if: access("/dev/shm", W_OK) == 0, "there is no /dev/shm, which keeps such times"))
  func walk() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await Stage.with { stage in
      try fill(folder, stage)
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let songs = Self.times.indices.map { "\(folder)/song \($0).wav" }
      let lists = Self.times.indices.map { "\(folder)/list \($0).m3u" }
      let commands =
        [
          ["check", folder], ["check"] + lists, ["check", "\(folder)/all.m3u"], ["enqueue"] + lists,
          ["enqueue", folder], ["queue"], ["queue", "--json"], ["export"], ["clear"], ["prepare"] + songs,
          ["run"] + songs, ["cast", songs[6]], ["history"], ["report", "plays"], ["import", lists[0]],
          ["programme", "add", "odd", lists[6]], ["schedule", "add", "odd", "--play", lists[5]],
          ["schedule", "export"], ["plan"], ["why"], ["doctor"], ["status"], ["db", "check"],
        ]
      for command in commands {
        let ending = try await stage.castq(command)
        #expect((0...124).contains(ending.exit), "\(command): \(ending)")
      }
      let plays = try await stage.history().filter { $0["outcome"]?.string == "finished" }
      #expect(plays.count >= songs.count, "each song was served")
      let settings = try stage.file("mpd.yaml", "mpd:\n  folders: \(folder)\n  playlists: \(folder)\n")
      let music = try await MusicServer(stage, "--config", settings)
      for line in [
        "lsinfo", "listall", "listallinfo", "listplaylists", "listplaylist \"list 6\"",
        "listplaylistinfo \"list 0\"", "load \"list 6\"", "find any song", "search any song",
        "count title song",
        "update", "stats", "add \"song 6.wav\"", "readcomments \"song 5.wav\"", "albumart \"song 6.wav\" 0",
        "save \"list 6\"", "rm \"list 5\"",
      ] {
        _ = try await music.ask(line)
        #expect(try await music.ask("ping") == "OK", "after \(line)")
      }
      #expect(try await music.ask("listplaylists").contains("playlist: list 6\nLast-Modified: "))
      let page = try await OperatorPage(stage)
      for path in [
        "/", "/d/lobby", "/schedule", "/library", "/history", "/reports", "/doctor", "/settings",
      ] {
        _ = try await page.page(path)
      }
      for path in [
        "devices", "devices/lobby/status", "devices/lobby/queue", "history", "programmes", "schedule",
      ] {
        #expect(try await page.ask("GET", path).status < 500, "\(path)")
      }
    }
  }
}
