import CastSender
import Testing

extension SampleTests {
  @Suite struct Media {
    @Test("a song begins where it is told to, and listeners hear its title")
    func playsSong() async throws {
      try await SampleDevice.session { stage, session in
        let keeper = TitleKeeper()
        session.remoteMediaClient.add(keeper)
        let status = try await playSong(stage.address("song"), session.remoteMediaClient)
        #expect(status.playerState == .paused && status.streamPosition == 60)
        #expect(keeper.latest == "Morning")
      }
    }

    @Test("of many seeks the newest counts")
    func drags() async throws {
      try await SampleDevice.session { stage, session in
        let client = session.remoteMediaClient
        _ = try await client.load(stage.film("film"), options: MediaLoadOptions(autoplay: false)).value
        let ends = await drag(through: [10, 20, 30], client)
        #expect(ends.count == 3 && ends.last == "done")
        #expect(Set(ends.dropLast()).isSubset(of: ["done", "replaced"]))
        #expect(try await client.requestStatus().value?.streamPosition == 30)
      }
    }

    @Test("an album is loaded, added to, and told in full")
    func playsAlbum() async throws {
      try await SampleDevice.session { stage, session in
        let client = session.remoteMediaClient
        let songs = (1...24).map { stage.film("song \($0)") }
        let status = try await playAlbum(songs, client)
        #expect(status.queueRepeatMode == .all)
        try await playNext(stage.film("song 1b"), client)
        let told = try await titles(client)
        #expect(told == ["song 1", "song 1b"] + (2...24).map { "song \($0)" })
        let (shown, sink) = AsyncStream.makeStream(of: [String].self)
        let following = Task { await follow(client.mediaQueue) { sink.yield($0) } }
        for await titles in shown where titles == told { break }
        following.cancel()
      }
    }

    @Test("an ad is played, and skipped when that is allowed")
    func skipsAds() async throws {
      try await SampleDevice.session(speed: 20) { stage, session in
        let film = withAds(
          stage.film("film"), first: stage.address("lunch"), middle: stage.address("dinner"))
        #expect(try await skipAd(in: session, asking: .milliseconds(10)) == nil, "nothing plays")
        _ = try await session.remoteMediaClient.load(film).value
        let status = try #require(try await skipAd(in: session, asking: .milliseconds(10)))
        #expect(status.mediaInformation?.adBreaks.map(\.isWatched) == [true, false])
        #expect(status.mediaInformation?.adBreaks.last?.position == .at(1800))
        _ = try await session.remoteMediaClient.requestStatus().value
        #expect(try await skipAd(in: session, asking: .milliseconds(10)) == nil, "the film plays")
        var unskippable = film
        unskippable.adBreakClips[0].whenSkippable = nil
        _ = try await session.remoteMediaClient.load(unskippable).value
        #expect(try await skipAd(in: session, asking: .milliseconds(10)) == nil, "it may not be skipped")
      }
    }

    @Test("subtitles are chosen, and styled")
    func choosesSubtitles() async throws {
      try await SampleDevice.session { stage, session in
        let client = session.remoteMediaClient
        let film = withSubtitles(
          stage.film("film"), english: stage.address("en"), german: stage.address("de"))
        _ = try await client.load(film).value
        #expect(try await showSubtitles("de", client) == [2])
        #expect(try await showSubtitles("en", client) == [1])
        #expect(try await showSubtitles(nil, client) == [])
        try await useLargeLetters(client)
        let style = try await client.requestStatus().value?.mediaInformation?.textTrackStyle
        #expect(style?.fontScale == 1.5 && style?.windowType == .roundedCorners)
      }
    }
  }
}
