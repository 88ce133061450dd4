import CastqFeeding
import CastqText
import Testing

/// Where devices are told to fetch local files.
@Suite struct AdvertisedAddressTests {
  @Test(
    "an address is a number or a name, with or without a port",
    arguments: [
      ("192.0.2.10", "192.0.2.10", nil), ("192.0.2.10:8011", "192.0.2.10", 8011),
      ("media.example", "media.example", nil), ("media-1.example:1", "media-1.example", 1),
      ("2001:db8::7", "2001:db8::7", nil), ("[2001:db8::7]", "2001:db8::7", nil),
      ("[2001:db8::7]:65535", "2001:db8::7", 65_535), ("192.0.2.10:8009", "192.0.2.10", 8009),
    ] as [(String, String, Int?)])
  func address(_ text: String, host: String, port: Int?) throws {
    let address = try AdvertisedAddress(text)
    #expect(address.host == host && address.port == port)
    #expect(try AdvertisedAddress(address.description) == address)
  }

  @Test(
    "what no device could open is refused with an example",
    arguments: [
      "", ":", ":80", "http://192.0.2.10", "192.0.2.10/", "192.0.2.10:0", "192.0.2.10:65536",
      "192.0.2.10:+80",
      "192.0.2.10:x", "192.0.2.10:", "0.0.0.0", "::", "[::]:80", "0.0.0.0:80", "fe80::1%eth0", "a b",
      "user@host", "...",
      "a\u{1B}[2J", "a\r\nX: y", "h\u{F6}st", String(repeating: "a", count: 300),
    ])
  func refused(_ text: String) {
    let error = #expect(throws: TextError.self) { try AdvertisedAddress(text) }
    #expect(error?.hint?.typed.contains("192.0.2.10:8011") == true)
    #expect(error?.message.utf8.allSatisfy { $0 >= 0x20 } == true)
  }

  @Test(
    "a port is 1 to 65535, in digits",
    arguments: ["0", "65536", "-1", "+80", "", "8O11", "80 ", "99999999999999999999"])
  func notAPort(_ text: String) throws {
    #expect(throws: TextError.self) { try AdvertisedAddress.port(text) }
    #expect(try AdvertisedAddress.port("1") == 1 && AdvertisedAddress.port("65535") == 65_535)
  }
}
