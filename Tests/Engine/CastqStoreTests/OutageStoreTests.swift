import CastProtocol
import CastqFeeding
import CastqText
import GRDB
import Testing
@testable import CastqStore

@Suite("Outages")
struct OutageStoreTests {
  private func rows(_ fixture: StoreFixture) throws -> [String] {
    try ReportStore(fixture.database).outages(in: moment(0)..<moment(1000), of: nil).map {
      "\($0.device) \($0.beganAt - moment(0))-\($0.endedAt.map { "\($0 - moment(0))" } ?? "") \($0.cause)"
    }
  }

  @Test("an outage begins with the last word of a device and ends with its next one, once")
  func once() throws {
    let fixture = try StoreFixture()
    let outages = OutageStore(fixture.database)
    try outages.end(fixture.id, at: moment(5))
    #expect(try rows(fixture) == [])
    try outages.begin(fixture.device, lastHeard: moment(10), cause: "no answer")
    try outages.begin(fixture.device, lastHeard: moment(20), cause: "refused")
    #expect(try rows(fixture) == ["Lobby 10.0- no answer"])
    #expect(try outages.isOpen(fixture.id))
    try outages.end(fixture.id, at: moment(30))
    try outages.end(fixture.id, at: moment(40))
    #expect(try rows(fixture) == ["Lobby 10.0-30.0 no answer"])
    try outages.begin(fixture.device, lastHeard: moment(50), cause: "lost")
    try outages.end(fixture.id, at: moment(45))
    #expect(try rows(fixture) == ["Lobby 10.0-30.0 no answer", "Lobby 50.0-50.0 lost"])
  }

  @Test("an outage that is open when castq dies stays open until the device answers, or nobody feeds it")
  func restart() throws {
    let fixture = try StoreFixture()
    let other = try fixture.devices.add(name: "Bar", endpoint: .init(host: "192.0.2.2"), at: moment(0))
    try OutageStore(fixture.database).begin(fixture.device, lastHeard: moment(10), cause: "lost")
    try OutageStore(fixture.database).begin(other, lastHeard: moment(11), cause: "lost")
    let outages = OutageStore(try CastqStore.Database(path: fixture.path))
    try outages.closeAll(besides: [fixture.id], at: moment(20))
    #expect(try rows(fixture) == ["Lobby 10.0- lost", "Bar 11.0-20.0 lost; castq stopped calling it"])
    try outages.end(fixture.id, at: moment(30))
    #expect(try rows(fixture).first == "Lobby 10.0-30.0 lost")
    try fixture.devices.remove(other.id, at: moment(0))
    #expect(
      try rows(fixture).last == "Bar 11.0-20.0 lost; castq stopped calling it",
      "a device that is removed takes no outage along")
    #expect(try ReportStore(fixture.database).outages(in: moment(31)..<moment(40), of: nil).isEmpty)
    #expect(
      try ReportStore(fixture.database).outages(in: moment(0)..<moment(40), of: [fixture.id]).count == 1)
  }

  @Test("reports call a device what it is called now, and one that was removed what it was called")
  func renamed() throws {
    let fixture = try StoreFixture()
    let other = try fixture.devices.add(name: "Bar", endpoint: .init(host: "192.0.2.2"), at: moment(0))
    let reports = ReportStore(fixture.database)
    let entry = try fixture.enqueue(["a"])
    let outages = OutageStore(fixture.database)
    try fixture.play(entry[0])
    for device in [fixture.device, other] {
      try outages.begin(device, lastHeard: moment(20), cause: "lost")
      try outages.end(device.id, at: moment(21))
    }
    try fixture.devices.setAlias("Foyer", of: fixture.id)
    try fixture.devices.remove(other.id, at: moment(30))
    var names: [String] = []
    try reports.readPlays(in: moment(0)..<moment(1000), of: nil) { names.append($0.device) }
    #expect(names == ["Foyer"])
    #expect(try rows(fixture) == ["Foyer 20.0-21.0 lost", "Bar 20.0-21.0 lost"])
  }
}
