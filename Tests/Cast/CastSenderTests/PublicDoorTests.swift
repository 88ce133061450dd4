import CastProtocol
import CastReceiverSim
import CastSender
import Logging
import Synchronization
import Testing

extension SenderTests {
  /// What no other test of the public interface uses, by what it does.
  @Suite(.timeLimit(.minutes(5))) struct PublicDoorTests {
    private static let echoNamespace = "urn:x-cast:org.castq.echo"

    @Test("a device is asked what it is, what it can run and which groups it has")
    func questions() async throws {
      let device = try await SimulatedDevice.start()
      let session = Session(device: device.device, options: SessionOptions(purpose: .device))
      try await session.start()
      let answers = try await session.requestApplicationAvailability(["CC1AD845", "00000000"]).value
      #expect(answers["CC1AD845"] == .available && answers["00000000"] != .available)
      let same = try await session.requestApplicationAvailability(["cc1ad845"]).value
      #expect(same == ["cc1ad845": .available], "case does not matter")
      let information = try await session.requestDeviceInformation().value
      #expect(information.friendlyName == device.server.configuration.friendlyName)
      #expect(try await session.requestSetupInformation().value.name == information.friendlyName)
      _ = try await session.requestCastingGroups().value
      await session.leave()
      try await device.stop()
    }

    @Test("the session that another sender names is joined, and no later one of its application")
    func joinsNamedSession() async throws {
      let device = try await SimulatedDevice.start()
      let first = Session(device: device.device)
      #expect(first.sessionID == nil)
      try await first.start()
      let id = try #require(first.sessionID)
      let options = SessionOptions(purpose: .joinSession(applicationID: "CC1AD845", sessionID: id))
      let guest = Session(device: device.device, options: options)
      try await guest.start()
      #expect(guest.sessionID == id)
      await guest.leave()
      try await first.stopApplication()
      let second = Session(device: device.device)
      try await second.start()
      #expect(second.sessionID != id)
      let late = Session(device: device.device, options: options)
      await #expect(throws: CastError(.applicationNotRunningForJoin, "")) { try await late.start() }
      await second.end(.stopApplication)
      try await device.stop()
    }

    @Test("credentials that are given to a context later are sent with the next launch")
    func launchCredentials() async throws {
      let device = try await SimulatedDevice.start()
      var options = CastOptions(receiverApplicationID: "ECEC0001")
      options.startsDiscoveryAutomatically = false
      options.requiredNamespaces = [Self.echoNamespace]
      options.launchOptions.credentials = CredentialsData(credentials: "early")
      let context = CastContext(options: options)
      for expected in ["early", "late"] {
        if expected == "late" { context.setLaunchCredentials(CredentialsData(credentials: "late")) }
        let session = try await context.sessionManager.startSession(with: device.device)
        let channel = try GenericChannel(namespace: Self.echoNamespace)
        session.add(channel)
        let messages = channel.messages()
        try await channel.send(#"{"type":"LAUNCH_DATA","requestId":7}"#)
        for await case .text(let text) in messages where text.contains("LAUNCH_DATA") {
          #expect(text.contains("\"\(expected)\""), "\(text)")
          break
        }
        try await context.sessionManager.endSession(stoppingCasting: true)
      }
      try await device.stop()
    }

    @Test("a session is suspended and resumed by its manager, and by hand")
    func suspends() async throws {
      let device = try await SimulatedDevice.start()
      let manager = CastContext.quiet().sessionManager
      let session = try await manager.startSession(with: device.device)
      var events = session.events().makeAsyncIterator()
      func wait(_ isReached: (SessionEvent) -> Bool) async {
        while let event = await events.next(), !isReached(event) {}
      }
      manager.suspendSession()
      await wait { $0 == .suspended(.byCaller) }
      #expect(session.state == .suspended)
      manager.resumeSession()
      await wait { if case .resumed(_, true) = $0 { true } else { false } }
      session.suspend()
      await wait { $0 == .suspended(.byCaller) }
      session.resume()
      await wait { if case .resumed(_, true) = $0 { true } else { false } }
      #expect(session.state == .active)
      try await manager.endSession(stoppingCasting: true)
      try await device.stop()
    }

    @Test("the queue is jumped in, shuffled as a mode, and its items are changed")
    func queue() async throws {
      let device = try await SimulatedDevice.start { $0.unknownDuration = 600 }
      let session = Session(device: device.device)
      try await session.start()
      let client = session.remoteMediaClient
      let items = ["a", "b", "c", "d", "e", "f", "g", "h"].map {
        MediaQueueItem(mediaInformation: device.media($0))
      }
      _ = try await client.queueLoad(items).value
      _ = try await client.queueJump(by: 2).value
      _ = try await client.requestStatus().value
      #expect(client.mediaStatus?.mediaInformation?.contentID == device.media("c").contentID)
      let ids = try await client.queueFetchItemIDs().value
      var last = try #require(try await client.queueFetchItems(withIDs: [ids[3]]).value.first)
      last.startTime = 30
      _ = try await client.queueUpdateItems([last]).value
      #expect(try await client.queueFetchItems(withIDs: [ids[3]]).value.first?.startTime == 30)
      _ = try await client.queueSetShuffle(true).value
      let shuffled = try await client.queueFetchItemIDs().value
      #expect(shuffled != ids && Set(shuffled) == Set(ids))
      await session.end(.stopApplication)
      try await device.stop()
    }

    @Test("what a viewer thinks is told to the application")
    func userAction() async throws {
      let transport = ScriptedTransport(
        script: ScriptedApplication.script(answering: ["GET_STATUS", "USER_ACTION"]))
      let session = ScriptedApplication.session(transport)
      try await session.start()
      _ = try await session.remoteMediaClient.sendUserAction(UserActionRequest(.like)).value
      #expect(transport.sentTypes.last == "USER_ACTION")
      await session.leave()
    }

    @Test("the words of the application, the input and the sleep of the screen are heard when they change")
    func deviceStatus() async throws {
      let transport = ScriptedTransport(script: ScriptedApplication.script())
      let session = ScriptedApplication.session(transport)
      let listener = DeviceListener()
      session.add(listener)
      try await session.start()
      transport.say(
        .message(
          CastMessage(
            source: .receiver, destination: .broadcast, namespace: .receiver,
            json: [
              "type": "RECEIVER_STATUS", "requestId": 0,
              "status": [
                "isActiveInput": true, "isStandBy": false,
                "applications": [
                  [
                    "appId": "AAAA0001", "displayName": "Game", "sessionId": "s1", "transportId": "web-7",
                    "statusText": "Level 2", "namespaces": [["name": .string(ScriptedApplication.media)]],
                  ]
                ],
              ],
            ])))
      await session.settle()
      await session.leave()
      #expect(listener.heard == ["status Level 2", "input true", "standby false"])
    }

    @Test("a context's listeners hear the words of the application")
    func managerStatus() async throws {
      let device = try await SimulatedDevice.start()
      let manager = CastContext.quiet().sessionManager
      let listener = DeviceListener()
      manager.add(listener)
      try await manager.startSession(with: device.device)
      try await manager.endSession(stoppingCasting: true)
      #expect(listener.heard.contains { $0.hasPrefix("status Default Media Receiver") }, "\(listener.heard)")
      try await device.stop()
    }

    @Test("a delegate of a generic channel hears its life")
    func genericChannel() async throws {
      let namespace = "urn:x-cast:com.example.game"
      let transport = ScriptedTransport(script: ScriptedApplication.script(namespaces: [namespace]))
      let session = ScriptedApplication.session(transport, needs: namespace)
      let delegate = ChannelDelegate()
      session.add(try GenericChannel(namespace: namespace, delegate: delegate))
      try await session.start()
      transport.say(.message(ScriptedApplication.broadcast("welcome", in: Namespace(namespace))))
      await session.settle()
      await session.leave()
      #expect(delegate.heard == ["connected", "welcome", "gone -"])
    }

    @Test("listeners of the queue's copy hear of items that were fetched, and of a new order")
    func queueListener() async throws {
      let device = try await SimulatedDevice.start { $0.unknownDuration = 600 }
      let session = Session(device: device.device)
      try await session.start()
      let queue = session.remoteMediaClient.mediaQueue
      let listener = QueueListener()
      queue.add(listener)
      var words = listener.words.makeAsyncIterator()
      let items = ["a", "b", "c"].map { MediaQueueItem(mediaInformation: device.media($0)) }
      _ = try await session.remoteMediaClient.queueLoad(items).value
      while let word = await words.next(), word != "reloaded" || queue.itemCount < 3 {}
      _ = queue.item(at: 2)
      while let word = await words.next(), word != "updated 2" {}
      #expect(queue.item(at: 2, fetchIfNeeded: false) != nil)
      let ids = queue.itemIDs
      _ = try await session.remoteMediaClient.queueMoveItem(withID: ids[2], beforeItemWithID: ids[0]).value
      while let word = await words.next(), word != "reordered" {}
      #expect(queue.itemIDs == [ids[2], ids[0], ids[1]])
      await session.end(.stopApplication)
      try await device.stop()
    }

    @Test("a handler for the whole process passes on what its label says")
    func handler() {
      let cast = CastLogger(time: .continuous)
      let delegate = LogDelegate()
      cast.delegate = delegate
      Logger(label: "Signage", factory: { cast.makeHandler(label: $0) }).info("a quiet day")
      #expect(delegate.lines == ["Signage a quiet day"])
    }
  }
}

private final class Notes: Sendable {
  private let words = Mutex<[String]>([])
  var all: [String] { words.withLock { $0 } }
  func note(_ word: String) { words.withLock { $0.append(word) } }
}

private final class DeviceListener: SessionListener, SessionManagerListener {
  private let notes = Notes()
  var heard: [String] { notes.all }

