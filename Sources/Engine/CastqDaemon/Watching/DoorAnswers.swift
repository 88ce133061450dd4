import CastqFeeding
import CastqMetrics
import NIOCore

/// What is answered at the port of `/metrics`, `/healthz` and `/readyz`.
struct DoorAnswers: Sendable {
  /// How long the rows may take to answer; a database that another process holds takes five seconds.
  private static let patience = TimeAmount.seconds(8)

  let health: SiteHealth
  let counted: CountedText

  /// Answers a path of the door.
  func answer(_ path: String, on loop: any EventLoop) -> EventLoopFuture<DoorAnswer> {
    let answer = FirstAnswer(on: loop)
    switch path {
    case "/healthz":
      health.loops.check(.loops, on: loop) { answer.give(Self.answer(late: $0) ?? DoorAnswer("ok\n")) }
    case "/readyz":
      health.loops.check(.all, on: loop) { late in
        if let bad = Self.answer(late: late) { answer.give(bad) }
      }
      race(
        answer, on: loop,
        late: DoorAnswer(
          503, "the database has not answered within \(Self.patience.nanoseconds / 1_000_000_000) s\n")
      ) {
        let problems = await health.problems()
        if problems.isEmpty {
          return DoorAnswer((["ok"] + (await health.listWords())).map { "\($0)\n" }.joined())
        }
        return DoorAnswer(503, problems.map { "\($0)\n" }.joined())
      }
    case "/metrics":
      // What is read from rows is as old as the last time when the rows answered.
      race(answer, on: loop, within: .seconds(2), late: nil) { DoorAnswer(await counted.read()) }
    default: answer.give(DoorAnswer(404, "there are /metrics, /healthz and /readyz\n"))
    }
    return answer.promise.futureResult
  }

  /// The answer when something does not run; nil when everything does.
  private static func answer(late: [SignsOfLife.Silence]) -> DoorAnswer? {
    late.isEmpty ? nil : DoorAnswer(503, late.map { "\($0.words)\n" }.joined())
  }

  /// Answers with what work makes; with `late`, or what was counted so far, when it takes too long.
  private func race(
    _ answer: FirstAnswer, on loop: any EventLoop, within limit: TimeAmount = patience, late: DoorAnswer?,
    _ work: @escaping @Sendable () async -> DoorAnswer
  ) {
    let metrics = counted.registry
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
