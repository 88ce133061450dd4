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
  func ailments() -> [Ailment] {
    var found: [Ailment] = []
    if let lock, !lock.isHeld {
      found.append(
        Ailment(words: "the lock file of the daemon was removed; restart it", isMendedByRestart: true))
    }
    for device in fed.values.sorted(by: { $0.device.id < $1.device.id }) where !device.feeder.holdsLock {
      let label = TerminalText.sanitized(device.device.label)
      found.append(
        Ailment(words: "the lock file of \(label) was removed; restart castq", isMendedByRestart: true))
    }
    do throws(StoreError) {
      try database.checkWriting(provenWithin: Self.proof)
      if let space = FreeSpace.beside(file: database.path, and: "/").file, space < Self.leastSpace {
        found.append(
          Ailment(words: "no space is left for the database; free some", isMendedByRestart: false))
      }
    } catch {
      // What comes from the file or its disk meets the next process, too; anything else is this one's.
      found.append(
        Ailment(words: TerminalText.sanitized("\(error)"), isMendedByRestart: !error.isOutage))
    }
    return found
  }

  /// The same in words.
  func problems() -> [String] { ailments().map(\.words) }

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
