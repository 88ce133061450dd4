import CastProtocol
import CastqFeeding
import GRDB
import Testing
@testable import CastqStore

@Suite("Devices that are heard")
struct DeviceSightingTests {
  private func id(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    let width = number > 0xFFFF ? 8 : 4
    return String(repeating: "0", count: width - digits.count) + digits
      + String(repeating: "0", count: 32 - width)
  }

  private func device(_ number: Int, _ name: String?, at host: String = "192.0.2.50", port: Int = 8009)
    -> Device
  {
    Device(
      endpoint: DeviceEndpoint(host: host, port: port), friendlyName: name, uniqueID: id(number),
      modelName: "Chromecast", capabilities: [.videoOut, .audioOut], status: .busy, statusText: "Casting")
  }

  @Test("a device that a scan has shown is known from then on, by everything it says of itself")
  func adding() throws {
    let fixture = try StoreFixture()
    #expect(try fixture.devices.found([device(1, "Hall")], at: moment(1)) == [])
    #expect(try fixture.devices.all().count == 1, "what nobody asked for is not kept")
    let row = try #require(try fixture.devices.found([device(1, "Hall")], adding: true, at: moment(2)).first)
    #expect(row.name == "Hall" && row.friendlyName == "Hall" && row.uuid == id(1))
    #expect(row.model == "Chromecast" && row.capabilities == [.videoOut, .audioOut] && !row.isGroup)
    #expect(row.seenBy == .mdns && row.lastSeenAt == moment(2) && row.statusText == "Casting")
    #expect(row.staticEndpoint == nil && !row.isPicked && !row.isNamed)
    #expect(try fixture.queue.entries(for: row.id).isEmpty, "it has a queue")
  }

