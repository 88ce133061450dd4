import CastGuard
import Testing

@Suite("Under which names a server is asked")
struct AskedHostsTests {
  @Test(
    "one that is open to a network is asked by any address, and by the names that it has",
    arguments: [
      ("0.0.0.0", "192.0.2.7:9464", true), ("::", "[2001:db8::1]:9464", true),
      ("0.0.0.0", "evil.example", false),
      ("Castq.Lan", "castq.lan:9464", true), ("0.0.0.0", "known.example", true),
      ("0.0.0.0", "KNOWN.example.:80", true),
      ("0.0.0.0", "localhost", true), ("0.0.0.0", "127.1", false),
      ("0.0.0.0", "known.example.evil.example", false),
    ])
  func open(_ place: String, _ field: String, _ isAdmitted: Bool) {
    #expect(AskedHosts(listeningAt: place, names: ["Known.example"]).admits(field: field) == isAdmitted)
  }

  @Test(
    "one for this computer alone is asked by no other address",
    arguments: [
      ("127.0.0.1", true), ("[::1]:80", true), ("localhost:1", true), ("127.8.8.8", true),
      ("192.0.2.7", false),
      ("[2001:db8::1]", false), ("127.0.0.1.evil.example", false), ("localhost:x", false), ("", false),
      (String(repeating: "a", count: 301), false),
    ])
  func loopback(_ field: String, _ isAdmitted: Bool) {
    let hosts = AskedHosts(listeningAt: "127.0.0.1")
    #expect(hosts.isLoopback && hosts.admits(field: field) == isAdmitted)
  }
}
