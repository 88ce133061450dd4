import CastProtocol
import CastReceiverSim

/// A session with its copy of the queue, another sender that writes raw messages, and a receiver, in virtual time.
struct QueuePair {
  private static let ours = SimConnectionID(1)
  private static let other = SimConnectionID(2)
  private static let latency = Duration.milliseconds(3)

  private(set) var queue = MediaQueueMachine()
  /// How often the ids were asked for.
  private(set) var questions = 0
  /// Items that were not what the receiver said they are.
  private(set) var wrongItems = 0
  /// Whether the newest change was announced: then the copy has to be right, whatever was lost before.
  private(set) var knowsOfNewestChange = true
  var weather: MediaQueuePairTests.Weather

  private var receiver: VirtualReceiver
  private var session = SessionMachine()
  private var now = Tick.zero
  private var fate: Dice
  private var arriving: [(at: Tick, order: Int, message: CastMessage)] = []
  private var arrived = 0
  private var sessionTimers: [TimerID: Tick] = [:]
  private var queueTimer: Tick?
  private var fetches: [RequestToken: (isIDs: Bool, number: Int)] = [:]
  private var tokens = 0
  private var status: MediaStatus?
  private var transport: EndpointID = "none"
  private var heard: [JSONValue] = []
  private var revision = 0

  init(seed: UInt64, weather: MediaQueuePairTests.Weather) {
    self.weather = weather
    fate = Dice(seed: seed)
    var configuration = ReceiverConfiguration()
    configuration.seed = seed
    configuration.itemsPerAnswer = 7
    receiver = VirtualReceiver(configuration: configuration) { _, _ in
      (.loaded(MediaFacts(duration: 90_000, contentType: "video/mp4")), .milliseconds(20))
    }
  }

  var copy: [MediaQueueItemID] { queue.itemIDs }
  var isComplete: Bool { queue.isComplete }

  /// The queue as the receiver tells the other sender.
  var truth: [MediaQueueItemID] {
    mutating get {
      guard status?.isEnded == false else { return [] }
      let answer = askDirectly(["type": "QUEUE_GET_ITEM_IDS", "requestId": 77], for: "QUEUE_ITEM_IDS")
      return (answer?["itemIds"]?.array ?? []).compactMap(\.int).map(MediaQueueItemID.init)
    }
  }

  // MARK: - What the senders do

  mutating func start() {
    tell(
      session: .start(
        SessionTarget(endpoint: DeviceEndpoint(host: "virtual"), purpose: .play(applicationID: "CC1AD845"))))
    settle()
    receiver.handle(.connectionOpened(Self.other))
    receiver.send(["type": "CONNECT"], .connection, from: "sender-b", to: .receiver, over: Self.other)
    receiver.send(["type": "CONNECT"], .connection, from: "sender-b", to: transport, over: Self.other)
    tell(queue: .attached(isActive: true, status))
    load()
    settle()
  }

  mutating func reload() { tell(queue: .reload) }

  /// One edit by one of the two.
  mutating func edit(_ dice: inout Dice) {
    guard status?.isEnded == false else { return load() }
    // What is on the way may have made them wrong: all the better.
    let ids = copy
    func any() -> MediaQueueItemID? { ids.isEmpty ? nil : ids[dice.number(0...ids.count - 1)] }
    let anchor = dice.chance(0.7) ? any() : nil
    let some = Array(Set((0..<dice.number(1...3)).compactMap { _ in any() })).sorted {
      $0.rawValue < $1.rawValue
    }
    let request: MediaRequest
    switch dice.number(0...9) {
    case 0...3 where ids.count < 60:
      request = .queueInsert(
        QueueInsert(items: (0..<dice.number(1...4)).map { _ in item() }, insertBefore: anchor))
    case 0...5 where some.count < ids.count || dice.chance(0.05):
      request = .queueRemove(QueueRemove(itemIDs: some))
    case 6, 7: request = .queueReorder(QueueReorder(itemIDs: some, insertBefore: anchor))
    case 8:
      request = .queueUpdate(
        QueueUpdate(
          items: some.map { id in
            var item = item()
            item.itemID = id
            return item
          }))
    default:
      request = .queueUpdate(
        dice.chance(0.3) ? QueueUpdate(shuffle: dice.chance(0.5)) : QueueUpdate(currentItemID: anchor))
    }
    for _ in 0..<3 { if let id = any() { tell(queue: .wanted(id)) } }
    send(request, byUs: dice.chance(0.5))
  }

  private mutating func load() {
    send(.queueLoad(QueueLoad(items: [item(), item(), item()])), byUs: true)
    settle()
  }

  private mutating func item() -> MediaQueueItem {
    revision += 1
    return MediaQueueItem(
      mediaInformation: MediaInformation(contentID: "http://m/\(revision).mp4", contentType: "video/mp4"))
  }

  private mutating func send(_ request: MediaRequest, byUs: Bool) {
    if byUs {
      tokens += 1
      tell(session: .request(RequestToken(tokens), .media(request)))
    } else {
      let json = request.json(requestID: RequestID(500), mediaSessionID: status?.mediaSessionID)
      receiver.send(json, .media, from: "sender-b", to: transport, over: Self.other)
      collect()
    }
  }

