import CastProtocol
import Testing

@Suite("What a device announces of itself")
struct CastServiceRecordTests {
  static let id = "id=0123456789abcdef0123456789abcdef"

  static func read(_ strings: [String]) throws -> CastServiceRecord {
    try CastServiceRecord(strings: strings.map { Array($0.utf8) })
  }

  @Test("every key becomes a value of the device")
  func device() throws {
    let record = try CastServiceRecord(strings: DiscoveryPackets.strings)
    let endpoint = DeviceEndpoint(host: "192.168.1.20")
    #expect(
      record.device(at: endpoint)
        == Device(
          endpoint: endpoint, friendlyName: "Wohnzimmer", uniqueID: "0123456789abcdef0123456789abcdef",
          modelName: "Chromecast Ultra", protocolVersion: 5,
          capabilities: [.videoOut, .audioOut, .attenuationOrFixedVolume], status: .idle,
          iconPath: "/setup/icon.png"))
    #expect(!record.isHidden)
  }

  @Test("an identity and a name are enough, and junk in the rest is as if it were absent")
  func bare() throws {
    let bare = CastServiceRecord(uniqueID: "0123456789abcdef0123456789abcdef", friendlyName: "Tür")
    #expect(try Self.read([Self.id, "fn=Tür"]) == bare)
    #expect(
      try Self.read([
        "", "=", "flag", "=x", "ID=01234567-89AB-CDEF-0123-456789abcdef", "fn=Tür", "ve=1", "ca=-5", "st=7",
        "rs=", "ic=", "md=", "fn=second",
      ]) == bare)
    #expect(try Self.read([Self.id, "fn=Tür", "ve=100", "ca=99999999999999999999", "st="]) == bare)
  }

  @Test(
    "what tells no identity or no name is no device",
    arguments: [
      (["fn=x"], .noIdentity), (["id=", "fn=x"], .noIdentity), (["id", "fn=x"], .noIdentity),
      (["id=emulator-5554", "fn=x"], .malformedIdentity("emulator-5554")),
      (
        ["id=0123456789abcdef0123456789abcdeg", "fn=x"],
        .malformedIdentity("0123456789abcdef0123456789abcdeg")
      ),
      ([id], .noName), ([id, "fn="], .noName), ([id, "fn= \t"], .noName), ([], .noIdentity),
    ] as [([String], CastServiceRecord.Flaw)])
  func flaws(strings: [String], expected: CastServiceRecord.Flaw) {
    #expect(throws: expected) { try Self.read(strings) }
    #expect(!expected.description.isEmpty)
  }

  @Test("a busy group tells what it plays, and a value may contain the separator")
  func busy() throws {
    let capabilities: DeviceCapabilities = [.audioOut, .multizoneGroup]
    let expected = CastServiceRecord(
      uniqueID: "0123456789abcdef0123456789abcdef", friendlyName: "Küche", modelName: "Google Home",
      protocolVersion: 5, capabilities: capabilities, status: .busy, statusText: "Casting: a=b")
    #expect(
      try Self.read([
        Self.id, "cd=00", "ve=05", "md=Google Home", "fn=Küche", "ca=\(capabilities.rawValue)", "st=1",
        "rs=Casting: a=b", "nf=1",
      ]) == expected)
  }

  @Test(
    "one speaker of a stereo pair is hidden, the pair is not",
    arguments: [(256, true), (128, false), (0, false)])
  func hidden(bits: UInt64, isHidden: Bool) throws {
    #expect(try Self.read([Self.id, "fn=x", "ca=\(bits)"]).isHidden == isHidden)
  }

  @Test("subtypes and instances have the names that real devices have")
  func names() {
    #expect(
      CastServiceRecord.subtype(applicationID: "cc1ad845").description
        == "_CC1AD845._sub._googlecast._tcp.local")
    #expect(
      CastServiceRecord.subtype(namespaceHash: "9e5e7c8f47989526c9bcd95d24084f6f0b27c5ed").description
        == "_%9E5E7C8F47989526C9BCD95D24084F6F0B27C5ED._sub._googlecast._tcp.local")
    #expect(CastServiceRecord.isInstance(DiscoveryPackets.instance))
    #expect(!CastServiceRecord.isInstance(CastServiceRecord.serviceType))
    #expect(!CastServiceRecord.isInstance(CastServiceRecord.subtype(applicationID: "CC1AD845")))
  }

  @Test(
    "addresses are written as people write them",
    arguments: [
      ("c0a80114", "192.168.1.20"), ("20010db8000000000000000000000001", "2001:db8::1"),
      ("fe800000000000000000000000000001", "fe80::1%wlan0"), ("00000000000000000000000000000001", "::1"),
      ("20010db8000100010001000100010001", "2001:db8:1:1:1:1:1:1"),
      ("20010db8000000010001000100010001", "2001:db8:0:1:1:1:1:1"),
      ("20010000000000010000000000000001", "2001:0:0:1::1"),
      ("20010db8000000000000000000000000", "2001:db8::"),
      ("00000000", nil), ("e00000fb", nil), ("ffffffff", nil), ("ff0200000000000000000000000000fb", nil),
      ("00000000000000000000000000000000", nil), ("c0a801", nil),
    ] as [(String, String?)])
  func addresses(hex: String, expected: String?) {
    let bytes = [UInt8](hex: hex)
    let data = bytes.count == 16 ? DNSRecordData.aaaa(bytes) : .a(bytes)
    #expect(DeviceAddress(data, interface: "wlan0")?.text == expected)
  }
}
