import CastProtocol
import CastqOperations
import CastqStore
import CastqText
import Testing

@Suite("The ledger of devices, by the functions that change it")
struct LedgerTests {
  private let site: OperationsSite
  private let workspace: Workspace

  init() throws {
    site = try OperationsSite()
    workspace = try Workspace(site.call)
  }

  private func labels() throws -> [String] { try workspace.allDevices().map(\.label) }

  @Test("names of devices have 1 to 200 bytes, and no control characters, which are refused")
  func names() async throws {
    let long = String(repeating: "x", count: 200)
    for name in ["", long + "x", "a\nb", "a\u{1B}[31mb", "a\u{202E}b", " a", "a "] {
      await expectFailure(.usage, saying: "1 to 200 bytes") {
        _ = try workspace.addDevice(named: name, at: "192.0.2.10")
      }
      await expectFailure(.usage, saying: "1 to 200 bytes") {
        try await workspace.setAlias(name, of: "lobby")
      }
    }
    // That is a group, those are places in an address of the page, and that is a UUID.
    for name in ["@upstairs", ".", "..", "5F0CA571-0000-4000-A000-000000004801"] {
      await expectFailure(.usage, saying: "another name") {
        _ = try workspace.addDevice(named: name, at: "192.0.2.10")
      }
      await expectFailure(.usage, saying: "another name") { try await workspace.setAlias(name, of: "lobby") }
    }
    #expect(try labels() == ["lobby"], "nothing was added")
    #expect(try workspace.addDevice(named: long, at: "192.0.2.10").label == long)
    try await workspace.setAlias("Größe · Foyer", of: "192.0.2.10")
    #expect(try labels().contains("Größe · Foyer"))
  }

  @Test("an address that is none is refused", arguments: ["", "host:0", "host:70000", "a b", "[::1", "x:y"])
  func badAddress(address: String) async throws {
    await expectFailure(.usage, saying: "write HOST, HOST:PORT or [V6]:PORT") {
      _ = try workspace.addDevice(named: "bar", at: address)
    }
  }

  @Test("an alias belongs to one device, goes with it, and can be taken back")
  func alias() async throws {
    _ = try workspace.addDevice(named: "bar", at: "192.0.2.11")
    try await workspace.setAlias("front", of: "lobby")
    await expectFailure(.badData, saying: "front") { try await workspace.setAlias("front", of: "bar") }
    #expect(try await workspace.known("front").name == "lobby")
    try await workspace.setAlias(nil, of: "front")
    #expect(try labels() == ["bar", "lobby"])
    try await workspace.setAlias("front", of: "lobby")
    try workspace.removeDevice("front")
    try await workspace.setAlias("front", of: "bar")
    #expect(try labels() == ["front"])
  }

  @Test("the default device is the chosen one; where nobody knows one, those that are known are named")
  func usual() async throws {
    _ = try workspace.addDevice(named: "bar", at: "192.0.2.11")
    try await workspace.setDefault("bar")
    #expect(try await workspace.known(nil).name == "bar")
    await expectFailure(.deviceUnknown, saying: "cellar is known; known are: bar, lobby") {
      try await workspace.setDefault("cellar")
    }
    await expectFailure(.deviceUnknown, saying: "192.0.2.99") { try await workspace.unpin("192.0.2.99") }
    try workspace.removeDevice("bar")
    await expectFailure(.deviceUnknown, saying: "bar") { try workspace.removeDevice("bar") }
    #expect(try await workspace.known(nil).name == "lobby", "the only one is meant")
  }
}
