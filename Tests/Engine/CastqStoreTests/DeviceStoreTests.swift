import CastProtocol
import CastqPlaylists
import CastqText
import GRDB
import Testing
@testable import CastqStore

@Suite("Known devices")
struct DeviceStoreTests {
  @Test(
    "a device is meant by alias, name, UUID, address or the beginning of one name",
    arguments: [
      "foyer", "FOYER", "lobby", "Lob", "ABCDEF01-2345-6789-ABCD-EF0123456789",
      "abcdef0123456789abcdef0123456789", "tv in the", "192.0.2.1", "192.0.2.1:8009", "foy",
    ])
  func selectors(selector: String) throws {
    let fixture = try StoreFixture()
    _ = try fixture.devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "h", port: 1), at: moment(0))
    try fixture.devices.setAlias("foyer", of: fixture.id)
    try fixture.devices.pin("aa", of: fixture.id, at: moment(1))
    try fixture.devices.found(
      [
        Device(
          endpoint: fixture.device.endpoint, friendlyName: "TV in the lobby",
          uniqueID: "abcdef0123456789abcdef0123456789")
      ], at: moment(5))
    let found = try fixture.devices.device(matching: selector)
    #expect(found.id == fixture.id)
    #expect(found.lastSeenAt == moment(5))
    #expect(found.label == "foyer")
  }

  @Test(
    "an address means what is there, whatever announces itself by it",
    arguments: ["192.0.2.7", "192.0.2.7:8009", "[2001:db8::7]:8009"])
  func announcedAddress(address: String) throws {
    let fixture = try StoreFixture()
    try fixture.devices.found(
      [
        Device(
          endpoint: DeviceEndpoint(host: "192.0.2.66"), friendlyName: address,
          uniqueID: "abcdef0123456789abcdef0123456789")
      ], adding: true, at: moment(5))
    #expect(
      try fixture.devices.all().contains { $0.name == "\(address) (abcd)" && $0.friendlyName == address })
    #expect(throws: StoreError.self) { try fixture.devices.device(matching: address) }
    let endpoint = try #require(DeviceEndpoint(address))
    let there = try fixture.devices.ensure(endpoint, at: moment(6))
    #expect(try fixture.devices.device(matching: address).id == there.id)
    #expect(there.endpoint == endpoint)
  }

  private static let id = "abcdef0123456789abcdef0123456789"

  @Test(
    "a UUID or an address of a device comes before the name of one that calls itself so",
    arguments: [id, "ABCDEF01-2345-6789-ABCD-EF0123456789", "tv.example", "TV.example:8009", "tv.example:9"])
  func impersonation(selector: String) throws {
    let fixture = try StoreFixture()
    let devices = fixture.devices
    let port = selector.hasSuffix(":9") ? 9 : 8009
    let genuine = try #require(
      try devices.found(
        [
          Device(
            endpoint: DeviceEndpoint(host: "tv.example", port: port), friendlyName: "Hall", uniqueID: Self.id)
        ], adding: true, at: moment(1)
      ).first)
    let other = try #require(
      try devices.found(
        [
          Device(
            endpoint: DeviceEndpoint(host: "192.0.2.66"), friendlyName: selector,
            uniqueID: String(repeating: "f", count: 32))
        ], adding: true, at: moment(2)
      ).first)
    #expect(try devices.device(matching: selector).id == genuine.id)
    // As earlier versions have stored it.
    try fixture.outside().write {
      try $0.execute(
        sql: "UPDATE device SET name = ? WHERE id = ?", arguments: [selector, other.id.rawValue])
    }
    #expect(try devices.device(matching: selector).id == genuine.id)
    try fixture.outside().write {
      try $0.execute(
        sql: "UPDATE device SET alias = ? WHERE id = ?", arguments: [selector, fixture.id.rawValue])
    }
    #expect(try devices.device(matching: selector).id == fixture.id, "a person gave the alias")
  }

  @Test(
    "a device that calls itself as a UUID or a place reads is told apart from what that means",
    arguments: [id, "ABCDEF01-2345-6789-ABCD-EF0123456789", "tv.example:8009", "[2001:db8::7]"],
    [true, false])
  func misleading(name: String, isPinned: Bool) throws {
    let fixture = try StoreFixture()
    let device = Device(
      endpoint: DeviceEndpoint(host: "192.0.2.66"), friendlyName: name,
      uniqueID: String(repeating: "f", count: 32))
    let row = try #require(try fixture.devices.found([device], adding: true, at: moment(1)).first)
    #expect(row.name == "\(name) (ffff)" && row.friendlyName == name)
    #expect(throws: StoreError.self) { try fixture.devices.device(matching: name) }
    if isPinned { try fixture.devices.pin("aa", of: row.id, at: moment(2)) }
    // As earlier versions have stored it.
    try fixture.outside().write {
      try $0.execute(sql: "UPDATE device SET name = ? WHERE id = ?", arguments: [name, row.id.rawValue])
    }
    #expect(throws: StoreError.self) { try fixture.devices.device(matching: name) }
    #expect(try fixture.devices.found([device], at: moment(99)).map(\.name) == ["\(name) (ffff)"])
  }

  @Test(
    "no device reads as a group, whatever it announces, and whatever of it was stored",
    arguments: [
      ("@all", "all"), ("@@ @foyers", "foyers"), ("@lobby", "lobby (ffff)"), ("\u{1B}[1m@all", "all"),
      ("@192.0.2.9", "192.0.2.9 (ffff)"), ("a@b", "a@b"),
    ])
  func group(announced: String, name: String) throws {
    let fixture = try StoreFixture()
    let device = Device(
      endpoint: DeviceEndpoint(host: "192.0.2.66"), friendlyName: announced,
      uniqueID: String(repeating: "f", count: 32))
    let row = try #require(try fixture.devices.found([device], adding: true, at: moment(1)).first)
    #expect(row.name == name && row.friendlyName?.hasPrefix("@") == false)
    for isPinned in [false, true] {
      if isPinned { try fixture.devices.pin("aa", of: row.id, at: moment(100)) }
      // As earlier versions have stored it.
      try fixture.outside().write {
        try $0.execute(
          sql: "UPDATE device SET name = ?1, friendly_name = ?1 WHERE id = ?2",
          arguments: [TerminalText.sanitized(announced), row.id.rawValue])
      }
      let labels = try fixture.devices.all().map(\.label)
      #expect(labels.allSatisfy { !$0.hasPrefix("@") } && labels.count == 2)
      let rules = try ScheduleStore(fixture.database).deviceLabels()
      #expect(rules.values.allSatisfy { labels.contains($0) } && rules.count == 2)
      let again = try fixture.devices.found([device], at: moment(isPinned ? 299 : 99))
      #expect(again.map(\.name) == [name])
    }
    #expect(try fixture.devices.device(matching: "Lobby").id == fixture.id)
  }

  @Test("a device whose name says of nothing but groups is called by its address")
  func groupAlone() throws {
    let fixture = try StoreFixture()
    let device = Device(
      endpoint: DeviceEndpoint(host: "192.0.2.66"), friendlyName: "@ @",
      uniqueID: String(repeating: "f", count: 32))
    let row = try #require(try fixture.devices.found([device], adding: true, at: moment(1)).first)
    #expect(row.name == "192.0.2.66:8009" && row.friendlyName == nil)
  }

  @Test("what could be two devices, or is none, is said to be so")
  func unclear() throws {
    let fixture = try StoreFixture()
    #expect(try fixture.devices.device(matching: nil).id == fixture.id)
    let loft = try fixture.devices.add(name: "Loft", endpoint: DeviceEndpoint(host: "h"), at: moment(0))
    #expect(throws: StoreError.ambiguousDevice("lo", candidates: ["Lobby", "Loft"])) {
      try fixture.devices.device(matching: "lo")
    }
    #expect(throws: StoreError.unknownDevice("x", known: ["Lobby", "Loft"])) {
      try fixture.devices.device(matching: "x")
    }
    #expect(throws: StoreError.self) { try fixture.devices.device(matching: nil) }
    try fixture.devices.setDefault(loft.id)
    #expect(try fixture.devices.device(matching: nil).id == loft.id)
    try fixture.devices.setDefault(fixture.id)
    #expect(try fixture.devices.device(matching: nil).id == fixture.id)
    try fixture.devices.setDefault(nil)
    #expect(throws: StoreError.self) { try fixture.devices.device(matching: nil) }
    #expect(throws: StoreError.taken("LOFT")) { try fixture.devices.setAlias("LOFT", of: fixture.id) }
  }

  @Test("adding a known name moves the device; an address is known only once")
  func moving() throws {
    let fixture = try StoreFixture()
    let moved = try fixture.devices.add(
      name: "LOBBY", endpoint: DeviceEndpoint(host: "192.0.2.9", port: 9), at: moment(1))
    #expect(moved.id == fixture.id)
    #expect(moved.endpoint == DeviceEndpoint(host: "192.0.2.9", port: 9))
    #expect(try fixture.devices.ensure(moved.endpoint, at: moment(2)).id == fixture.id)
    let new = try fixture.devices.ensure(DeviceEndpoint(host: "192.0.2.8"), at: moment(2))
    #expect(new.name == "192.0.2.8:8009")
    #expect(try fixture.devices.all().count == 2)
  }
}
