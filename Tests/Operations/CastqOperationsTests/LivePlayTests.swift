import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqText
import Testing

/// What people do with what plays, with and without somebody who feeds the device.
@Suite("Live playback", .timeLimit(.minutes(20)))
struct LivePlayTests {
  @Test("pause, toggle, play, seek and rate do what they say", arguments: [true, false])
  func transport(isFed: Bool) async throws {
    try await PlayingSite.withTones(isFed: isFed) { site in
      func expect(
        _ verb: PlaybackVerb, state: String, in range: ClosedRange<Double>? = nil
      ) async throws {
        try await site.perform(verb)
        let status = try await site.status()
        #expect(status["player_state"]?.string == state, "\(verb)")
        if let range { #expect(range.contains(status["position_s"]?.double ?? -1), "\(verb): \(status)") }
      }
      try await expect(.pause, state: "PAUSED")
      try await expect(.toggle, state: "PLAYING")
      try await expect(.toggle, state: "PAUSED")
      try await expect(.seek(SeekGoal("1:30")), state: "PAUSED", in: 89.9...90.1)
      try await expect(.seek(SeekGoal("+10s")), state: "PAUSED", in: 99.9...100.1)
      try await expect(.seek(SeekGoal("-1m")), state: "PAUSED", in: 39.9...40.1)
      try await expect(.seek(SeekGoal("50%")), state: "PAUSED", in: 299.9...300.1)
      try await expect(.play(nil), state: "PLAYING", in: 299...330)
      try await expect(.rate(1.5), state: "PLAYING")
      #expect(try await site.status()["rate"]?.double == 1.5)
      #expect(try site.requests().contains("SET_PLAYBACK_RATE"))
    }
  }

  @Test("next and prev walk the list; history says who wanted it")
  func walking() async throws {
    try await PlayingSite.withTones { site in
      try await site.perform(.next)
      try await site.perform(.next)
      try await site.perform(.previous)
      #expect(try await site.status()["title"]?.string == "Tone 2")
      #expect(
        try site.outcomes().prefix(3) == [
          "Tone 1 skipped reported", "Tone 2 skipped reported", "Tone 3 skipped reported",
        ])
      try await site.perform(.play(EntryID(4)))
      #expect(try await site.status()["entry"]?.int == 4)
      #expect(try await site.states() == [.skipped, .skipped, .skipped, .playing])
      await expectFailure(.badData, saying: "no entry 99") { try await site.perform(.play(EntryID(99))) }
      try await site.perform(.play(EntryID(1)))
      #expect(try await site.status()["entry"]?.int == 1)
    }
  }

  @Test("without a feeder, next and prev are the receiver's own")
  func walkingAlone() async throws {
    try await PlayingSite.withTones(isFed: false) { site in
      try await site.perform(.next)
      #expect(try await site.status()["title"]?.string == "Tone 2")
      try await site.perform(.previous)
      #expect(try await site.status()["title"]?.string == "Tone 1")
      try await site.perform(.stop(quits: false))
      #expect(try await site.status()["player_state"]?.string != "PLAYING")
      await expectFailure(.no, saying: "nothing is playing") { try await site.perform(.pause) }
      for _ in 1...2 {
        try await site.perform(.stop(quits: true))
        #expect(try await site.status()["application"] == nil)
      }
      await expectFailure(.no, saying: "lobby") { try await site.perform(.next) }
    }
  }

  @Test("stop ends the feeder in the background and keeps the queue; play goes on with it")
  func stopAndPlay() async throws {
    try await PlayingSite.withTones { site in
      try await site.perform(.stop(quits: false))
      // Nothing of the feeder is left when the command returns: another one may start at once.
      #expect(try await site.states() == [.pending, .pending, .pending, .pending])
      #expect(try site.outcomes() == ["Tone 1 cancelled reported"])
      try await site.perform(.play(nil))
      #expect(site.feederCount == 2)
      #expect(try await site.status()["title"]?.string == "Tone 1")
      try await site.perform(.stop(quits: true))
      #expect(try await site.status()["application"] == nil)
      try await site.perform(.play(EntryID(3)))
      #expect(try await site.status()["title"]?.string == "Tone 3")
      #expect(try await site.states() == [.skipped, .skipped, .playing, .queued])
    }
  }

  @Test("next on the last entry drains the queue, and nothing plays then")
  func nextAtTheEnd() async throws {
    try await PlayingSite.withTones(1) { site in
      try await site.perform(.next)
      await site.fed()
      #expect(try site.outcomes() == ["Tone 1 skipped reported"])
      await expectFailure(.no, saying: "nothing is left in the queue") {
        try await site.perform(.play(nil))
      }
      await expectFailure(.no, saying: "lobby") { try await site.perform(.previous) }
    }
  }

  @Test("another list takes over from whoever feeds the device, and tells how its first entry fares")
  func castWhileFed() async throws {
    try await PlayingSite.withTones { site in
      let other = try site.tone("other.wav", seconds: 600)
      #expect(try await site.cast(other)["title"]?.string == "other")
      #expect(site.feederCount == 1, "the same feeder")
      #expect(try site.outcomes().first == "Tone 1 interrupted reported")
      let gone = try site.site.file(
        "gone.m3u", "#EXTM3U\n#EXTINF:-1,Gone\n\(try ClosedPort.url())\n\(other)\n")
      await expectFailure(.refused, saying: "Gone") { try await site.cast(gone) }
    }
  }

  @Test("what cannot be sought in is said, not tried")
  func noSeeking() async throws {
    try await PlayingSite.with { site in
      try site.tone("live.wav", seconds: 600)
      try await site.cast(site.site.file("list.m3u", "#EXTM3U\n#CASTQ: live=yes\nlive.wav\n"))
      for goal in ["50%", "10"] {
        await expectFailure(.refused, saying: "live") {
          do { try await site.perform(.seek(SeekGoal(goal))) } catch let failure as Failure {
            #expect(failure.code == "not_seekable")
            throw failure
          }
        }
      }
      #expect(try !site.requests().contains("SEEK"))
    }
  }

  @Test("the receiver's own words come with its refusal", arguments: [true, false])
  func refusal(isFed: Bool) async throws {
    try await PlayingSite.with(isFed: isFed) { site in
      try site.site.file("menu.png", "no picture at all, but the simulator does not look")
      try await site.cast(site.site.file("picture.m3u", "#EXTM3U\n#CASTQ: duration=600\nmenu.png\n"))
      await expectFailure(.refused, saying: "NOT_SUPPORTED") {
        do { try await site.perform(.seek(SeekGoal("3"))) } catch let failure as Failure {
          #expect(failure.document["error"]?["receiver"]?["reason"]?.string == "NOT_SUPPORTED")
          throw failure
        }
      }
    }
  }
}
