import CastProtocol
import CastSender
import CastqDaemon
import CastqLink
import CastqMQTT
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText

/// The site on a broker: states and availability of its devices, commands for them, and their announcement to Home Assistant.
actor LiveFace {
  private let database: Database
  private let topics: LiveTopics
  private let discovery: HomeAssistant?
  private let client: MQTTClient
  private let control: BrokerControl
  /// Called when a bundle was announced.
  private let announced: @Sendable () -> Void
  private let time: TimeSource
  /// What the daemon said last of each device; nothing while there is none.
  private var reports: [DeviceID: JSONValue] = [:]
  private var devices: [DeviceID: KnownDevice] = [:]
  /// What the broker has, without the moment and the position.
  private var published: [DeviceID: JSONValue] = [:]
  private var introduced: Set<String> = []
  /// Labels that no device has any more, and of which the broker still keeps something.
  private var departed: Set<String> = []
  private var admission = CommandAdmission()
  private var refusals = LineLimit()
  private var unsent = UnsentReplies()

  /// Labels that are remembered until the broker can be asked to forget them.
  private static let mostDeparted = 1000
  /// How long a broker may take to answer before that is reported.
  private static let patience = Duration.seconds(5)

  init(
    _ control: BrokerControl, site: String, client: MQTTClient, discovery: String?,
    announced: @escaping @Sendable () -> Void, time: TimeSource = .continuous
  ) {
    self.control = control
    database = control.workspace.database
    topics = LiveTopics(site: site)
    self.discovery = discovery.map { HomeAssistant(LiveTopics(site: site), prefix: $0) }
    self.client = client
    self.announced = announced
    self.time = time
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { database.executor.asUnownedSerialExecutor() }

  /// Runs until its task is cancelled; says goodbye then.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.followBroker() }
      group.addTask { await self.followDaemon() }
      group.addTask { await self.followLedger() }
      group.addTask { [client, time] in
        if (try? await time.sleep(Self.patience)) != nil { client.reportSilence() }
      }
    }
    client.publish("offline", to: topics.availability, isRetained: true)
    client.close()
  }

  // MARK: - The broker

  private func followBroker() async {
    for await event in client.events {
      switch event {
      case .connected:
        client.subscribe(topics.commands)
        for topic in topics.bundles { client.subscribe(topic) }
        if let discovery { client.subscribe(discovery.status) }
        // What the broker kept before says which devices were here when nobody looked.
        for topic in topics.keptOfAll { client.subscribe(topic, hearsItself: false) }
        published = [:]
        introduced = []
        client.publish("online", to: topics.availability, isRetained: true)
        readLedger()
        for late in unsent.take(at: time.now()) { reply(late.text, to: late.topic) }
        LinkOutput.say("castq-link: the broker answers")
      case .disconnected(let words): LinkOutput.say("castq-link: the broker does not answer: \(words)")
      case .refused(let words):
        let needed = discovery.map { "\(topics.all) and \($0.all)" } ?? topics.all
        LinkOutput.say(
          "castq-link: the broker refuses what this site sends (\(words)): its access list has to allow \(needed)"
        )
      case .pushedOff:
        LinkOutput.say(
          "castq-link: the broker ends each connection soon after it began: another client seems to have the name \(client.name), "
            + "such as a second 'castq-link run' or another site of this name")
      case .message(let topic, let payload, let isRetained):
        if let discovery, topic == discovery.status {
          guard HomeAssistant.isBack(payload) else { continue }
          introduced = []
          published = [:]
          readLedger()
        } else if topics.bundles.contains(topic) {
          announced()
        } else if let label = topics.device(ofKept: topic) {
          if isRetained, !payload.isEmpty { heard(of: label) }
        } else {
          receive(topic, payload, isRetained: isRetained)
        }
      }
    }
  }

  // MARK: - States

  private func followDaemon() async {
    while !Task.isCancelled {
      if let socket = DatabaseLock.holder(.daemon, of: database)?.socket,
        let replies = try? await ControlClient(socket: socket, device: DeviceID(0)).watch()
      {
        do {
          for try await reply in replies { hear(reply) }
        } catch {
          // The daemon is gone, or does not know the command.
        }
      }
      if !reports.isEmpty {
        reports = [:]
        for id in devices.keys { show(id) }
      }
      guard (try? await time.sleep(.milliseconds(500))) != nil else { return }
    }
  }

  /// Devices come and go in the ledger without a word of the daemon.
  private func followLedger() async {
    while (try? await time.sleep(.seconds(5))) != nil { readLedger() }
  }

  private func readLedger() {
    guard let known = try? DeviceStore(database).all() else { return }
    let before = devices
    devices = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let labels = Set(devices.values.map(\.label))
    departed = departed.union(before.values.map(\.label)).subtracting(labels)
    for label in departed where retract(label) { departed.remove(label) }
    for id in before.keys where devices[id] == nil { (published[id], reports[id]) = (nil, nil) }
    // What the daemon says of the others is shown when it says it.
    let new = devices.keys.filter { published[$0] == nil || before[$0]?.label != devices[$0]?.label }
    for id in new.sorted(by: { $0.rawValue < $1.rawValue }) { show(id) }
  }

  /// The broker keeps something of a device. One that the ledger does not have was removed or renamed while castq-link was away.
  private func heard(of label: String) {
    guard !devices.isEmpty || (try? DeviceStore(database).all().isEmpty) == true,
      !devices.values.contains(where: { LiveTopics.level($0.label) == LiveTopics.level(label) }),
      departed.count < Self.mostDeparted
    else { return }
    if !retract(label) { departed.insert(label) }
  }

  /// Has the broker forget what it keeps of a device: somebody would take it for one that is there.
  /// - Returns: whether that is on its way.
  private func retract(_ label: String) -> Bool {
    let topics = topics.kept(of: label) + (discovery?.announcements(of: label).map(\.topic) ?? [])
    introduced.remove(label)
    return topics.allSatisfy { client.publish("", to: $0, isRetained: true) }
  }

  private func hear(_ reply: JSONValue) {
    guard let number = reply["device"]?.int else { return }
    let id = DeviceID(Int64(number))
    reports[id] = reply
    if devices[id] == nil { readLedger() } else { show(id) }
  }

  private func show(_ id: DeviceID) {
    guard let device = devices[id] else { return }
    let label = device.label
    if let discovery, introduced.insert(label).inserted {
      for (topic, payload) in discovery.announcements(of: label) {
        client.publish(payload.text, to: topic, isRetained: true)
      }
    }
    let state = LiveState(of: device, report: reports[id], in: control.workspace)
    let document = state.document(site: topics.site, at: .now)
    let lasting = document.without(["at", "position_s"])
    guard published[id] != lasting else { return }
    published[id] = lasting
    client.publish(document.text, to: topics.state(of: label), isRetained: true)
    client.publish(
      state.isAvailable ? "online" : "offline", to: topics.availability(of: label), isRetained: true)
  }

  // MARK: - Commands

  private func receive(_ topic: String, _ payload: [UInt8], isRetained: Bool) {
    // An empty message is how a kept one is removed.
    guard let level = topics.device(ofCommand: topic), !payload.isEmpty else { return }
    let device = devices.values.map(\.label).first { LiveTopics.level($0) == level }
    let replies = "castq/\(topics.site)/\(level)/reply"
    do throws(LiveCommand.Refusal) {
      let command = try LiveCommand.read(payload, isRetained: isRetained, at: .now)
      guard let device else {
        throw LiveCommand.Refusal(
          id: command.id, replyTo: command.replyTo, code: "device_unknown",
          message: "this site has no such device")
      }
      guard try admission.admit(command, for: device, at: .now) else { return }
      Task { await self.performAll(from: command, for: device) }
    } catch {
      refuse(error, device ?? level, to: replies)
    }
  }

  /// Performs a command, and those that have come for its device meanwhile.
  private func performAll(from first: LiveCommand, for device: String) async {
    var next: LiveCommand? = first
    while let command = next {
      await perform(command, for: device)
      next = admission.next(for: device)
    }
  }

  private func perform(_ command: LiveCommand, for device: String) async {
    let replies = topics.reply(of: device)
    do throws(LiveCommand.Refusal) {
      try command.check(at: .now)
      LinkOutput.say("castq-link: command for \(device): \(command.words)")
      let failure = await control.perform(command.verb, on: device)
      reply(
        Self.reply(
          command.id, device, exit: failure?.exit ?? .done, error: failure.map { ($0.code, $0.plain.message) }
        ).text, to: command.replyTo ?? replies)
    } catch {
      refuse(error, device, to: replies)
    }
  }

  private func refuse(_ refusal: LiveCommand.Refusal, _ device: String, to replies: String) {
    if let silent = refusals.admit(at: time.now()) {
      let others = silent > 0 ? "; \(silent) others before it had no line" : ""
      LinkOutput.say(
        "castq-link: a command for \(TerminalText.excerpt(device)) was refused: \(refusal.message)\(others)")
    }
    reply(
      Self.reply(
        refusal.id, device, exit: refusal.exit, error: (refusal.code, refusal.message)
      ).text, to: refusal.replyTo ?? replies)
  }

  private func reply(_ text: String, to topic: String) {
    guard !client.publish(text, to: topic, isRetained: false) else { return }
    LinkOutput.say("castq-link: a reply waits for the broker")
    unsent.keep(UnsentReplies.Reply(topic: topic, text: text), at: time.now())
  }

  private static func reply(
    _ id: String?, _ device: String, exit: ExitStatus, error: (code: String, message: String)?
  ) -> JSONValue {
    LiveReply.document(id, device, at: .now, exit: Int(exit.rawValue), error: error)
  }
}

extension JSONValue {
  /// An object without some members.
  fileprivate func without(_ names: Set<String>) -> JSONValue {
    object.map { .object($0.filter { !names.contains($0.key) }) } ?? self
  }
}
