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

  /// What does not run and what is wrong, as a document.
  nonisolated func healthDocument() async -> JSONValue {
    let late = await loops.late(.all)
    // Who does not run cannot say what else is wrong.
    let problems = late.isEmpty ? await problems() : late.map(\.words)
    return [
      "late": .array(late.map { .string($0.name) }), "problems": .array(problems.map(JSONValue.string)),
      "silent_s": late.map(\.time.seconds).max().map(JSONValue.number) ?? .null,
    ]
  }

  /// Answers a path of the door.
  nonisolated func answer(_ path: String, on loop: any EventLoop) -> EventLoopFuture<DoorAnswer> {
    let answer = FirstAnswer(on: loop)
    switch path {
    case "/healthz":
      loops.check(.loops, on: loop) { answer.give(Self.answer(late: $0) ?? DoorAnswer("ok\n")) }
    case "/readyz":
      loops.check(.all, on: loop) { late in
        if let bad = Self.answer(late: late) { answer.give(bad) }
      }
      race(
        answer, on: loop,
        late: DoorAnswer(
          503, "the database has not answered within \(Self.patience.nanoseconds / 1_000_000_000) s\n")
      ) {
        let problems = await self.problems()
        if problems.isEmpty {
          return DoorAnswer((["ok"] + (await self.listWords())).map { "\($0)\n" }.joined())
        }
        return DoorAnswer(503, problems.map { "\($0)\n" }.joined())
      }
    case "/metrics":
      // What is read from rows is as old as the last time when the rows answered.
      race(answer, on: loop, within: .seconds(2), late: nil) { DoorAnswer(await self.metricsText()) }
    default: answer.give(DoorAnswer(404, "there are /metrics, /healthz and /readyz\n"))
    }
    return answer.promise.futureResult
  }

  /// The answer when something does not run; nil when everything does.
  private static func answer(late: [SignsOfLife.Silence]) -> DoorAnswer? {
    late.isEmpty ? nil : DoorAnswer(503, late.map { "\($0.words)\n" }.joined())
  }

  /// Answers with what work makes; with `late`, or what was counted so far, when it takes too long.
  private nonisolated func race(
    _ answer: FirstAnswer, on loop: any EventLoop, within limit: TimeAmount = patience, late: DoorAnswer?,
    _ work: @escaping @Sendable () async -> DoorAnswer
  ) {
    let metrics = settings.metrics
    loop.scheduleTask(in: limit) { answer.give(late ?? DoorAnswer(metrics?.text() ?? "")) }
    Task {
      let made = await work()
      answer.give(made)
    }
  }
}

/// Of several answers the first one counts.
private struct FirstAnswer: Sendable {
  let promise: EventLoopPromise<DoorAnswer>
  private let loop: any EventLoop
  private let isGiven: NIOLoopBoundBox<Bool>

  /// - Parameter loop: the loop that asks.
  init(on loop: any EventLoop) {
    self.loop = loop
    promise = loop.makePromise()
    isGiven = .makeBoxSendingValue(false, eventLoop: loop)
  }

  func give(_ answer: @autoclosure @escaping @Sendable () -> DoorAnswer) {
    loop.execute {
      guard !isGiven.value else { return }
      isGiven.value = true
      promise.succeed(answer())
    }
  }
}
