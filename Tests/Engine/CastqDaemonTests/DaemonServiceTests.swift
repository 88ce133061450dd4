import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqMediaServer
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Foundation
import NIOPosix
import Testing

extension DaemonTests {
  /// One daemon, real sockets.
  @Suite struct DaemonServiceTests {
    static let film = Stage.draft(Stage.sample("welcome.mp4"), title: "film")
    static let chime = Stage.draft(Stage.sample("promos/chime.wav"), title: "chime", type: "audio/wav")

    func add(_ drafts: [EntryDraft], _ stage: Stage, to device: KnownDevice? = nil) throws {
      // As another program does it.
      _ = try QueueStore(Database(path: stage.database.path)).enqueue(
        drafts, for: (device ?? stage.device).id, placement: .end, at: .today)
    }

    @Test(
      "what is enqueued plays, told or not, and again after the list was drained", arguments: [true, false])
    func playing(isPoked: Bool) async throws {
      let wire = try await Wire()
      let stage = try await Stage(wire: wire)
      let daemon = try await Daemon(stage.database)
      for _ in 1...2 {
        if isPoked {
          // Rows of the daemon's own connection are none that it notices by itself.
          try stage.enqueue([Self.film])
          try await daemon.ask(.poke, stage.device.id)
        } else {
          try add([Self.film], stage)
        }
        #expect(await wire.received("QUEUE_LOAD") != nil)
        #expect(await daemon.manager.next { $0.contains("feeding 0 devices") } != nil)
      }
      #expect(try stage.plays().map(\.outcome) == [.finished, .finished])
      await daemon.end()
      #expect(DatabaseLock.holder(.daemon, of: stage.database) == nil)
      await stage.server.stop()
    }

    @Test("a device of the configuration is at its address, and no stranger who has been scanned by its name")
    func configuredAddress() async throws {
      let stage = try await Stage()
      let store = DeviceStore(stage.database)
      let heard = Device(
        endpoint: DeviceEndpoint(host: "192.0.2.66"), friendlyName: "hall",
        uniqueID: String(repeating: "f", count: 32))
      let stranger = try #require(try store.found([heard], adding: true, at: .today).first)
      var rules = DeviceRules()
      rules.address = DeviceEndpoint(host: "192.0.2.1")
      var configuration = DaemonConfiguration()
      configuration.devices = [.init(name: "hall", rules: rules)]
      let daemon = try await Daemon(stage.database, configuration)
      let hall = try store.device(matching: "hall")
      #expect(hall.id != stranger.id && hall.endpoint == rules.address && hall.uuid == nil)
      let other = try #require(try store.device(stranger.id))
      #expect(configuration.rules(for: other.names).address == nil)
      await daemon.end()
      await stage.server.stop()
    }

    @Test("two devices share a file, and the one that is done first does not take it from the other")
    func sharedFile() async throws {
      let wire = try await Wire()
      let (quick, slow) = (try await Stage(speed: 40), try await Stage.serve(speed: 0.1, wire: wire))
      let second = try DeviceStore(quick.database).add(
        name: "Hall", endpoint: DeviceEndpoint(host: "127.0.0.1", port: slow.port), at: .today)
      let daemon = try await Daemon(quick.database)
      try add([Self.chime], quick, to: second)
      try await daemon.ask(.poke, second.id)
      let load = try #require(await wire.received("QUEUE_LOAD"))
      let url = try #require(load["items"]?.array?.first?["media"]?["contentId"]?.string)
      try add([Self.chime], quick)
      #expect(try await daemon.ask(.feed(FeedRequest(waits: true)), quick.device.id) == [:])
      #expect(try await httpStatus(url) == 200, "the other one still plays it")
      try await daemon.ask(.perform(.stop(quits: false)), second.id)
      #expect(try await httpStatus(url) == 404, "nobody needs it")
      await daemon.end()
      await quick.server.stop()
      await slow.stop()
    }

