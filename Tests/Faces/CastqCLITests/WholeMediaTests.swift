import Testing

/// One list that says all there is to say of media, followed from the file to the screen, to the history, and back to a file.
@Suite("Whole media", .timeLimit(.minutes(20)))
struct WholeMediaTests {
  private static let list = """
    castq: 1
    repeat: "off"
    entries:
      - file: film.wav
        type: audio/wav
        metadata: {kind: tv_show, title: Pilot, series_title: Signs, season: 1, episode: 2, house_key: 7}
        tracks:
          - {id: 1, kind: text, subtype: subtitles, file: en.vtt, language: en, name: English}
          - {id: 2, kind: text, subtype: captions, file: de.vtt, language: de, name: Deutsch}
        active_tracks: [2]
        style: {font_scale: 1.5, foreground_color: "#FFFF00FF", edge_type: outline}
        clips:
          - {id: spot, file: ad.wav, type: audio/wav, duration: 4}
        breaks:
          - {id: before, position: start, clips: [spot]}
          - {id: between, position: 6, clips: [spot]}
          - {id: after, position: end, clips: [spot]}
        custom_data: {wall: north}
        item_custom_data: {row: 3}
      - {url: "http://127.0.0.1:9/x", type: video/mp4, metadata: {kind: movie, title: Film, studio: castq}}
      - {url: "http://127.0.0.1:9/x", type: audio/mpeg, metadata: {kind: music_track, title: Song, track_number: 4}}
      - {url: "http://127.0.0.1:9/x", type: image/png, metadata: {kind: photo, title: Photo, width: 640}}
      - {url: "http://127.0.0.1:9/x", type: audio/mpeg, metadata: {kind: audiobook_chapter, chapter_title: One}}
      - {url: "http://127.0.0.1:9/x", type: video/mp4, metadata: {kind: generic, title: Anything}}
      - {url: "http://127.0.0.1:9/x", type: video/mp4, metadata: {kind: 100, title: Ours, our_key: [1, 2]}}
    """

  /// A list with subtitles and breaks in one entry is taken, with one word about it.
  private func expectTracksDoubted(_ ending: Ending) {
    #expect(ending.exit == 0)
    #expect(ending.errorLines.count == 1 && ending.stderr.contains("no subtitles"), "\(ending.stderr)")
  }

  @Test("what a list says of media reaches the receiver, the status, the history, and a list again")
  func survives() async throws {
    try await Stage.with { stage in
      for (name, seconds) in [("film.wav", 12.0), ("ad.wav", 4)] { try stage.tone(name, seconds: seconds) }
      for name in ["en.vtt", "de.vtt"] { _ = try stage.file(name, "WEBVTT\n") }
      // This list has everything in one entry; most receivers show no subtitles of a film with breaks (protocol 21.24).
      let receiver = try await Receiver(stage, speed: 1, "--behaviour", "breaks-hide-tracks=off")
      try stage.add(device: "lobby", at: receiver.address)
      let file = try stage.file("list.yaml", Self.list)
      expectTracksDoubted(try await stage.castq("import", file))
      let first = try await stage.castq("export", "--format", "yaml").stdout

      // As one list and back it is the same; the second round is made from what the first one wrote.
      expectTracksDoubted(try await stage.castq("import", try stage.file("again.yaml", first)))
      #expect(try await stage.castq("export", "--format", "yaml").stdout == first)

      let run = try stage.start(["run"])
      await receiver.request("QUEUE_LOAD")
      await receiver.playing()
      try await stage.awaitStatus {
        $0["title"]?.string == "Pilot" && $0["player_state"]?.string == "PLAYING"
      }
      let status = try await stage.status()
      #expect(status["title"] == .string("Pilot"))
      #expect(status["tracks"]?.elements.map { $0["active"] } == [.bool(false), .bool(true)])
      #expect(status["tracks"]?.elements.map { $0["language"]?.string } == ["en", "de"])

      let load = try #require(await receiver.request("QUEUE_LOAD"))
      let sent = receiver.log.lines[load]
      for words in [
        #""seriesTitle":"Signs""#, #""season":1"#, #""house_key":7"#, #""fontScale":1.5"#,
        ##""foregroundColor":"#FFFF00FF""##, #""edgeType":"OUTLINE""#, #""wall":"north""#, #""row":3"#,
        #""position":-1"#, #""activeTrackIds":[2]"#, #""subtype":"CAPTIONS""#, #""metadataType":2"#,
      ] { #expect(sent.contains(words), "\(words)") }

      // Nothing is at the other addresses: their entries fail with words, and the film has played to its end.
      #expect(await run.ended().exit == 76)
      let play = try #require(try await stage.history().first { $0["title"] == .string("Pilot") })
      #expect(play["outcome"] == .string("finished"))
      #expect(play["evidence"] == .string("reported"))
      #expect(
        play["ad_breaks"]?.elements.compactMap { $0["break"]?.string } == ["before", "between", "after"])
    }
  }
}
