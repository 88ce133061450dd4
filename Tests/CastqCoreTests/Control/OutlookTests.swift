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

  @Test(
    "who has the screen comes before what the list has; a stop, quiet hours and a silent device come first")
  func guests() {
    let reasons = ([nil] + Outlook.Reason.allCases).map { Outlook($0).besideGuest().reason }
    #expect(reasons == [.guest, .guest, .quietHours, .guest, .stopped, .device, .guest])
    let later = Outlook(.notBefore, until: WallTime(milliseconds: 1_700_000_000_000)).besideGuest()
    #expect(later == Outlook(.guest), "when the list has something is not when the guest leaves")
    let lease = Outlook(.guest, until: WallTime(milliseconds: 1_700_000_000_000))
    #expect(lease.besideGuest() == lease)
  }
}
