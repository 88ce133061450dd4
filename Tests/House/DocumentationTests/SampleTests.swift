import CastReceiverSim
import CastSender
import Testing

/// Samples take turns: each of them has a device, and some a process, of its own.
@Suite(.serialized, .timeLimit(.minutes(5))) enum SampleTests {}

extension SampleTests {
  @Suite struct GettingStarted {
    @Test("a film is shown, or a person is told why not")
    func shows() async throws {
      try await SampleDevice.run { stage in
        let status = try await show(stage.address("film"), on: stage.device)
        #expect(status.mediaInformation?.url == stage.address("film"))
        #expect(await describe(stage.address("film"), on: stage.device) == "media session 2 began")
        #expect(
          await describe(stage.address("nope"), on: stage.device).hasPrefix("the device does not take"))
      }
      let nobody = Device(endpoint: DeviceEndpoint(host: "127.0.0.1", port: 1))
      #expect(await describe("http://h/film", on: nobody).hasPrefix("is it on?"))
    }

    @Test("credits are skipped")
    func skipsCredits() async throws {
      try await SampleDevice.session { stage, session in
        let client = session.remoteMediaClient
        let options = MediaLoadOptions(autoplay: false)
        #expect(try await client.load(stage.film("film"), options: options).value.playerState == .paused)
        let status = try await skipCredits(client)
        #expect(status?.playerState != .paused && abs((status?.volume?.level ?? 0) - 0.3) < 0.01)
        #expect(status?.streamPosition ?? 0 >= 90)
      }
    }

    /// In a process of its own: the shared context is made once in a process.
    @Test("the shared context is made with the options, once")
    func prepares() async {
      await #expect(processExitsWith: .success) {
        try prepareCasting()
        #expect(try CastContext.shared.options.launchOptions.language == "en-GB")
        #expect(throws: CastError(.alreadyInitialized, "")) { try prepareCasting() }
      }
    }
  }

  @Suite struct Sessions {
    @Test("one looks on, another plays and tidies up")
    func playsAndLooksOn() async throws {
      try await SampleDevice.run { stage in
        #expect(try await whatPlays(on: stage.device) == nil)
        let film = MediaInformation(contentID: stage.address("film"), contentType: "video/mp4")
        let seen = try await withScreen(stage.device) { client throws(CastError) in
          _ = try await client.load(film).value
          return try await whatPlays(on: stage.device)
        }
        #expect(seen?.mediaInformation?.url == stage.address("film"))
        #expect(try await whatPlays(on: stage.device) == nil)
        await #expect(throws: CastError(.noMediaSession, "")) {
          try await withScreen(stage.device) { client throws(CastError) in try await client.pause().value }
        }
        #expect(try await whatPlays(on: stage.device) == nil)
      }
    }

    @Test("the player's states and the device's volume are heard")
    func watches() async throws {
      try await SampleDevice.run { stage in
        let session = Session(device: stage.device)
        let keeper = VolumeKeeper()
        session.add(keeper)
        async let states = playerStates(in: session)
        try await session.start()
        let film = MediaInformation(contentID: stage.address("film"), contentType: "video/mp4")
        _ = try await session.remoteMediaClient.load(film).value
        _ = try await session.remoteMediaClient.pause().value
        #expect(abs((try await turnDown(stage.device)?.level ?? 0) - 0.95) < 0.01)
        _ = try await session.requestReceiverStatus().value
        #expect(abs((keeper.latest ?? 0) - 0.95) < 0.01)
        let knob = DeviceVolumeController(session: session)
        #expect(abs((try turnDown(with: knob) ?? 0) - 0.85) < 0.01)
        await session.leave()
        #expect(await states.last == .paused)
      }
    }
  }

  @Suite struct Company {
    @Test("one member of a group gets quieter, and a name that is none changes nothing")
    func quietensMember() async throws {
      try await SampleDevice.run { kitchen in
        let member = SimGroupMember(deviceID: String(repeating: "1", count: 32), name: "Kitchen", level: 0.5)
        try await SampleDevice.run {
          $0.members = [member]
        } _: { group in
          let session = Session(
            device: group.device, options: SessionOptions(purpose: .device),
            resolver: KnownPlace(device: kitchen.device))
          try await session.start()
          #expect(try await quieten("Kitchen", in: session))
          #expect(try await !quieten("Hall", in: session))
          await session.leave()
        }
        let own = Session(device: kitchen.device, options: SessionOptions(purpose: .device))
        try await own.start()
        #expect(abs((own.receiverStatus?.volume?.level ?? 0) - 0.25) < 0.01)
        await own.leave()
      }
    }

    @Test("an invitation leads into one session, and into no later one")
    func invites() async throws {
      try await SampleDevice.run { stage in
        let host = Session(device: stage.device)
        #expect(invitation(to: host)?.sessionID == nil)
        try await host.start()
        let found = try #require(invitation(to: host))
        try await join(
          applicationID: found.applicationID, sessionID: found.sessionID, on: stage.device
        ).leave()
        try await host.stopApplication()
        await #expect(throws: CastError(.applicationNotRunningForJoin, "")) {
          try await join(
            applicationID: found.applicationID, sessionID: found.sessionID, on: stage.device)
        }
      }
    }
  }

  @Suite struct SessionLives {
    @Test("a session is moved, taken up by the next run, and others' deeds are written down")
    func lives() async throws {
      try await SampleDevice.run { old in
        try await SampleDevice.run { new in
          let manager = CastContext().sessionManager
          let session = try await resume(manager, orStartWith: old.device)
          let journal = Journal()
          session.add(journal)
          let film = MediaInformation(contentID: old.address("film"), contentType: "video/mp4")
          _ = try await session.remoteMediaClient.load(film).value
          var other = new.device
          other.friendlyName = "Kitchen"
          #expect(await move(session, to: other).friendlyName == "Kitchen")
          #expect(session.mediaStatus?.mediaInformation?.url == old.address("film"))
          #expect(
            journal.entries == ["now on Kitchen", "away", "back"], "what was played goes on there")
          await #expect(throws: Never.self) { try await manager.endSession(stoppingCasting: true) }
        }
      }
    }
  }

  @Suite struct Channels {
    @Test("a game is talked to, and its channel follows it")
    func talks() async throws {
      let game = ReceiverConfiguration.Application(
        appID: "AAAA0001", displayName: "Game", namespaces: ["urn:x-cast:com.example.game"])
      try await SampleDevice.run {
        $0.applications = [game]
      } _: { stage in
        let session = gameSession(with: stage.device)
        let channel = try GameChannel()
        session.add(channel)
        #expect(!channel.isThere)
        try await session.start()
        #expect(channel.isThere)
        try await channel.send("hello")
        let newer = try GenericChannel(namespace: channel.namespace)
        session.add(newer)
        #expect(!channel.isThere && newer.isConnected, "a namespace has one channel")
        await session.leave()
      }
    }

    @Test("an application of our own answers")
    func asks() async throws {
      try await SampleDevice.run { stage in
        var options = SessionOptions(applicationID: "ECEC0001")
        options.requiredNamespaces = ["urn:x-cast:org.castq.echo"]
        let session = Session(device: stage.device, options: options)
        let channel = try GenericChannel(namespace: "urn:x-cast:org.castq.echo")
        session.add(channel)
        try await session.start()
        let answer = try await ask("Who leads?", number: 7, over: channel)
        #expect(answer?.contains("ECHO") == true)
        await session.leave()
      }
    }
  }
}

/// Knows where one device is.
private struct KnownPlace: DeviceResolver {
  let device: Device
  func locate(_ device: Device) async -> Device { self.device }
}
