import CastProtocol
import CastSender
import CastqCore
import CastqMetrics
import CastqStore
import Logging
import NIOCore

/// Whether the daemon is well, for those who watch it: a service manager, `/healthz` and `/readyz`.
extension DaemonService {
  /// A commit within this time proves that rows can be written.
  private static let proof = Duration.seconds(300)
  /// Less is a full disk: the next transaction may need it.
  private static let leastSpace: UInt64 = 64 << 10
  /// How long the rows may take to answer; a database that another process holds takes five seconds.
  private static let patience = TimeAmount.seconds(8)

  /// What keeps the daemon from recording what it does; empty when nothing does.
  func problems() -> [String] {
    var problems: [String] = []
    if let lock, !lock.isHeld { problems.append("the lock file of the daemon was removed; restart it") }
    for device in fed.values.sorted(by: { $0.device.id < $1.device.id }) where !device.feeder.holdsLock {
      problems.append(
        "the lock file of \(TerminalText.sanitized(device.device.label)) was removed; restart castq")
    }
    do throws(StoreError) { try database.checkWriting(provenWithin: Self.proof) } catch {
      problems.append(TerminalText.sanitized("\(error)"))
    }
    if problems.isEmpty, let space = FreeSpace.beside(file: database.path, and: "/").file,
      space < Self.leastSpace
    {
      problems.append("no space is left for the database; free some")
    }
    return problems
  }

  /// Resets the watchdog when nothing is late and rows can be written; otherwise looks again soon, as the manager waits for few beats.
  func reportLife() async {
    guard !isExamined else { return }
    isExamined = true
    let late = await loops.late()
    let problems = late.isEmpty ? problems() : []
    isExamined = false
    let words = late.map { "\($0) is late" } + problems
    if words != ailments, !words.isEmpty {
      logger.error(
        "the watchdog is not reset", metadata: ["castq.problem": "\(words.joined(separator: "; "))"])
    }
    ailments = words
    if words.isEmpty { return settings.notice.alive() }
    guard (try? await settings.time.sleep(.seconds(1))) != nil else { return }
    send.yield(.watchdog)
  }

  /// What is late and what is wrong, as a document.
  nonisolated func healthDocument() async -> JSONValue {
    let late = await loops.late()
    let problems = await problems()
    return [
      "late": .array(late.map(JSONValue.string)), "problems": .array(problems.map(JSONValue.string)),
    ]
  }

  /// Answers a path of the door.
  nonisolated func answer(_ path: String, on loop: any EventLoop) -> EventLoopFuture<DoorAnswer> {
    let promise = loop.makePromise(of: DoorAnswer.self)
    switch path {
    case "/healthz":
      loops.check(on: loop) { late in
        promise.succeed(
          late.isEmpty
            ? DoorAnswer("ok\n") : DoorAnswer(503, late.map { "\($0) is late\n" }.joined()))
      }
    case "/readyz":
      race(
        promise, on: loop,
        late: DoorAnswer(
          503, "the database has not answered within \(Self.patience.nanoseconds / 1_000_000_000) s\n")
      ) {
        let problems = await self.problems()
        return problems.isEmpty ? DoorAnswer("ok\n") : DoorAnswer(503, problems.map { "\($0)\n" }.joined())
      }
    case "/metrics":
      // What is read from rows is as old as the last time when the rows answered.
      race(promise, on: loop, within: .seconds(2), late: nil) { DoorAnswer(await self.metricsText()) }
    default: promise.succeed(DoorAnswer(404, "there are /metrics, /healthz and /readyz\n"))
    }
    return promise.futureResult
  }

  /// Answers with what work makes; with `late`, or what was counted so far, when it takes too long.
  private nonisolated func race(
    _ promise: EventLoopPromise<DoorAnswer>, on loop: any EventLoop, within limit: TimeAmount = patience,
    late: DoorAnswer?, _ work: @escaping @Sendable () async -> DoorAnswer
  ) {
    let isDone = NIOLoopBoundBox.makeBoxSendingValue(false, eventLoop: loop)
    let metrics = settings.metrics
    loop.scheduleTask(in: limit) {
      guard !isDone.value else { return }
      isDone.value = true
      promise.succeed(late ?? DoorAnswer(metrics?.text() ?? ""))
    }
    Task {
      let answer = await work()
      loop.execute {
        guard !isDone.value else { return }
        isDone.value = true
        promise.succeed(answer)
      }
    }
  }
}
