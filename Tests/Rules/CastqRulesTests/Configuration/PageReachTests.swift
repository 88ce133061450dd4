import CastqFeeding
import Testing

/// Which address of the page somebody is told.
struct PageReachTests {
  private func words(
    _ host: String, name: String? = nil, asked: String? = nil, isSecure: Bool = false
  ) -> String? {
    PageReach(host: host, port: 8010, isSecure: isSecure, name: name, asked: asked).words
  }

  @Test("nobody reaches a page of this computer alone", arguments: ["127.0.0.1", "::1", "localhost"])
  func nowhere(_ host: String) {
    #expect(words(host) == nil && words(host, asked: "localhost:8010") == nil)
    // A proxy of this computer may serve it.
    #expect(words(host, name: "castq.example") == "castq.example")
  }

  @Test("a page at one address is found there, with its scheme")
  func address() {
    #expect(words("192.0.2.10") == "http://192.0.2.10:8010/")
    #expect(words("2001:db8::1", isSecure: true) == "https://[2001:db8::1]:8010/")
    #expect(words("192.0.2.10", name: "castq.example") == "castq.example")
  }

  @Test("a page at every address is found as somebody has found it from elsewhere, else by its port")
  func everywhere() {
    for host in ["0.0.0.0", "::"] {
      #expect(words(host, asked: "192.0.2.10:80") == "http://192.0.2.10:80/")
      for asked in ["localhost:8010", "[::1]:8010", "no host", nil] {
        #expect(words(host, asked: asked) == "port 8010 of this computer (http://ADDRESS:8010/)")
      }
    }
  }
}
