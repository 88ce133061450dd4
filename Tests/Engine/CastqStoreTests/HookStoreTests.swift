import Testing
@testable import CastqStore

@Suite("What hooks have to deliver")
struct HookStoreTests {
  private let target = String(repeating: "a", count: 64)

  @Test("a delivery stays until it is removed, and is due when its time has come")
  func keeping() throws {
    let fixture = try StoreFixture()
    let store = HookStore(fixture.database)
    #expect(try store.nextDue() == nil)
    #expect(try store.add([HookPosting("{\"a\":1}", to: [target], at: moment(10))]) == 0)
    let delivery = try #require(try store.due(at: moment(10)).first)
    #expect(delivery.body == "{\"a\":1}" && delivery.target == target && delivery.attempts == 0)
    #expect(delivery.createdAt == moment(10))
    try store.postpone(delivery.id, after: 1, to: moment(30), because: "no")
    #expect(try store.due(at: moment(29)) == [])
    #expect(try store.nextDue() == moment(30))
    #expect(try store.due(at: moment(30)).map(\.attempts) == [1])
    try store.remove(delivery.id)
    #expect(try store.count() == 0)
  }

  @Test("a target that has accepted nothing for long does not hide the others")
  func fairness() throws {
    let fixture = try StoreFixture()
    let store = HookStore(fixture.database)
    let other = String(repeating: "b", count: 64)
    _ = try store.add((0..<500).map { HookPosting("{\"n\":\($0)}", to: [target], at: moment(0)) })
    _ = try store.add([HookPosting("{}", to: [other], at: moment(1))])
    let due = try store.due(at: moment(2))
    #expect(due.first?.body == "{\"n\":0}")
    #expect(due.contains { $0.target == other })
  }

  @Test("a clock that was set back holds nothing back")
  func clockSetBack() throws {
    let fixture = try StoreFixture()
    let store = HookStore(fixture.database)
    _ = try store.add([HookPosting("{}", to: [target], at: moment(100_000))])
    #expect(try store.due(at: moment(10)).count == 1)
  }

  @Test("beyond the limit the oldest go, and are counted")
  func limit() throws {
    let fixture = try StoreFixture()
    let store = HookStore(fixture.database)
    func posting(_ number: Int) -> HookPosting {
      HookPosting("{\"n\":\(number)}", to: [target], at: moment(0))
    }
    #expect(try store.add((0..<5).map(posting), limit: 5) == 0)
    #expect(try store.add([posting(5)], limit: 5) == 1)
    #expect(try store.due(at: moment(0)).map(\.body) == (1...5).map { "{\"n\":\($0)}" })
  }

  @Test("entries are counted by their states, and rows that can be written are not written to prove it again")
  func counts() throws {
    let fixture = try StoreFixture()
    #expect(try QueueStore(fixture.database).counts() == [:])
    try fixture.database.checkWriting(provenWithin: .zero)
    let token = try fixture.database.changeToken()
    try fixture.database.checkWriting(provenWithin: .seconds(300))
    #expect(try fixture.database.changeToken() == token)
  }
}
