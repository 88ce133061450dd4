import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Testing

/// Who waits for an entry hears of that entry, and of no other.
@Suite struct FirstPlayTests {
  private static let own = EntryTurn(entry: EntryID(7), turn: 2)
  private static let earlier = EntryTurn(entry: EntryID(7), turn: 1)
  private static let other = EntryTurn(entry: EntryID(3), turn: 9)

  private static func ended(
    _ turn: EntryTurn, _ outcome: PlayOutcome, _ state: EntryState
  ) -> RunnerReport {
    let play = EndedPlay(
      at: .today, position: nil, played: 0, duration: nil, outcome: outcome, evidence: .reported, reason: nil)
    return .ended(turn, title: "Title \(turn.entry.rawValue)", play, state)
  }

  private static let away = RunnerReport.retrying(
    CastError(.disconnected, "it went away"), after: .zero, lastHeard: nil)

  /// What is told after all of these reports; nil while it waits.
  private func answer(
    _ reports: [RunnerReport], of entry: EntryID? = own.entry, from turn: Int = own.turn
  ) -> ControlReply? {
    var play = FirstPlay(of: entry, from: turn)
    for report in reports {
      if let reply = play.observe(report) { return reply }
    }
    return nil
  }

  private func code(_ reply: ControlReply?) -> String? {
    if case .failed(let failure)? = reply { failure.code } else { nil }
  }

  @Test("what other entries do, and earlier turns of its own, is no answer")
  func others() {
    #expect(
      answer([
        .started(Self.other, title: "Other"), Self.ended(Self.other, .failed, .failed),
        Self.ended(Self.other, .skipped, .skipped), Self.ended(Self.earlier, .failed, .failed),
        .started(Self.earlier, title: "Earlier"),
      ]) == nil)
  }

  @Test("a person who asks for another entry passes it over")
  func sentElsewhere() {
    #expect(code(answer([.sentTo(Self.other.entry)])) == "passed_over")
    #expect(answer([.sentTo(Self.own.entry)]) == nil)
    #expect(answer([.sentTo(Self.other.entry)], of: nil) == nil)
  }

  @Test("a device that does not answer what it was sent is the answer, and it is unreachable")
  func unanswered() {
    let silence = RunnerReport.unanswered(CastError(.timeout, "no answer to the load"))
    guard case .failed(let failure)? = answer([.connected(nil), silence]) else {
      Issue.record("it is waited for")
      return
    }
    #expect(failure.exit == .unreachable && failure.message.contains("no answer to the load"))
    let refusal = Self.ended(Self.own, .failed, .pending)
    #expect(code(answer([refusal, silence])) == "load_failed", "what it said before counts")
  }

  @Test("a rule that begins later is not taken for the list, which does not begin then")
  func laterRule() {
    var outlook = Outlook(.notYet, until: WallTime(milliseconds: 0))
    guard case .failed(let own)? = answer([.waiting(outlook)]) else { return }
    outlook.isOfRule = true
    guard case .failed(let other)? = answer([.waiting(outlook)]) else { return }
    #expect(own.message.hasPrefix("nothing may be shown before 1970") && own.exit == .no)
    #expect(other.message.hasPrefix("nothing of the queue is due; the next rule is for 1970"))
    #expect(other.exit == .no)
  }

  @Test("its own start is the answer, whatever went before")
  func started() throws {
    let reply = answer([
      Self.ended(Self.other, .failed, .failed), Self.away, .connected(nil),
      .started(Self.other, title: "Other"), .started(Self.own, title: "Own"),
    ])
    guard case .done(let told)? = reply else {
      Issue.record("\(String(describing: reply))")
      return
    }
    #expect(told["entry"] == 7)
    #expect(told["title"] == "Own")
  }

  @Test("what starts paused is told as paused", arguments: [true, false])
  func startedPaused(isPaused: Bool) {
    guard case .done(let told)? = answer([.started(Self.own, title: "Own", isPaused: isPaused)]) else {
      Issue.record("it is no answer")
      return
    }
    #expect(told["player_state"]?.string == (isPaused ? "PAUSED" : "PLAYING"))
  }

  @Test(
    "its own failure is the answer when it is for good, or when another one plays in its place",
    arguments: [
      [ended(own, .failed, .failed)],
      [ended(own, .failed, .pending), .started(other, title: "Other")],
    ])
  func failed(reports: [RunnerReport]) {
    let reply = answer(reports)
    #expect(code(reply) == "load_failed")
    if case .failed(let failure)? = reply { #expect(failure.message.contains("entry 7")) }
  }

  @Test("an entry that is tried again is waited for")
  func retried() {
    #expect(answer([Self.ended(Self.own, .failed, .pending)]) == nil)
    #expect(answer([Self.ended(Self.own, .interrupted, .pending)]) == nil)
  }

  @Test("an entry that is passed over, or whose list is replaced, is not waited for")
  func gone() {
    #expect(code(answer([Self.ended(Self.own, .skipped, .skipped)])) == "passed_over")
    #expect(code(answer([.replaced])) == "replaced")
  }

  @Test("a device that was there may go away for a moment; one that was not, or stays away, is away")
  func away() {
    #expect(answer([Self.away, .connected(nil), Self.away]) == nil)
    #expect(code(answer([Self.away, Self.away, Self.away])) == "disconnected")
    var absent = FirstPlay(of: Self.own.entry, isConnected: false)
    #expect(code(absent.observe(Self.away)) == "disconnected")
  }

  @Test(
    "what begins later is the queue's while something is left in it; of a queue that is over it is a rule",
    arguments: [
      (false, "nothing may be shown before "), (true, "nothing is left in the queue; the next rule is for "),
    ])
  func later(isQueueOver: Bool, words: String) {
    var play = FirstPlay(isQueueOver: isQueueOver)
    let reply = play.observe(.waiting(Outlook(.notYet, until: .today)))
    #expect(code(reply) == "not_due")
    if case .failed(let failure)? = reply {
      #expect(failure.message.hasPrefix(words) && failure.message.hasSuffix("it begins then by itself"))
    }
  }

  @Test("without an entry, whichever comes first is the answer")
  func any() {
    #expect(code(answer([.started(Self.other, title: "Other")], of: nil)) == nil)
    #expect(answer([.started(Self.other, title: "Other")], of: nil) != nil)
    #expect(answer([.replaced], of: nil) == nil)
  }
}
