import CastProtocol
import CastReceiverSim
import CastSender
import Testing

extension SenderTests {
  /// What each command of the media client does to a receiver.
  @Suite(.timeLimit(.minutes(5))) struct MediaCommandTests {
    private static func stage(
      _ body: (SimulatedDevice, Session, RemoteMediaClient) async throws -> Void
    ) async throws {
      let device = try await SimulatedDevice.start {
        $0.unknownDuration = 600
        $0.media.liveRange = .all
        $0.media.liveEdge = 100
      }
      let session = Session(device: device.device)
      try await session.start()
      try await body(device, session, session.remoteMediaClient)
      await session.end(.stopApplication)
      try await device.stop()
    }

    /// The names of the files in the queue, in order.
    private static func names(_ client: RemoteMediaClient) async throws -> [String] {
      let ids = try await client.queueFetchItemIDs().value
      return try await client.queueFetchItems(withIDs: ids).value.compactMap {
        $0.mediaInformation?.contentID.split(separator: "/").last.map(String.init)
      }
    }

    /// Three films, the second of which plays.
    private static func load(_ device: SimulatedDevice, _ client: RemoteMediaClient) async throws
      -> [MediaQueueItemID]
    {
      let items = ["a", "b", "c"].map { MediaQueueItem(mediaInformation: device.media($0)) }
      _ = try await client.queueLoad(items, options: MediaQueueLoadOptions(startIndex: 1)).value
      return try await client.queueFetchItemIDs().value
    }

    private static func current(_ client: RemoteMediaClient) -> String? {
      client.mediaStatus?.mediaInformation?.contentID.split(separator: "/").last.map(String.init)
    }

    @Test("an item that is inserted to be played plays at its place, from where it is told to")
    func insertsAndPlays() async throws {
      try await Self.stage { device, _, client in
        let ids = try await Self.load(device, client)
        _ = try await client.queueInsertAndPlayItem(
          MediaQueueItem(mediaInformation: device.media("new")), beforeItemWithID: ids[2], playPosition: 30
        ).value
        _ = try await client.requestStatus().value
        #expect(Self.current(client) == "new")
        #expect(client.approximateStreamPosition()?.seconds ?? 0 >= 30)
        #expect(try await Self.names(client) == ["a", "b", "new", "c"])
      }
    }

    @Test("an item moves before another one, and to the end")
    func moves() async throws {
      try await Self.stage { device, _, client in
        let ids = try await Self.load(device, client)
        _ = try await client.queueMoveItem(withID: ids[2], beforeItemWithID: ids[0]).value
        #expect(try await Self.names(client) == ["c", "a", "b"])
        _ = try await client.queueMoveItem(withID: ids[2]).value
        #expect(try await Self.names(client) == ["a", "b", "c"])
        #expect(Self.current(client) == "b", "what plays goes on")
      }
    }

    @Test("the item before and the item after are played")
    func neighbours() async throws {
      try await Self.stage { device, _, client in
        _ = try await Self.load(device, client)
        _ = try await client.queuePreviousItem().value
        _ = try await client.requestStatus().value
        #expect(Self.current(client) == "a")
        _ = try await client.queueNextItem().value
        _ = try await client.requestStatus().value
        #expect(Self.current(client) == "b")
      }
    }

    @Test("tracks are chosen by language, and all text is hidden and shown again")
    func tracks() async throws {
      try await Self.stage { device, _, client in
        var film = device.media("film")
        film.mediaTracks = [
          MediaTrack(identifier: 1, kind: .text, textSubtype: .subtitles, languageCode: "en"),
          MediaTrack(identifier: 2, kind: .text, textSubtype: .subtitles, languageCode: "de"),
          MediaTrack(identifier: 3, kind: .audio, languageCode: "en"),
          MediaTrack(identifier: 4, kind: .audio, languageCode: "de"),
        ]
        _ = try await client.load(film, options: MediaLoadOptions(activeTrackIDs: [1, 3])).value
        func active() async throws -> [Int] {
          try await client.requestStatus().value?.activeTrackIDs?.sorted() ?? []
        }
        #expect(try await active() == [1, 3])
        _ = try await client.selectTextTrack(language: "de").value
        #expect(try await active().contains(2))
        #expect(try await !active().contains(1))
        _ = try await client.selectAudioTrack(language: "de").value
        #expect(try await active().contains(4))
        #expect(try await !active().contains(3))
        _ = try await client.setTextTracksEnabled(false).value
        #expect(try await !active().contains(2))
        _ = try await client.setTextTracksEnabled(true).value
        #expect(try await active().contains(2), "what was shown last")
      }
    }

    @Test("a live stream is sought to its edge")
    func liveEdge() async throws {
      try await Self.stage { device, session, client in
        var stream = device.media("live")
        stream.streamType = .live
        _ = try await client.load(stream).value
        let range = try #require(client.approximateLiveSeekableRange())
        _ = try await client.seek(to: range.startTime).value
        #expect(client.mediaStatus?.streamPosition.map { $0 < range.endTime } == true)
        _ = try await client.seekToLiveEdge().value
        #expect(client.mediaStatus?.streamPosition.map { $0 >= range.endTime } == true)
        withExtendedLifetime(session) {}
      }
    }

    @Test("what has ended is no media any more, and commands to it are refused here, in words")
    func ended() async throws {
      let transport = ScriptedTransport(script: ScriptedApplication.script())
      let session = ScriptedApplication.session(transport)
      try await session.start()
      let client = session.remoteMediaClient
      #expect(client.mediaStatus != nil)
      transport.say(.message(ScriptedApplication.mediaStatus(state: "IDLE", idleReason: "FINISHED")))
      await session.settle()
      #expect(client.mediaStatus == nil)
      #expect(session.mediaStatus?.idleReason == .finished, "how it ended can be looked up")
      for request in [client.pause(), client.play(), client.seek(to: 3), client.queueNextItem()] {
        let error = await #expect(throws: CastError(.noMediaSession, "")) { try await request.value }
        #expect(error?.message.contains("has ended (finished)") == true)
      }
      #expect(Set(transport.sentTypes).isDisjoint(with: ["PAUSE", "PLAY", "SEEK", "QUEUE_UPDATE"]))
      #expect(try await client.requestStatus().value != nil, "a question may be asked")
      await session.leave()
    }
  }
}
