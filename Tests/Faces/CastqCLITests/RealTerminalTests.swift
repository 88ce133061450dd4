import Foundation
import Testing

@Suite("The full-screen remote in terminals that people use", .timeLimit(.minutes(20)))
struct RealTerminalTests {
  @Test(
    "keys play and pause, new sizes are drawn, and the terminal is as it was when it is left",
    .enabled(if: !RealTerminal.Kind.here.isEmpty, "tmux is missing, and so are xterm, Xvfb and xdotool"),
    arguments: RealTerminal.Kind.here)
  func session(kind: RealTerminal.Kind) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try await stage.castq("device", "add", "lobby", receiver.address)
      try await stage.castq("enqueue", try stage.playlist(tones: 3, seconds: 300))
      let terminal = try await RealTerminal(
        kind, stage,
        [
          .sees("ready>"), .types("stty -a >before; castq remote; echo left with $?\n"),
          .sees("Nothing is playing"), .types("\n"), .sees("space pause"), .types(" "), .sees("space play"),
          .resizes(columns: 120, rows: 40), .sees("Tone 3"), .types("j"), .types("?"), .sees("Keys"),
          .types("q"),
          // Keys stand two columns apart in the small window, three in the larger: tmux tells of a size a quarter of a second late.
          .resizes(columns: 40, rows: 10), .sees("help  q leave"), .resizes(columns: 80, rows: 24),
          .sees("help   q leave"), .types("q"), .sees("left with 0"),
          .types("stty -a >after; cmp before after && echo as it was\n"),
          .sees("\nas it was"),
        ])
      // The screen from before is back: the remote has left nothing on it.
      #expect(terminal.shown.contains("left with 0") && !terminal.shown.contains("space"))
      await receiver.request("PAUSE")
      try await stage.awaitStatus {
        $0["player_state"]?.string == "PAUSED" && $0["title"]?.string == "Tone 1"
      }
      expectSilence(try await stage.castq("stop"))
    }
  }
}
