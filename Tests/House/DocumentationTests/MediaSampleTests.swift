import CastReceiverSim
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

    @Test("a queue is shuffled and repeated while it plays")
    func shuffles() async throws {
      try await SampleDevice.session { stage, session in
        let client = session.remoteMediaClient
        let songs = (1...8).map { MediaQueueItem(mediaInformation: stage.film("song \($0)")) }
        _ = try await client.queueLoad(songs).value
        let ids = try await client.queueFetchItemIDs().value
        let shuffled = try await shuffleAndRepeat(client)
        #expect(shuffled.count == 8 && Set(shuffled) == Set(ids))
        #expect(client.mediaStatus?.queueRepeatMode == .all)
      }
    }

    @Test("a live stream is watched, sought back in, and caught up with")
    func watchesLive() async throws {
      try await SampleDevice.run {
        $0.media.liveEdge = 100
      } _: { stage in
        let session = Session(device: stage.device)
        try await session.start()
        let client = session.remoteMediaClient
        #expect(try await goBack(by: 30, client) == nil, "nothing plays")
        let status = try await watchLive(stage.address("live"), since: 1_700_000_000, client)
        #expect(status.mediaInformation?.startAbsoluteTime == 1_700_000_000)
        let distance = try #require(try await goBack(by: 30, client))
        #expect(abs(distance - 30) < 5)
        let edge = try #require(try await catchUp(client)?.streamPosition)
        #expect(edge >= 100)
        await session.leave()
      }
    }

    @Test("the application learns who is watching, and is told again when it wants to know")
    func sendsCredentials() async throws {
      try await SampleDevice.run { stage in
        let program = context(for: "ada", of: "CC1AD845")
        #expect(program.options.launchOptions.credentials?.credentials == "ada")
        let session = try await program.sessionManager.startSession(with: stage.device)
        let (wishes, wish) = AsyncStream.makeStream(of: Void.self)
        let sender = TokenSender {
          wish.yield()
          return "token"
        }
        _ = try await sender.load(stage.film("film"), session.remoteMediaClient)
        var tokens = wishes.makeAsyncIterator()
        _ = await tokens.next()
        try await stage.wantCredentials()
        _ = await tokens.next()
        try await program.sessionManager.endSession()
        withExtendedLifetime(sender) {}
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