  func session(_ session: Session, didReceiveDeviceStatus statusText: String?) {
    notes.note("status \(statusText ?? "-")")
  }
  func session(_ session: Session, didChangeActiveInput isActiveInput: Bool?) {
    notes.note("input \(isActiveInput.map { "\($0)" } ?? "-")")
  }
  func session(_ session: Session, didChangeStandBy isStandBy: Bool?) {
    notes.note("standby \(isStandBy.map { "\($0)" } ?? "-")")
  }
  func sessionManager(
    _ manager: SessionManager, session: Session, didReceiveDeviceStatus statusText: String?
  ) { notes.note("status \(statusText ?? "-")") }
}

private final class ChannelDelegate: GenericChannelDelegate {
  private let notes = Notes()
  var heard: [String] { notes.all }

  func genericChannelDidConnect(_ channel: GenericChannel) { notes.note("connected") }
  func genericChannel(_ channel: GenericChannel, didDisconnectWith error: CastError?) {
    notes.note("gone \(error.map { "\($0.code)" } ?? "-")")
  }
  func genericChannel(_ channel: GenericChannel, didReceive payload: ChannelPayload) {
    if case .text(let text) = payload { notes.note(text) }
  }
}

private final class QueueListener: MediaQueueListener {
  let words: AsyncStream<String>
  private let sink: AsyncStream<String>.Continuation
  init() { (words, sink) = AsyncStream.makeStream(of: String.self) }

  func mediaQueueDidReloadItems(_ queue: MediaQueue) { sink.yield("reloaded") }
  func mediaQueue(_ queue: MediaQueue, didUpdateItemsAt indexes: [Int]) {
    sink.yield("updated \(indexes.map { "\($0)" }.joined(separator: " "))")
  }
  func mediaQueueDidReorderItems(_ queue: MediaQueue) { sink.yield("reordered") }
}

private final class LogDelegate: CastLoggerDelegate {
  private let notes = Notes()
  var lines: [String] { notes.all }

  func logMessage(
    _ message: String, at level: CastLogLevel, fromFunction function: String, class className: String,
    location: String
  ) { notes.note("\(className) \(message)") }
}
