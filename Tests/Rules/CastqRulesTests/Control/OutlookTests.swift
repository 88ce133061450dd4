import CastProtocol
import CastqSchedule
import CastqText
import Testing

@Suite("The outlook of a device")
struct OutlookTests {
  private static let moment = WallTime(milliseconds: 1_700_000_000_000)

  @Test("a feeder without a session calls, has lost the device, or has nothing to show, by what it waits for")
  func connection() {
    let idle = DarkReason.allCases.filter { Outlook($0).connection == .idle }
    #expect(idle == [.failed, .nothingDue, .notYet, .stopped, .quietHours])
    #expect(DarkReason.allCases.filter { Outlook($0).connection == .offline } == [.unreachable])
    #expect(Outlook().connection == .connecting)
  }

  @Test(
    "an outlook is read as it was written; a reason of another version is none",
    arguments: DarkReason.allCases)
  func document(_ reason: DarkReason) {
    let outlook = Outlook(reason, until: Self.moment, since: Self.moment.adding(seconds: -60), calls: 3)
    #expect(Outlook(json: outlook.json) == outlook)
    #expect(Outlook(json: ["reason": "better weather", "calls": 1]) == Outlook(calls: 1))
  }

  @Test("documents call a reason by the words of the contract")
  func contract() {
    let words = Set(DarkReason.allCases.compactMap { Outlook($0).waitingFor })
    #expect(words == ["guest", "quiet_hours", "not_before", "stopped", "device", "nothing_due"])
  }

  @Test(
    "who has the screen comes before what the list has; a stop, quiet hours and a silent device come first")
  func guests() {
    let listed: [DarkReason] = [.failed, .connecting, .launching, .loading, .nothingDue, .notYet]
    for reason in [nil] + listed { #expect(Outlook(reason).seen(hasGuest: true) == Outlook(.guest)) }
    for reason in [DarkReason.unreachable, .stopped, .quietHours] {
      #expect(Outlook(reason).seen(hasGuest: true) == Outlook(reason))
    }
    let later = Outlook(.notYet, until: Self.moment).seen(hasGuest: true)
    #expect(later == Outlook(.guest), "when the list has something is not when the guest leaves")
    let lease = Outlook(.guest, until: Self.moment)
    #expect(lease.seen(hasGuest: true) == lease)
  }

  @Test(
    "a guest who has left the screen is gone, and castq says until when it waits; one who comes back is a guest"
  )
  func gone() {
    let lease = Outlook(.guest, until: Self.moment)
    let gone = lease.seen(hasGuest: false)
    #expect(gone == Outlook(.guestGone, until: Self.moment))
    #expect(gone.seen(hasGuest: true) == lease)
    #expect(
      gone.words { _ in "05:07" }
        == "the guest has left, and castq waits until 05:07; 'castq play' plays at once")
    let stopped = Outlook(.stoppedAtDevice, until: Self.moment)
    #expect(stopped.seen(hasGuest: false) == stopped)
    #expect(stopped.seen(hasGuest: true) == lease)
    for reason in [nil, DarkReason.nothingDue, .unreachable, .stopped] {
      #expect(Outlook(reason).seen(hasGuest: false) == Outlook(reason))
    }
  }

  @Test(
    "one table has the words of every reason, with their moments and what a person can do",
    arguments: [
      (Outlook(.guest), "a guest has the screen (Tube); 'castq play' takes it back"),
      (
        Outlook(.guest, until: moment),
        "a guest has the screen (Tube) until 22:13; 'castq play' takes it back"
      ),
      (Outlook(.quietHours, until: moment), "quiet hours until 22:13"),
      (Outlook(.notYet, until: moment), "nothing on until 22:13"),
      (Outlook(.notYet), "nothing on yet"), (Outlook(.nothingDue), "nothing is left to play"),
      (Outlook(.stopped, since: moment), "stopped by castq since 22:13; 'castq play' resumes"),
      (Outlook(.unreachable), "the device does not answer"),
      (Outlook(.unreachable, since: moment, calls: 1), "no answer since 22:13 (1 attempt)"),
      (
        Outlook(.failed, calls: 3),
        "nothing of the list can be played (3 attempts); 'castq history --outcome failed' says why"
      ),
      (
        Outlook(.stoppedAtDevice, until: moment),
        "stopped at the device or by another sender, and castq waits until 22:13; 'castq play' resumes"
      ),
    ])
  func words(_ outlook: Outlook, text: String) throws {
    #expect(outlook.words(application: "Tube") { _ in "22:13" } == text)
    // A page has buttons and names no command.
    let plain = try #require(outlook.words(application: "Tube", hasCommands: false) { _ in "22:13" })
    #expect(text.hasPrefix(plain) && !plain.contains("'castq"))
  }

  @Test(
    "nobody is told that something resumes where nothing is left",
    arguments: [DarkReason.stopped, .stoppedAtDevice])
  func nothingToResume(_ reason: DarkReason) throws {
    let words = try #require(Outlook(reason).words(hasWork: false) { _ in "22:13" })
    #expect(words.hasSuffix("; nothing is left in the queue") && !words.contains("resumes"))
  }
}