    @Test(
      "a file that was served before castq was started anew has the same address, and nobody can guess another's"
    )
    func lastingAddresses() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 0.1, wire: wire)
      let memory = stage.database.path + ".media"
      var urls: [String] = []
      for round in 1...3 {
        // What was kept is lost before the third time.
        if round == 3 { try FileManager.default.removeItem(atPath: memory) }
        let daemon = try await Daemon(stage.database)
        try add([Self.chime], stage)
        try await daemon.ask(.feed(FeedRequest(isNewQueue: true)), stage.device.id)
        let load = try #require(await wire.received("QUEUE_LOAD"))
        urls.append(try #require(load["items"]?.array?.first?["media"]?["contentId"]?.string))
        #expect(try await httpStatus(urls[round - 1]) == 200)
        try await daemon.ask(.perform(.stop(quits: false)), stage.device.id)
        try stage.queue.clear(for: stage.device.id)
        await daemon.end()
      }
      #expect(urls[0] == urls[1])
      #expect(urls[1] != urls[2])
      let mode = try FileManager.default.attributesOfItem(atPath: memory)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      await stage.server.stop()
    }

    @Test("a stop lasts: neither new rows nor a poke start the device again, somebody who wants it does")
    func stopped() async throws {
      let stage = try await Stage(speed: 0.2)
      let daemon = try await Daemon(stage.database)
      try add([Self.film], stage)
      let told = try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      #expect(told["title"] == "film")
      try await daemon.ask(.perform(.stop(quits: false)), stage.device.id)
      try add([Self.chime], stage)
      try await daemon.ask(.poke, stage.device.id)
      #expect(try await daemon.refusal(.perform(.pause), stage.device.id)?.code == Failure.notFeeding)
      #expect(try stage.states() == [.pending, .pending])
      let entry = try stage.queue.entries(for: stage.device.id)[1].id
      let again = try await daemon.ask(.feed(FeedRequest(first: entry)), stage.device.id)
      #expect(again["title"] == "chime")
      try await daemon.ask(.perform(.pause), stage.device.id)
      await daemon.end()
      await stage.server.stop()
    }

