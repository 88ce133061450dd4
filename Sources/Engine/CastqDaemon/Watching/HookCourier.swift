import CastGuard
import CastHTTP
import CastProtocol
import CastSender
import CastTLS
import CastqFeeding
import CastqPrograms
import CastqStore
import CastqText
import Glibc
import Logging
import Synchronization

/// Delivers what hooks have to deliver: rows of the store, each until it is accepted. One delivery to a target at a time, so that one
/// that hangs holds up nobody else.
actor HookCourier {
  /// The longest wait between two looks at the rows.
  private static let longestWait = 900.0
  /// The wait for rows that cannot be read or written.
  private static let outagePause = 5.0
  /// What an attempt that is under way has left when the daemon ends: the answer may be there already, and what was accepted must not be
  /// delivered again.
  private static let lastWait = Duration.seconds(1)
  /// Deliveries under way.
  private static let mostBusy = 8

  /// What came of an attempt.
  private enum Outcome: Equatable {
    /// Accepted, or given up.
    case done
    case postponed(attempts: Int, to: WallTime, because: String)
  }

  private let database: Database
  private let store: HookStore
  private let logger: Logger
  private let time: TimeSource
  private let client = HTTPClient()
  private let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let rules = Mutex<[String: HookRule]>([:])
  /// What has come of deliveries, by their numbers, while rows cannot be written: what was accepted is not delivered again.
  private var unwritten: [Int64: Outcome] = [:]
  private var busy: Set<String> = []
  private var sleeper: Task<Void, Never>?

  init(_ database: Database, _ logger: Logger, _ time: TimeSource) {
    (self.database, self.logger, self.time) = (database, logger, time)
    store = HookStore(database)
  }

  /// The digest of what a hook does, which its deliveries are kept under.
  static func digest(of target: HookRule.Target) -> String? {
    let words =
      switch target {
      case .run(let command): ["run"] + command
      case .post(let address): ["post", address]
      }
    return try? SHA256.text(of: Array(words.joined(separator: "\0").utf8))
  }

  /// Follows another configuration. Safe from anywhere.
  nonisolated func follow(_ rules: [HookRule]) {
    var found: [String: HookRule] = [:]
    for rule in rules { if let digest = Self.digest(of: rule.target) { found[digest] = rule } }
    self.rules.withLock { [found] in $0 = found }
    wake()
  }

  /// Something may be due. Safe from anywhere.
  nonisolated func wake() { waker.yield() }

  /// Delivers until the task is cancelled.
  func run() async {
    wake()
    await withDiscardingTaskGroup { group in
      for await _ in wakes { await deliverDue(in: &group) }
    }
    sleeper?.cancel()
  }

  private var now: WallTime { WallTime(milliseconds: time.wallMilliseconds()) }

  private func deliverDue(in group: inout DiscardingTaskGroup) async {
    sleeper?.cancel()
    var wait = Self.outagePause
    do throws(StoreError) {
      await writeOutcomes()
      let (store, now) = (store, now)
      // One that ends meanwhile is still among the rows that are read.
      let before = busy
      let due = try await database.executor.run { () throws(StoreError) in try store.due(at: now) }
      for delivery in due where !before.union(busy).contains(delivery.target) && isDue(delivery, now) {
        guard busy.count < Self.mostBusy else { break }
        busy.insert(delivery.target)
        group.addTask { await self.deliver(delivery) }
      }
      let next = try await database.executor.run { () throws(StoreError) in try store.nextDue() }
      guard let next else { return }
      // What is due and not begun waits for one that is under way, which wakes when it has ended.
      let (rest, isFar) = next.milliseconds.subtractingReportingOverflow(now.milliseconds)
      if unwritten.isEmpty {
        wait = isFar || rest <= 0 ? Self.longestWait : min(Double(rest) / 1000, Self.longestWait)
      }
    } catch {
      logger.debug("hooks cannot be read", metadata: ["error": "\(error)"])
    }
    sleeper = Task { [time, wait] in
      if (try? await time.sleep(.bounded(seconds: wait))) != nil { self.wake() }
    }
  }

  /// Whether an attempt is due by what could not be written, too.
  private func isDue(_ delivery: HookDelivery, _ now: WallTime) -> Bool {
    switch unwritten[delivery.id] {
    case nil: true
    case .done: false
    case .postponed(_, let next, _): next <= now
    }
  }

  /// Writes what came of deliveries, until it cannot be written.
  private func writeOutcomes() async {
    for (id, outcome) in unwritten {
      guard await write(outcome, of: id) else { return }
      if unwritten[id] == outcome { unwritten[id] = nil }
    }
  }

  /// - Returns: whether it was written.
  private func write(_ outcome: Outcome, of id: Int64) async -> Bool {
    let store = store
    do throws(StoreError) {
      try await database.executor.run { () throws(StoreError) in
        switch outcome {
        case .done: try store.remove(id)
        case .postponed(let attempts, let next, let problem):
          try store.postpone(id, after: attempts, to: next, because: problem)
        }
      }
      return true
    } catch {
      logger.debug("hooks cannot be written", metadata: ["error": "\(error)"])
      return false
    }
  }

  private func deliver(_ delivery: HookDelivery) async {
    if let outcome = await outcome(of: delivery) {
      unwritten[delivery.id] = outcome
      if await write(outcome, of: delivery.id) { unwritten[delivery.id] = nil }
    }
    busy.remove(delivery.target)
    wake()
  }

  /// Attempts it once.
  /// - Returns: nil when the daemon ended the attempt.
  private func outcome(of delivery: HookDelivery) async -> Outcome? {
    // One that is out of the configuration is no longer waited for.
    guard let rule = rules.withLock({ $0[delivery.target] }) else { return .done }
    var before = delivery.attempts
    if case .postponed(let attempts, _, _) = unwritten[delivery.id] { before = attempts }
    let attempt = Task { await self.attempt(delivery, rule) }
    let problem = await withTaskCancellationHandler {
      await attempt.value
    } onCancel: { [time] in
      Task {
        try? await time.sleep(Self.lastWait)
        attempt.cancel()
      }
    }
    if problem != nil, Task.isCancelled { return nil }
    let (attempts, _) = before.addingReportingOverflow(1)
    guard let problem else {
      if before > 0 {
        logger.notice(
          "hook delivered", metadata: ["castq.delivery": "\(delivery.id)", "castq.attempts": "\(attempts)"])
      }
      return .done
    }
    let now = now
    let age = Duration.milliseconds(
      now.milliseconds.subtractingReportingOverflow(delivery.createdAt.milliseconds).partialValue)
    guard let pause = HookRetry.pause(after: attempts, age: age) else {
      logger.error(
        "hook given up", metadata: ["castq.delivery": "\(delivery.id)", "castq.problem": "\(problem)"])
      return .done
    }
    note(problem, delivery)
    return .postponed(attempts: attempts, to: now.adding(seconds: pause.seconds), because: problem)
  }

  private func note(_ problem: String, _ delivery: HookDelivery) {
    logger.log(
      level: delivery.attempts == 0 ? .warning : .debug, "hook not delivered, it is kept",
      metadata: ["castq.delivery": "\(delivery.id)", "castq.problem": "\(problem)"])
  }

  // MARK: - An attempt

  /// - Returns: why it was not accepted; nil when it was.
  private func attempt(_ delivery: HookDelivery, _ rule: HookRule) async -> String? {
    let event = try? JSONValue(parsing: Array(delivery.body.utf8))
    switch rule.target {
    case .run(let command): return await run(command, delivery, event, within: rule.limit)
    case .post(let address): return await post(to: address, delivery, event, rule)
    }
  }

  private func run(
    _ command: [String], _ delivery: HookDelivery, _ event: JSONValue?, within limit: Duration
  ) async -> String? {
    guard let name = command.first, let file = ProgramSearch.find(name, path: ProgramSearch.systemPath) else {
      return "there is no program \(TerminalText.excerpt(command.first ?? "")); install it, or name its path"
    }
    let program = ChildProgram(
      path: file,
      environment: [
        "CASTQ_EVENT": event?["event"]?.string ?? "", "CASTQ_DEVICE": event?["device"]?.string ?? "",
        "CASTQ_AT": event?["at"]?.string ?? "", "CASTQ_DELIVERY": "\(delivery.id)",
      ])
    do {
      _ = try await program.run(
        Array(command.dropFirst()), reading: Array("\(delivery.body)\n".utf8),
        limits: ProgramLimits(time: limit, memoryBytes: nil, fileBytes: nil))
      return nil
    } catch {
      return Self.short("\(error)")
    }
  }

  private func post(
    to address: String, _ delivery: HookDelivery, _ event: JSONValue?, _ rule: HookRule
  ) async -> String? {
    let body = Array(delivery.body.utf8)
    var headers = [
      (name: "Castq-Event", value: event?["event"]?.string ?? ""),
      (name: "Castq-Delivery", value: "\(delivery.id)"),
    ]
    if let secret = rule.secret {
      guard let key = Self.key(of: secret), let signature = try? HMACSHA256.text(of: body, key: key) else {
        return "the secret of the hook cannot be read"
      }
      headers.append((name: "Castq-Signature", value: "sha256=\(signature)"))
    }
    var fetch = HTTPFetch(address, under: .owner, byteLimit: 0)
    fetch.post = HTTPFetch.Post(body, contentType: "application/json", headers: headers)
    fetch.timeout = rule.limit
    do throws(HTTPFetchError) {
      _ = try await client.fetch(fetch)
      return nil
    } catch {
      // Its address may hold a key.
      return Self.short(error.reason)
    }
  }

  private static func key(of secret: HookRule.Secret) -> [UInt8]? {
    switch secret {
    case .text(let text): return Array(text.utf8)
    case .file(let path):
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      let line = bytes.prefix(max(count, 0)).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      return line.isEmpty ? nil : Array(line)
    }
  }

  private static func short(_ words: String) -> String { TerminalText.sanitized(String(words.prefix(300))) }
}