  /// Asks the receiver as the other sender; the answer is there at once.
  private mutating func askDirectly(_ body: [String: JSONValue], for type: String) -> JSONValue? {
    heard = []
    let id = status?.mediaSessionID.rawValue ?? 0
    receiver.send(
      .object(body.merging(["mediaSessionId": .integer(Int64(id))]) { $1 }), .media, from: "sender-b",
      to: transport, over: Self.other)
    collect()
    return heard.last { $0["type"]?.string == type }
  }

  /// Compares what is known of items with what the receiver says of them.
  mutating func compareItems() {
    for id in copy {
      guard let known = queue.cache.peek(id)?.mediaInformation?.contentID else { continue }
      let answer = askDirectly(
        ["type": "QUEUE_GET_ITEMS", "requestId": 78, "itemIds": [.integer(Int64(id.rawValue))]],
        for: "QUEUE_ITEMS")
      if answer?["items"]?.array?.first?["media"]?["contentId"]?.string != known { wrongItems += 1 }
    }
  }

  // MARK: - Time

  /// Lets everything that is on its way arrive, and what it leads to.
  mutating func settle() {
    let end = now + .seconds(2)
    while let next = nextTick, next <= end { step(to: next) }
    now = max(now, end)
    receiver.advance(to: now)
    collect()
  }

  private var nextTick: Tick? {
    ([receiver.nextTick, arriving.map(\.at).min(), queueTimer].compactMap { $0 } + sessionTimers.values).min()
  }

  private mutating func step(to tick: Tick) {
    now = max(now, tick)
    receiver.advance(to: now)
    collect()
    while let next = arriving.filter({ $0.at <= now }).min(by: { ($0.at, $0.order) < ($1.at, $1.order) }) {
      arriving.removeAll { $0.order == next.order }
      tell(session: .received(next.message))
    }
    if let due = queueTimer, due <= now {
      queueTimer = nil
      tell(queue: .timerFired(.collecting))
    }
    for (timer, at) in sessionTimers.sorted(by: { $0.value < $1.value }) where at <= now {
      sessionTimers[timer] = nil
      tell(session: .timerFired(timer))
    }
  }

  /// What the receiver said is on its way to us; announcements of changes are subject to the weather.
  private mutating func collect() {
    for output in receiver.takeOutputs() {
      guard let message = output.message else { continue }
      guard output.connection == Self.ours else {
        if case .string(let text) = message.payload, let json = try? JSONValue(parsing: text) {
          heard.append(json)
        }
        continue
      }
      var copies = 1
      var delay = Self.latency
      if case .string(let text) = message.payload, text.contains("QUEUE_CHANGE") {
        if fate.chance(weather.lost) { copies = 0 } else if fate.chance(weather.twice) { copies = 2 }
        if fate.chance(weather.late) { delay = delay + .milliseconds(fate.number(1...12)) }
        knowsOfNewestChange = copies > 0
      }
      for _ in 0..<copies {
        arrived += 1
        arriving.append((output.tick + delay, arrived, message))
      }
    }
  }

  // MARK: - The machines

  private mutating func tell(session event: SessionMachine.Event) {
    for action in session.handle(event, at: now) {
      switch action {
      case .openTransport:
        receiver.handle(.connectionOpened(Self.ours))
        tell(session: .transportOpened())
      case .send(let message):
        if message.namespace == .media { transport = message.destination }
        receiver.handle(.received(message, from: Self.ours))
        collect()
      case .startTimer(let timer, let wait): sessionTimers[timer] = now + wait
      case .cancelTimer(let timer): sessionTimers[timer] = nil
      case .publish(let event):
        if case .mediaStatus(let new) = event { status = new }
        tell(queue: .session(event))
      case .complete(let token, let result): completed(token, result)
      case .closeTransport, .note: break
      }
    }
  }

  private mutating func completed(_ token: RequestToken, _ result: Result<Reply, CastError>) {
    guard let fetch = fetches.removeValue(forKey: token) else { return }
    switch result {
    case .success(.queueItemIDs(let answer)): tell(queue: .itemIDs(fetch.number, .success(answer)))
    case .success(.queueItems(let items)): tell(queue: .items(fetch.number, .success(items)))
    case .success: break
    case .failure(let error):
      tell(
        queue: fetch.isIDs ? .itemIDs(fetch.number, .failure(error)) : .items(fetch.number, .failure(error)))
    }
  }

  private mutating func tell(queue event: MediaQueueMachine.Event) {
    for action in queue.handle(event, at: now) {
      switch action {
      case .fetchItemIDs(let number):
        questions += 1
        ask(.queueGetItemIDs, isIDs: true, number)
      case .fetchItems(let number, let ids): ask(.queueGetItems(ids), isIDs: false, number)
      case .startTimer(_, let wait): queueTimer = now + wait
      case .cancelTimer: queueTimer = nil
      case .update, .finish: break
      }
    }
  }

  private mutating func ask(_ request: MediaRequest, isIDs: Bool, _ number: Int) {
    tokens += 1
    fetches[RequestToken(tokens)] = (isIDs, number)
    tell(session: .request(RequestToken(tokens), .media(request)))
  }
}
