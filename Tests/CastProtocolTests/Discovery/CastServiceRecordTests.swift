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

  @Test("what is written is read again, and a string never exceeds 255 bytes")
  func roundTrip() throws {
    var record = CastServiceRecord(
      uniqueID: "0123456789abcdef0123456789abcdef", friendlyName: "Küche", modelName: "Google Home",
      protocolVersion: 5, capabilities: [.audioOut, .multizoneGroup], status: .busy,
      statusText: "Casting: a=b", iconPath: "/setup/icon.png")
    let strings = record.strings(others: [("cd", "00"), ("nf", "1")])
    #expect(try CastServiceRecord(strings: strings) == record)
    #expect(strings.contains(Array("ve=05".utf8)))
    #expect(strings.contains(Array("nf=1".utf8)))
    record.friendlyName = String(repeating: "漢", count: 200)
    let cut = record.strings()
    #expect(cut.allSatisfy { $0.count <= 255 })
    #expect(try CastServiceRecord(strings: cut).friendlyName == String(repeating: "漢", count: 84))
  }

  @Test(
    "one speaker of a stereo pair is hidden, the pair is not",
    arguments: [(256, true), (128, false), (0, false)])
  func hidden(bits: UInt64, isHidden: Bool) throws {
    #expect(try Self.read([Self.id, "fn=x", "ca=\(bits)"]).isHidden == isHidden)
  }

  @Test("names of instances, hosts and subtypes are those of real devices")
  func names() {
    var record = CastServiceRecord(
      uniqueID: "0123456789abcdef0123456789abcdef", friendlyName: "x", modelName: "Chromecast Ultra")
    #expect(record.instanceName() == DiscoveryPackets.instance)
    #expect(record.hostName == DiscoveryPackets.host)
    record.modelName = "A television with a long name"
    let label = record.instanceName(suffix: "-1").labels[0]
    #expect(label == "A-television-with-a--0123456789abcdef0123456789abcdef-1")
    #expect(label.utf8.count <= 63)
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
