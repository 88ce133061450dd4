import CastqPlaylists
import CastqText
import Testing

/// Which addresses a resolver is for.
@Suite struct AddressPatternTests {
  private func matches(_ pattern: String, _ address: String) throws -> Bool {
    try AddressPattern(pattern).matches(WebAddress(address))
  }

  @Test(
    "a host is meant with its subdomains, by whole labels, and with any scheme and port",
    arguments: [
      ("example.org", "http://example.org/", true),
      ("example.org", "https://www.example.org:8443/a?b#c", true),
      ("example.org", "http://badexample.org/", false),
      ("example.org", "http://example.org.evil.net/", false),
      ("example.org", "http://evil.net/example.org", false),
      ("example.org", "http://example.org@evil.net/", false),
      ("example.org", "http://evil.net@example.org/", true), ("Example.ORG", "http://EXAMPLE.org./", true),
      ("www.example.org", "http://example.org/", false), ("org", "http://example.org/", true),
      ("192.0.2.1", "http://192.0.2.1:80/", true), ("2.1", "http://192.0.2.1/", false),
      ("[::1]", "http://[::1]:8080/a", true), ("[::1]", "http://[::2]/a", false),
      ("example.org:8080", "http://example.org:8080/", true),
      ("example.org:8080", "http://example.org/", false),
      ("example.org:443", "https://example.org/", true),
      ("example.org/videos", "http://example.org/videos/1", true),
      ("example.org/videos/", "http://example.org/videos?id=1", true),
      ("example.org/videos", "http://example.org/videosother", false),
      ("https://example.org/", "https://a.example.org/x", true),
      ("https://example.org/", "http://example.org/", false),
    ])
  func table(_ pattern: String, _ address: String, _ expected: Bool) throws {
    #expect(try matches(pattern, address) == expected, "\(pattern) and \(address)")
  }

  @Test(
    "what is no host is refused with advice",
    arguments: [
      "", "http://", "example.org?a=b", "a@example.org", "ftp://example.org", "example.org:x",
      "example.org#a",
    ])
  func refused(_ text: String) {
    let error = #expect(throws: TextError.self) { try AddressPattern(text) }
    #expect(error?.hint != nil)
  }

  @Test("the first rule that matches is taken, and where none does the address is that of the media")
  func first() throws {
    let narrow = ResolverRule(patterns: [try AddressPattern("example.org/a")], command: ["one"])
    let wide = ResolverRule(patterns: [try AddressPattern("example.org")], command: ["two"])
    let rules = ResolverRules([narrow, wide])
    #expect(rules.rule(for: "http://example.org/a/b")?.program == "one")
    #expect(rules.rule(for: "http://example.org/c")?.program == "two")
    #expect(rules.rule(for: "http://example.net/a") == nil)
    #expect(rules.rule(for: "file:///example.org/a") == nil)
  }

  @Test(
    "yt-dlp is told what castq wants and that an address is no option; another program gets its address last")
  func arguments() throws {
    let patterns = [try AddressPattern("example.org")]
    let downloader = ResolverRule(patterns: patterns, command: ["/opt/bin/yt-dlp", "--proxy", "socks5://a"])
    #expect(
      downloader.arguments(for: "http://example.org/") == [
        "--ignore-config", "--no-cache-dir", "--proxy", "socks5://a", "--dump-single-json", "--no-playlist",
        "--no-warnings", "--", "http://example.org/",
      ])
    let other = ResolverRule(patterns: patterns, command: ["find", "--best"])
    #expect(other.arguments(for: "http://example.org/") == ["--best", "http://example.org/"])
  }
}