  @Test("a device that moved keeps its row, its queue and its history")
  func moved() throws {
    let fixture = try StoreFixture()
    try fixture.devices.pin("aa", of: fixture.id, at: moment(0))
    try fixture.devices.found([device(1, "TV", at: "192.0.2.1")], at: moment(1))
    let entries = try fixture.enqueue(["a"])
    try fixture.play(entries[0])
    let moved = try #require(
      try fixture.devices.found([device(1, "TV", at: "192.0.2.77", port: 32_000)], at: moment(2)).first)
    #expect(moved.id == fixture.id)
    #expect(moved.endpoint == DeviceEndpoint(host: "192.0.2.77", port: 32_000))
    #expect(moved.staticEndpoint == DeviceEndpoint(host: "192.0.2.1"), "what was given is kept apart")
    #expect(try fixture.titles() == ["a"])
    #expect(try fixture.history.plays(matching: .init()).map(\.device) == ["Lobby"])
    #expect(try fixture.devices.device(matching: "192.0.2.77:32000").id == fixture.id)
  }

  @Test("a pinned row by address takes the identity of the device that is heard there, and never another's")
  func identity() throws {
    let fixture = try StoreFixture()
    try fixture.devices.pin("aa", of: fixture.id, at: moment(0))
    try fixture.devices.found([device(1, "TV", at: "192.0.2.1")], at: moment(1))
    #expect(try fixture.devices.all().map(\.uuid) == [id(1)])
    #expect(try fixture.devices.all().map(\.name) == ["Lobby"], "a person gave the name")
    let other = try #require(
      try fixture.devices.found([device(2, "Radio", at: "192.0.2.1")], adding: true, at: moment(2)).first)
    #expect(other.id != fixture.id)
    #expect(try fixture.devices.device(fixture.id)?.uuid == id(1))
    #expect(
      try fixture.devices.device(matching: "192.0.2.1").id == fixture.id, "for it a person gave the address")
    #expect(try fixture.devices.device(matching: "Lobby").id == fixture.id)
  }

  @Test("an address that nobody gave means who was there last")
  func reassigned() throws {
    let fixture = try StoreFixture()
    try fixture.devices.found([device(1, "Hall")], adding: true, at: moment(1))
    let bar = try fixture.devices.found([device(2, "Bar")], adding: true, at: moment(2))
    #expect(try fixture.devices.device(matching: "192.0.2.50").id == bar.first?.id)
  }

  @Test(
    "an announcement at an address that a person gave makes no second row, and is not followed from there")
  func takeover() throws {
    let fixture = try StoreFixture()
    let there = try fixture.devices.found(
      [device(0xFFFF, "TV", at: "192.0.2.1")], adding: true, at: moment(1))
    #expect(there.map(\.id) == [fixture.id] && there.map(\.uuid) == [nil])
    let watcher = try CastqStore.Database(path: fixture.path)
    let before = try watcher.changeToken()
    try fixture.devices.found([device(0xFFFF, "TV", at: "192.0.2.1")], at: moment(2))
    #expect(try watcher.changeToken() == before, "it says nothing new")
    let elsewhere = try fixture.devices.found(
      [device(0xFFFF, "TV", at: "192.0.2.1", port: 4159)], adding: true, at: moment(3))
    #expect(elsewhere.count == 1 && elsewhere[0].id != fixture.id)
    let row = try #require(try fixture.devices.device(fixture.id))
    #expect(row.endpoint == DeviceEndpoint(host: "192.0.2.1") && row.firstEndpoint == row.endpoint)
    #expect(try fixture.devices.device(matching: "192.0.2.1").id == fixture.id)
  }

  @Test("a device given by address is called there first, or where it has proved its key last")
  func calledFirst() throws {
    let fixture = try StoreFixture()
    let given = DeviceEndpoint(host: "192.0.2.50")
    try fixture.devices.found([device(1, "TV")], adding: true, at: moment(1))
    let hall = try fixture.devices.add(name: "Hall", endpoint: given, at: moment(2))
    func first() throws -> String? { try fixture.devices.device(hall.id)?.firstEndpoint?.host }
    try fixture.devices.found([device(1, "TV", at: "192.0.2.66")], at: moment(3))
    #expect(try fixture.devices.device(hall.id)?.endpoint.host == "192.0.2.66", "it is shown there")
    #expect(try first() == given.host)
    try fixture.devices.seen(hall.id, at: moment(4), endpoint: DeviceEndpoint(host: "192.0.2.66"))
    #expect(try first() == given.host, "whoever answered there has proved nothing")
    try fixture.devices.pin("aa", of: hall.id, at: moment(5))
    try fixture.devices.seen(hall.id, at: moment(6), endpoint: DeviceEndpoint(host: "192.0.2.77"))
    #expect(try first() == "192.0.2.77")
    try fixture.devices.found([device(1, "TV", at: "192.0.2.66")], at: moment(7))
    #expect(try first() == given.host)
    let bar = try fixture.devices.found([device(2, "Bar", at: "192.0.2.9")], adding: true, at: moment(8))
    #expect(bar.map(\.firstEndpoint) == [nil], "nobody gave its address")
  }

  @Test("one screen that was known twice is known once as soon as that is clear")
  func folding() throws {
    let fixture = try StoreFixture()
    try fixture.devices.pin("aa", of: fixture.id, at: moment(0))
    let found = try fixture.devices.found([device(1, "TV", at: "192.0.2.9")], adding: true, at: moment(1))
    #expect(found.count == 1 && found[0].id != fixture.id)
    let known = try fixture.devices.found([device(1, "TV", at: "192.0.2.1")], at: moment(2))
    #expect(known.map(\.id) == [fixture.id])
    #expect(try fixture.devices.all().map(\.uuid) == [id(1)])
    // Both in use: neither queue may be lost.
    let hall = try fixture.devices.add(
      name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.3"), at: moment(3))
    try fixture.devices.found([device(1, "TV", at: "192.0.2.3")], at: moment(4))
    #expect(try fixture.devices.all().map(\.id) == [hall.id, fixture.id])
  }

  @Test("names follow the device unless a person gave one, and no two devices have the same")
  func names() throws {
    let fixture = try StoreFixture()
    try fixture.devices.setAlias("foyer", of: fixture.id)
    func name(_ number: Int, _ name: String?) throws -> String? {
      try fixture.devices.found(
        [device(number, name, at: "192.0.2.\(100 + number)")], adding: true, at: moment(1)
      ).first?.name
    }
    #expect(try name(1, "Hall") == "Hall")
    #expect(try name(1, "Bar") == "Bar")
    #expect(try name(1, nil) == "Bar")
    #expect(try name(2, "BAR") == "BAR (0002)")
    #expect(try name(2, "Lobby") == "Lobby (0002)")
    #expect(try name(0x20001, "lobby") == "lobby (00020001)")
    #expect(try name(2, "Lobby") == "Lobby (0002)", "it stays")
    #expect(try name(3, "foyer") == "foyer (0003)", "an alias is a name, too")
    #expect(try name(4, " Loft\u{1B}[2J\n\u{202E} 2 ") == "Loft 2")
    #expect(try name(5, "\u{7}") == "192.0.2.105:8009")
    #expect(try name(6, String(repeating: "x", count: 500))?.utf8.count == 128)
    try fixture.devices.found([device(9, "TV", at: "192.0.2.1")], at: moment(2))
    #expect(try fixture.devices.device(fixture.id)?.name == "Lobby")
    #expect(try fixture.devices.device(matching: "tv").id == fixture.id, "its own name names it, too")
    // The name is free again.
    try fixture.devices.remove(fixture.id, at: moment(0))
    #expect(try name(2, "Lobby") == "Lobby")
  }

  @Test("thousands of devices that nobody picked do not fill the ledger, and drive none out that was picked")
  func flood() throws {
    let fixture = try StoreFixture()
    let picked = try #require(
      try fixture.devices.found([device(1, "Hall", at: "192.0.2.2")], adding: true, at: moment(1)).first)
    try fixture.devices.pick(picked)
    let used = try #require(
      try fixture.devices.found([device(2, "Bar", at: "192.0.2.3")], adding: true, at: moment(1)).first)
    try fixture.devices.seen(used.id, at: moment(2), endpoint: used.endpoint)
    for batch in 0..<2 {
      let flood = (0..<400).map { device(16 + batch * 400 + $0, "TV", at: "198.51.100.\($0 % 250)") }
      try fixture.devices.found(flood, adding: true, at: moment(Double(10 + batch)))
    }
    let all = try fixture.devices.all()
    #expect(all.count == DeviceStore.unpickedLimit + 3)
    #expect(Set(all.filter(\.isPicked).map(\.name)) == ["Lobby", "Hall", "Bar"])
    #expect(all.filter { !$0.isPicked }.allSatisfy { $0.lastSeenAt == moment(11) })
    #expect(Set(all.map(\.name)).count == all.count)
    // A day later, one that is heard is all that is left of them.
    try fixture.devices.found(
      [device(5000, "New", at: "192.0.2.9")], adding: true, at: moment(100_000))
    #expect(Set(try fixture.devices.all().map(\.name)) == ["Lobby", "Hall", "Bar", "New"])
  }

  @Test("what is heard again and says nothing new is not written")
  func quiet() throws {
    let fixture = try StoreFixture()
    try fixture.devices.found([device(1, "TV", at: "192.0.2.1")], at: moment(1))
    let watcher = try CastqStore.Database(path: fixture.path)
    let before = try watcher.changeToken()
    let rows = try fixture.devices.found([device(1, "TV", at: "192.0.2.1")], at: moment(50))
    #expect(rows.map(\.id) == [fixture.id])
    #expect(try watcher.changeToken() == before)
    try fixture.devices.found([device(1, "TV", at: "192.0.2.1")], at: moment(61))
    #expect(try watcher.changeToken() != before)
    #expect(try fixture.devices.device(fixture.id)?.lastSeenAt == moment(61))
  }

  @Test("a connection keeps the address that was good")
  func connected() throws {
    let fixture = try StoreFixture()
    try fixture.devices.seen(fixture.id, at: moment(1), endpoint: DeviceEndpoint(host: "tv.example", port: 9))
    let row = try #require(try fixture.devices.device(fixture.id))
    #expect(row.endpoint == DeviceEndpoint(host: "tv.example", port: 9))
    #expect(row.staticEndpoint == DeviceEndpoint(host: "192.0.2.1"))
    #expect(row.seenBy == .connect && row.lastSeenAt == moment(1))
    try fixture.devices.seen(fixture.id, at: moment(2))
    #expect(try fixture.devices.device(matching: "TV.example:9").endpoint == row.endpoint)
  }

  @Test("adding names what a scan has found, and takes no name, alias or place of another device")
  func addingByHand() throws {
    let fixture = try StoreFixture()
    try fixture.devices.setAlias("foyer", of: fixture.id)
    let found = try #require(
      try fixture.devices.found([device(1, "TV", at: "192.0.2.9")], adding: true, at: moment(1)).first)
    let named = try fixture.devices.add(name: "Hall", endpoint: found.endpoint, at: moment(2))
    #expect(named.id == found.id && named.uuid == id(1) && named.isNamed && named.isPicked)
    #expect(throws: StoreError.taken("FOYER")) {
      try fixture.devices.add(name: "FOYER", endpoint: DeviceEndpoint(host: "h"), at: moment(3))
    }
    #expect(throws: StoreError.taken("192.0.2.9:8009 (Hall)")) {
      try fixture.devices.add(name: "Lobby", endpoint: found.endpoint, at: moment(3))
    }
    let elsewhere = try fixture.devices.add(name: "hall", endpoint: DeviceEndpoint(host: "h"), at: moment(4))
    #expect(elsewhere.id == found.id)
    #expect(elsewhere.uuid == id(1), "a device that was moved is the same one")
  }

  @Test("a name that a person gives to an address is no stranger's who has been scanned with it elsewhere")
  func strangersName() throws {
    let fixture = try StoreFixture()
    let devices = fixture.devices
    func scan(_ number: Int, _ name: String, at host: String) throws -> KnownDevice {
      try #require(
        try devices.found([device(number, name, at: host)], adding: true, at: moment(1)).first)
    }
    let stranger = try scan(1, "hall", at: "192.0.2.66")
    let hall = try devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.50"), at: moment(2))
    #expect(hall.id != stranger.id && hall.isHeldByAddress && hall.endpoint.host == "192.0.2.50")
    #expect(try devices.device(matching: "hall").id == hall.id)
    let other = try #require(try devices.device(stranger.id))
    #expect(other.name == "hall (0001)" && other.uuid == id(1) && other.staticEndpoint == nil)
    #expect(try scan(1, "hall", at: "192.0.2.66").name == "hall (0001)")
    // A device that is there, and one that somebody has chosen, are meant.
    let bar = try scan(2, "Bar", at: "192.0.2.51")
    let named = try devices.add(name: "bar", endpoint: bar.endpoint, at: moment(2))
    #expect(named.id == bar.id && named.uuid == id(2) && named.isNamed)
    let loft = try scan(3, "Loft", at: "192.0.2.52")
    try devices.pick(loft)
    let moved = try devices.add(name: "loft", endpoint: DeviceEndpoint(host: "192.0.2.53"), at: moment(2))
    #expect(moved.id == loft.id && moved.uuid == id(3))
  }

  @Test("a device that a scan has shown by its IP address keeps its row when a person names its host")
  func hostName() throws {
    let fixture = try StoreFixture()
    let heard = try fixture.devices.found([device(1, "Hall")], adding: true, at: moment(1))
    let found = try #require(heard.first)
    let host = DeviceEndpoint(host: "hall.example")
    let named = try fixture.devices.add(name: "hall", endpoint: host, at: moment(2))
    #expect(named.id == found.id && named.uuid == id(1) && named.staticEndpoint == host)
    try fixture.devices.found([device(1, "Hall")], adding: true, at: moment(3))
    #expect(try fixture.devices.all().count == 2)
  }

  @Test("the only device that somebody picked is meant when none is named")
  func unnamed() throws {
    let fixture = try StoreFixture()
    try fixture.devices.found([device(1, "Hall"), device(2, "Bar", at: "h")], adding: true, at: moment(1))
    #expect(try fixture.devices.device(matching: nil).id == fixture.id)
    try fixture.devices.remove(fixture.id, at: moment(0))
    #expect(throws: StoreError.noDefault(candidates: ["Bar", "Hall"])) {
      try fixture.devices.device(matching: nil)
    }
  }

  @Test(
    "what is announced of a pinned device changes neither its name, nor its kind, nor its model; its place it does"
  )
  func pinnedStays() throws {
    let fixture = try StoreFixture()
    let first = try #require(
      try fixture.devices.found([device(1, "Hall")], adding: true, at: moment(1)).first)
    try fixture.devices.pin("aa", of: first.id, at: moment(2))
    var impostor = device(1, "Radio", at: "192.0.2.66")
    impostor.capabilities = [.multizoneGroup, .audioOut]
    impostor.modelName = "Google Cast Group"
    let (rows, claims) = try fixture.devices.heard([impostor], at: moment(3))
    let row = try #require(rows.first)
    #expect(row.name == "Hall" && row.friendlyName == "Hall" && row.announcedName == "Radio")
    #expect(!row.isGroup && row.capabilities == first.capabilities && row.model == first.model)
    #expect(row.pinnedKey == "aa" && row.castDevice.type == .tv)
    #expect(row.endpoint.host == "192.0.2.66", "the key tells who is there")
    #expect(claims.map(\.device) == [row.id] && "\(claims)".contains("‘Radio’"))
    #expect(try fixture.devices.heard([impostor], at: moment(4)).claims == [], "it is told once")
    // The name is not free for another one, whoever comes first.
    let other = try fixture.devices.heard([device(2, "HALL", at: "192.0.2.67")], adding: true, at: moment(5))
    #expect(other.rows.map(\.name) == ["HALL (0002)"])
    #expect(other.claims.map(\.name) == ["HALL"] && "\(other.claims)".contains("as Hall does"))
    try fixture.devices.found([device(1, "Hall")], at: moment(6))
    #expect(try fixture.devices.device(row.id)?.announcedName == nil)
    // Nothing has to be proved any more.
    try fixture.devices.unpin(row.id)
    #expect(try fixture.devices.found([impostor], at: moment(7)).first?.name == "Radio")
    #expect(try fixture.devices.device(row.id)?.isGroup == true)
  }

  @Test("a pinned device that a person named keeps its own name from others, too")
  func ownName() throws {
    let fixture = try StoreFixture()
    try fixture.devices.pin("aa", of: fixture.id, at: moment(1))
    try fixture.devices.found([device(1, "TV", at: "192.0.2.1")], at: moment(1))
    #expect(try fixture.devices.device(fixture.id)?.friendlyName == "TV", "what was not known is filled in")
    try fixture.devices.found([device(2, "tv", at: "192.0.2.9")], adding: true, at: moment(2))
    #expect(try fixture.devices.device(matching: "TV").id == fixture.id)
  }

  @Test(
    "over a connection that has proved the key a device's name and kind change; a group is not pinned then")
  func provedName() throws {
    let fixture = try StoreFixture()
    let row = try #require(
      try fixture.devices.found([device(1, "Hall")], adding: true, at: moment(1)).first)
    try fixture.devices.pin("aa", of: row.id, at: moment(2))
    try fixture.devices.found([device(1, "Bar")], at: moment(3))
    try fixture.devices.proved(
      name: "Bar", model: nil, capabilities: [.audioOut], of: row.id, at: moment(4))
    let renamed = try #require(try fixture.devices.device(row.id))
    #expect(renamed.name == "Bar" && renamed.friendlyName == "Bar" && renamed.announcedName == nil)
    #expect(renamed.castDevice.type == .speaker && renamed.pinnedKey == "aa" && renamed.model == "Chromecast")
    try fixture.devices.proved(
      name: nil, model: nil, capabilities: [.multizoneGroup], of: row.id, at: moment(5))
    let group = try #require(try fixture.devices.device(row.id))
    #expect(group.isGroup && group.pinnedKey == nil && group.name == "Bar")
  }

  @Test("a device that said nothing has not said that it cannot prove who it is")
  func silence() throws {
    let fixture = try StoreFixture()
    #expect(try fixture.devices.setSilent(fixture.id, at: moment(1)))
    #expect(try !fixture.devices.setSilent(fixture.id, at: moment(2)), "it is no news any more")
    let row = try #require(try fixture.devices.device(fixture.id))
    #expect(row.silentAt == moment(2) && row.canProve == nil)
    #expect(try fixture.devices.setCanProve(true, of: fixture.id))
    #expect(try fixture.devices.device(fixture.id)?.silentAt == nil)
    #expect(try fixture.devices.setSilent(fixture.id, at: moment(3)), "it is news again")
  }

  @Test("the first key that is proved is pinned, and another one only after it was unpinned")
  func pinning() throws {
    let fixture = try StoreFixture()
    let devices = fixture.devices
    #expect(try devices.setCanProve(false, of: fixture.id))
    #expect(try !devices.setCanProve(false, of: fixture.id), "it is no news any more")
    #expect(try devices.pin("aa", of: fixture.id, at: moment(1)))
    #expect(try !devices.pin("bb", of: fixture.id, at: moment(2)))
    #expect(try devices.pin("aa", of: fixture.id, at: moment(3)))
    var row = try #require(try devices.device(fixture.id))
    #expect(row.pinnedKey == "aa" && row.pinnedAt == moment(1) && row.canProve == true)
    try devices.setTrust(.roots(file: "/r.pem"), of: fixture.id)
    #expect(try devices.device(fixture.id)?.trust == .roots(file: "/r.pem"))
    try devices.setTrust(.off, of: fixture.id)
    #expect(try devices.device(fixture.id)?.trust == .off)
    try devices.setTrust(.pin, of: fixture.id)
    row = try #require(try devices.device(fixture.id))
    #expect(row.trust == .pin && row.pinnedKey == "aa")
    try devices.unpin(fixture.id)
    #expect(try devices.pin("bb", of: fixture.id, at: moment(4)))
  }

  @Test(
    "no device gets what the configuration has for another one by announcing itself by its name, UUID or address"
  )
  func configured() throws {
    let fixture = try StoreFixture()
    var rules = DeviceRules()
    rules.list = "/srv/lobby.m3u"
    var configuration = DaemonConfiguration()
    for name in ["lobby", id(7), "192.0.2.9"] {
      configuration.devices.append(.init(name: name, rules: rules))
    }
    #expect(configuration.rules(for: fixture.device.names).list == rules.list)
    let strangers = try fixture.devices.found(
      [
        device(1, "LOBBY"), device(2, id(7), at: "192.0.2.51"), device(3, "192.0.2.9", at: "192.0.2.52"),
      ], adding: true, at: moment(1))
    #expect(strangers.count == 3)
    for stranger in strangers {
      #expect(configuration.rules(for: stranger.names).list == nil, "\(stranger.name)")
    }
    // A person who has called a device something else, or uses it, may go on to mean it by what it calls itself.
    let hall = try fixture.devices.add(
      name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.50"), at: moment(2))
    #expect(hall.friendlyName == "LOBBY" && hall.names.contains("LOBBY"))
  }

  @Test("a row that cannot be read keeps no other device from being found, and its name stays its own")
  func damaged() throws {
    let fixture = try StoreFixture()
    try fixture.devices.found(
      [device(1, "Hall"), device(2, "Bar", at: "192.0.2.51")], adding: true, at: moment(1))
    try fixture.outside().write {
      try $0.execute(sql: "UPDATE device SET last_seen_at = -9223372036854775808 WHERE name = 'Hall'")
    }
    let told = [
      device(1, "Hall", at: "192.0.2.60"), device(2, "Bar", at: "192.0.2.50"),
      device(3, "Hall", at: "192.0.2.62"),
    ]
    let rows = try fixture.devices.heard(told, adding: true, at: moment(9)).rows
    #expect(rows.map(\.name) == ["Bar", "Hall (0003)"])
    #expect(rows.map(\.endpoint.host) == ["192.0.2.50", "192.0.2.62"])
    #expect(try fixture.devices.found(told, at: moment(99)).count == 2)
    #expect(fixture.database.takeDamage().allSatisfy { "\($0)".contains("column last_seen_at") })
  }
}
