import Testing

@testable import CastHTTP

@Suite struct AddressTests {
  @Test(
    "an address becomes host, port and target; nothing in it reaches a message that may be secret",
    arguments: [
      ("http://h", "h", 80, "/", "http://h/"),
      (
        "HTTP://Host.Example:8080/a b?k=v#f", "host.example", 8080, "/a%20b?k=v",
        "http://host.example:8080/a%20b?…"
      ),
      ("https://h:443/ü", "h", 443, "/%C3%BC", "https://h/%C3%BC"),
      ("https://user:pass@h/x", "h", 443, "/x", "https://h/x"),
      ("http://a:b@c@h/x", "h", 80, "/x", "http://h/x"),
      ("http://[::1]:81/a/./b/../c", "::1", 81, "/a/c", "http://[::1]:81/a/c"),
      ("http://h?q", "h", 80, "/?q", "http://h/?…"),
      ("http://h/%7e/..", "h", 80, "/", "http://h/"),
    ])
  func parts(text: String, host: String, port: Int, target: String, shown: String) throws {
    let address = try HTTPAddress(text)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.target == target)
    #expect("\(address)" == shown)
  }

  @Test(
    "what cannot be fetched is refused",
    arguments: [
      "", "h/x", "file:///etc/passwd", "ftp://h/x", "http:/x", "http:x", "http://", "http:///x",
      "http://:80/",
      "http://h:0/", "http://h:65536/", "http://h:8o/", "http://[::1/", "http://::1/", "http://[h]/",
      "http://[fe80::1%25eth0]/", "http://bücher.example/", "http://a b/", "http://h/\r\nX: y",
      "http://h/\u{0}",
      "http://h/" + String(repeating: "x", count: 8192),
    ])
  func refusal(text: String) {
    let error = #expect(throws: HTTPFetchError.self) { try HTTPAddress(text) }
    #expect(error?.kind == .badAddress)
  }

  @Test(
    "a redirection is resolved against where it came from",
    arguments: [
      ("http://h/a/b?c", "d", "http://h/a/d"), ("http://h/a/b", "/d?e", "http://h/d?e"),
      ("http://h/a/b?c", "?d", "http://h/a/b?d"), ("http://h/a/b?c", "#d", "http://h/a/b"),
      ("http://h/a/b", "../../../d", "http://h/d"), ("https://h/a", "//g/x", "https://g/x"),
      ("http://h/a", "https://g:8443/x", "https://g:8443/x"), ("http://h/a", "b:c", nil),
      ("http://h/a", "javascript:alert(1)", nil), ("http://h/a/b", "./c:d", "http://h/a/c:d"),
      ("http://h/a?x/y", "d", "http://h/d"),
    ])
  func resolving(base: String, reference: String, target: String?) throws {
    let base = try HTTPAddress(base)
    #expect((try? base.resolving(reference))?.text == target)
  }

  @Test("a password goes to its origin only, and one that a redirection names goes nowhere")
  func credentials() throws {
    let base = try HTTPAddress("http://us%65r:p%40ss@h/a")
    #expect(base.credentials == "user:p@ss")
    #expect(try base.resolving("b").credentials == "user:p@ss")
    for other in ["https://h/a", "http://h:81/a", "http://g/a", "http://x:y@g/a"] {
      #expect(try base.resolving(other).credentials == nil)
    }
    #expect(!String(reflecting: base).contains("p@ss"))
  }

  @Test(
    "Base64",
    arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("user:p@ss", "dXNlcjpwQHNz")])
  func base64(text: String, encoded: String) {
    #expect(Base64.text(of: Array(text.utf8)) == encoded)
  }
}
