import CastProtocol
import CastqCore
import Testing

@Suite("The outlook of a device")
struct OutlookTests {
  @Test("a feeder without a session calls, has lost the device, or has nothing to show, by what it waits for")
  func connection() {
    let connections = Outlook.Reason.allCases.map { Outlook($0).connection }
    #expect(connections == [.connecting, .idle, .idle, .idle, .offline, .idle])
    #expect(Outlook().connection == .connecting)
  }

  @Test(
    "an outlook is read as it was written; a reason of another version is none",
    arguments: Outlook.Reason.allCases)
  func document(_ reason: Outlook.Reason) {
    let moment = WallTime(milliseconds: 1_700_000_000_000)
    let outlook = Outlook(reason, until: moment, since: moment.adding(seconds: -60), calls: 3)
    #expect(Outlook(json: outlook.json) == outlook)
    #expect(Outlook(json: ["waiting_for": "better weather", "calls": 1]) == Outlook(calls: 1))
  }
}