    @Test("a device that a person stopped while nothing played is not begun with")
    func stoppedBefore() async throws {
      let stage = try await Stage()
      let daemon = try await Daemon(stage.database)
      #expect(
        try await daemon.refusal(.perform(.stop(quits: false)), stage.device.id)?.code == Failure.notFeeding)
      try add([Self.film], stage)
      try await daemon.ask(.poke, stage.device.id)
      #expect(try await daemon.refusal(.perform(.pause), stage.device.id)?.code == Failure.notFeeding)
      #expect(try await daemon.ask(.feed(FeedRequest(waits: true)), stage.device.id) == [:])
      await daemon.end()
      await stage.server.stop()
    }

    @Test("whoever waits hears what failed, that a device is away, and that nothing was there to play")
    func waiting() async throws {
      let stage = try await Stage()
      let daemon = try await Daemon(stage.database)
      let wish = ControlCommand.feed(FeedRequest(waits: true))
      #expect(try await daemon.ask(wish, stage.device.id) == [:])
      try add([Stage.draft(stage.folder.path + "/gone.mp4", title: "Gone"), Self.chime], stage)
      let failed = try #require(try await daemon.refusal(wish, stage.device.id))
      #expect(failed.exit == .refused)
      #expect(failed.message.contains("Gone"))
      await stage.server.stop()
      for waits in [true, false] {
        try add([Self.chime], stage)
        let away = try await daemon.refusal(.feed(FeedRequest(waits: waits)), stage.device.id)
        #expect(away?.exit == .unreachable, "\(String(describing: away))")
        #expect(away?.message.contains("keeps calling it") == true)
      }
      await daemon.end()
    }

    @Test("an outage is over when a person stops the device: from then on nobody calls it")
    func stoppedOutage() async throws {
      let stage = try await Stage()
      await stage.server.stop()
      try stage.enqueue([Self.film])
      let daemon = try await Daemon(stage.database)
      #expect(try await daemon.refusal(.feed(FeedRequest()), stage.device.id)?.exit == .unreachable)
      let outages = OutageStore(stage.database)
      #expect(try outages.isOpen(stage.device.id))
      #expect(
        try await daemon.refusal(.perform(.stop(quits: false)), stage.device.id)?.code == Failure.notFeeding)
      #expect(await daemon.manager.next { $0.contains("feeding 0 devices") } != nil)
      #expect(try !outages.isOpen(stage.device.id))
      let reported = try ReportStore(stage.database).outages(
        in: WallTime(milliseconds: 0)..<WallTime.latest, of: nil)
      #expect(reported.map { $0.cause.hasSuffix("; castq stopped calling it") } == [true])
      await daemon.end()
    }

    @Test(
      "a device that was switched off when the daemon began has its content within ten seconds of being back")
    func latecomer() async throws {
      let port = Int.random(in: 20_000..<32_000)
      let stage = try await Stage(port: port)
      await stage.server.stop()
      try stage.enqueue([Self.film])
      let daemon = try await Daemon(stage.database)
      #expect(try await daemon.refusal(.feed(FeedRequest()), stage.device.id)?.exit == .unreachable)
      let wire = try await Wire()
      let server = try await Stage.serve(port: port, wire: wire)
      #expect(await wire.received("QUEUE_LOAD") != nil)
      // However long it was away, it is called so often; how fast this computer is otherwise is no matter.
      for random in [0.0, 0.5, 1] {
        let pause = RunnerConfiguration.eager.wait(
          beforeAttempt: 1000, random: random, elapsed: .seconds(86_400))
        #expect(try #require(pause) < .seconds(5))
      }
      await daemon.end()
      await server.stop()
    }

    @Test(
      "the daemon ends as it is configured, and another one may begin",
      arguments: [.stop, .leave] as [RunnerEnding])
    func ending(_ manner: RunnerEnding) async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 0.3, wire: wire)
      var configuration = DaemonConfiguration()
      configuration.onExit = manner
      let daemon = try await Daemon(stage.database, configuration)
      #expect(throws: StoreError.self) {
        try DaemonService(
          database: stage.database, configuration: configuration, settings: DaemonSettings())
      }
      try add([Self.film], stage)
      try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      let waiting = Task { try await daemon.refusal(.feed(FeedRequest(waits: true)), stage.device.id) }
      // The order of lines on two connections is nobody's promise: the second answer proves the first was read.
      try await daemon.ask(.poke, stage.device.id)
      await daemon.end()
      #expect(await daemon.manager.next { $0.contains("STOPPING=1") } != nil)
      #expect(await wire.lastWord()?["type"] == (manner == .stop ? "STOP" : "CLOSE"))
      #expect(try stage.states() == [manner == .stop ? .pending : .playing])
      #expect(try await waiting.value?.exit == .tryAgain)
      let next = try await Daemon(stage.database)
      #expect(try await next.refusal(.feed(FeedRequest(waits: true)), stage.device.id) == nil)
      await next.end()
      #expect(
        try stage.plays().map(\.outcome) == (manner == .stop ? [.interrupted, .finished] : [.finished]))
      await stage.server.stop()
    }

    // MARK: - Guests

    /// Another sender puts something of its own on the screen.
    private func takeOver(_ stage: Stage, _ files: MediaServer) async throws {
      let stranger = try await stage.stranger()
      let link = try files.publish(path: Stage.sample("welcome.mp4"), contentType: "video/mp4")
      let theirs = Stage.draft(files.url(for: link, host: "127.0.0.1"), title: "Theirs").media
      _ = try await stranger.remoteMediaClient.load(theirs).value
      await stranger.leave()
    }

    @Test(
      "a guest keeps the screen for the lease, not at all, or until somebody starts",
      arguments: [.lease(.seconds(2)), .never, .always] as [GuestPolicy])
    func guests(_ policy: GuestPolicy) async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 0.3, wire: wire)
      let files = MediaServer(group: MultiThreadedEventLoopGroup.singleton)
      try await files.start()
      var configuration = DaemonConfiguration()
      configuration.standard.guests = policy
      let daemon = try await Daemon(stage.database, configuration)
      try add([Self.film], stage)
      try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      #expect(await wire.received("QUEUE_LOAD") != nil)
      let waiting = Task { try await daemon.refusal(.feed(FeedRequest(waits: true)), stage.device.id) }
      try await daemon.ask(.poke, stage.device.id)
      try await takeOver(stage, files)
      #expect(await wire.received("LOAD") != nil)
      if policy == .always {
        #expect(try await waiting.value?.code == "taken_over")
        #expect(try await daemon.refusal(.perform(.pause), stage.device.id)?.code == Failure.notFeeding)
        try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      }
      #expect(await wire.received("QUEUE_LOAD") != nil)
      if policy != .always { #expect(try await waiting.value == nil, "it waited while the guest was there") }
      await daemon.end()
      await files.stop()
      await stage.server.stop()
    }

    // MARK: - Volume and quiet hours

    @Test("the device is as loud as it is to be before the first sound, and as before afterwards")
    func volume() async throws {
      let wire = try await Wire()
      let stage = try await Stage(wire: wire)
      var configuration = DaemonConfiguration()
      configuration.standard.volume = 0.3
      let daemon = try await Daemon(stage.database, configuration)
      try add([Self.chime], stage)
      try await daemon.ask(.feed(FeedRequest(waits: true)), stage.device.id)
      let deeds = ["SET_VOLUME", "QUEUE_LOAD"]
      var told: [String] = []
      while told.count < 3, let line = await wire.next(where: { $0.isIncoming && deeds.contains($0.type) }) {
        told.append(line.body["volume"]?["level"]?.double.map { "\($0)" } ?? line.type)
      }
      #expect(told == ["0.3", "QUEUE_LOAD", "1.0"])
      await daemon.end()
      await stage.server.stop()
    }

    @Test("somebody who turns the volume is right until castq comes again")
    func turnedVolume() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 0.2, wire: wire)
      var configuration = DaemonConfiguration()
      configuration.standard.volume = 0.3
      let daemon = try await Daemon(stage.database, configuration)
      try add([Self.film], stage)
      try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      let turned = try await daemon.ask(.perform(.volume(.level(0.7))), stage.device.id)
      #expect(turned["volume"]?["level"] == 70)
      try await daemon.ask(.perform(.stop(quits: false)), stage.device.id)
      await daemon.end()
      // The volume marks the end of what the receiver was told.
      let visitor = try await stage.stranger()
      _ = try await visitor.setDeviceVolume(0.9).value
      await visitor.leave()
      await stage.server.stop()
      var levels: [Double] = []
      while levels.last != 0.9, let line = await wire.received("SET_VOLUME") {
        if let level = line["volume"]?["level"]?.double { levels.append(level) }
      }
      #expect(levels == [0.3, 0.7, 0.9])
    }

    @Test("in quiet hours nothing plays; when they are over, it goes on")
    func quietHours() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 0.2, wire: wire)
      let clock = WallClock(21, 59)
      var configuration = DaemonConfiguration()
      configuration.standard.quietHours = [try QuietHours("22:00-07:00")]
      let daemon = try await Daemon(stage.database, configuration, clock: clock)
      try add([Self.film], stage)
      try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      clock.set(22)
      // The clock is looked at with every reading of the configuration, too.
      await daemon.reload(.success(configuration))
      #expect(await daemon.manager.next { $0.contains("feeding 0 devices") } != nil)
      #expect(await wire.received("STOP") != nil)
      let refusal = try await daemon.refusal(.feed(FeedRequest()), stage.device.id)
      #expect(refusal?.code == "quiet_hours")
      #expect(refusal?.exit == .tryAgain)
      clock.set(7)
      await daemon.reload(.success(configuration))
      #expect(await wire.received("QUEUE_LOAD") != nil)
      await daemon.end()
      await stage.server.stop()
    }

    @Test("quiet hours with a volume are only less loud")
    func quietVolume() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 0.2, wire: wire)
      let clock = WallClock(12)
      var configuration = DaemonConfiguration()
      configuration.standard.quietHours = [try QuietHours("22:00-07:00")]
      configuration.standard.quietVolume = 0.1
      let daemon = try await Daemon(stage.database, configuration, clock: clock)
      try add([Self.film], stage)
      try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      for (hour, level) in [(23, 0.1), (8, 1.0)] {
        clock.set(hour)
        await daemon.reload(.success(configuration))
        #expect(await wire.received("SET_VOLUME")?["volume"]?["level"]?.double == level)
      }
      await daemon.end()
      await stage.server.stop()
    }

    // MARK: - Configuration and the service manager

    @Test("a budget of prepared files that was lowered holds from the start, and from the next reading on")
    func loweredBudget() async throws {
      let stage = try await Stage()
      let folder = URL(filePath: stage.database.path + ".prepared")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for letter in "abcd" {
        try Data(count: 1000).write(
          to: folder.appending(path: "\(String(repeating: String(letter), count: 40)).mp4"))
      }
      func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder.path).count }
      var configuration = DaemonConfiguration()
      configuration.preparation.budget = 3500
      let first = try await Daemon(stage.database, configuration)
      await first.end()
      #expect(try count() == 3)
      let second = try await Daemon(stage.database, configuration)
      configuration.preparation.budget = 1500
      await second.reload(.success(configuration))
      await second.end()
      #expect(try count() == 1)
      await stage.server.stop()
    }

    @Test("a configuration that is broken changes nothing; the next good one counts")
    func reloading() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 0.2, wire: wire)
      var configuration = DaemonConfiguration()
      configuration.standard.volume = 0.5
      let daemon = try await Daemon(stage.database, configuration)
      try add([Self.film], stage)
      try await daemon.ask(.feed(FeedRequest()), stage.device.id)
      #expect(await wire.received("SET_VOLUME")?["volume"]?["level"]?.double == 0.5)
      await daemon.reload(.failure(Failure("configuration", "broken", exit: .configuration)))
      configuration.devices = [DaemonConfiguration.Named(name: "LOBBY", rules: DeviceRules())]
      configuration.devices[0].rules.volume = 0.2
      await daemon.reload(.success(configuration))
      #expect(await wire.received("SET_VOLUME")?["volume"]?["level"]?.double == 0.2)
      #expect(try await daemon.refusal(.perform(.pause), stage.device.id) == nil, "it has played on")
      await daemon.end()
      await stage.server.stop()
    }

    @Test("a manager that wants signs of life gets them in half of its time")
    func watchdog() async throws {
      let stage = try await Stage()
      let began = ContinuousClock.now
      let daemon = try await Daemon(
        stage.database, variables: ["WATCHDOG_USEC": "200000", "WATCHDOG_PID": "\(getpid())"])
      for _ in 1...3 { #expect(await daemon.manager.next { $0 == "WATCHDOG=1" } != nil) }
      #expect(ContinuousClock.now - began >= .milliseconds(200))
      let reloading = Task { await daemon.manager.next { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") } }
      daemon.service.reload()
      #expect(await reloading.value != nil)
      await daemon.end()
      await stage.server.stop()
    }

    @Test(
      "without a manager, or with one that means somebody else, nothing is told",
      arguments: [
        [:], ["NOTIFY_SOCKET": "relative"], ["WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"],
        ["WATCHDOG_USEC": "x"], ["WATCHDOG_USEC": "1"],
      ] as [[String: String]])
    func noManager(_ variables: [String: String]) {
      let notice = ServiceNotice(environment: { variables[$0] })
      #expect(notice.watchdogInterval == nil)
      notice.ready("nobody hears this")
    }
  }
}
