import CastProtocol
import CastqPlaylists
import CastqText
import Testing

/// The documents of resolvers, which are programs that read pages of strangers.
@Suite struct ResolverAnswerTests {
  static let now = WallTime(milliseconds: 1_800_000_000_000)

  private func read(_ text: String) throws(LinkFailure) -> ResolvedLink {
    try ResolverAnswer.read(Array(text.utf8), of: "find", at: Self.now)
  }

  private func refusal(_ text: String) -> String {
    do throws(LinkFailure) {
      return "taken: \(try read(text))"
    } catch {
      return error.words
    }
  }

  @Test("every member is read")
  func everything() throws {
    let link = try read(
      """
      {"url": "https://cdn.example.org/1.m3u8?key=1", "mime": "application/x-mpegURL", "headers": {"User-Agent": "x"},
       "duration": 12.5, "title": " A film ", "thumbnail": "https://example.org/1.jpg", "expires": 60, "live": false,
       "more": [1, 2]}
      """)
    #expect(link.url == "https://cdn.example.org/1.m3u8?key=1")
    #expect(link.contentType == "application/x-mpegurl")
    #expect(link.duration == 12.5)
    #expect(link.title == " A film ")
    #expect(link.picture == "https://example.org/1.jpg")
    #expect(link.lifetime == .seconds(60))
    #expect(!link.isLive)
  }

  @Test("an address alone is enough; the type is what its name shows, if anything, and null is nothing")
  func little() throws {
    let link = try read(
      #"{"url": "http://example.org/a.webm", "mime": null, "expires": null, "headers": null}"#)
    #expect(link.contentType == "video/webm")
    #expect(link.lifetime == nil && link.title == nil && link.duration == nil)
    #expect(try read(#"{"url": "http://example.org/a"}"#).contentType == nil)
    #expect(try read(#"{"url": "http://example.org/a.html"}"#).contentType == nil)
  }

  @Test("a moment is seconds since 1970 from 10⁹ on, and seconds from now below")
  func expiry() throws {
    #expect(try read(#"{"url": "http://a/", "expires": 1800000090}"#).lifetime == .seconds(90))
    #expect(try read(#"{"url": "http://a/", "expires": 999999999}"#).lifetime == .seconds(999_999_999))
    #expect(refusal(#"{"url": "http://a/", "expires": 1799999999}"#).contains("expired already"))
    #expect(refusal(#"{"url": "http://a/", "expires": 0}"#).contains("expired already"))
  }

  @Test(
    "what a device cannot fetch or play, and what is no document, is refused and says why",
    arguments: [
      ("", "wrote nothing"), ("garbage", "no JSON document"), ("[]", "no JSON object"), ("{}", "no `url`"),
      (#"{"url": 3}"#, "not text"), (#"{"url": "file:///etc/passwd"}"#, "cannot fetch"),
      (#"{"url": "javascript:alert(1)"}"#, "cannot fetch"), (#"{"url": "http:///a"}"#, "no usable host"),
      (#"{"url": "http://a/", "mime": "text/html"}"#, "no media"),
      (#"{"url": "http://a/", "mime": "x"}"#, "content type"),
      (#"{"url": "http://a/", "duration": -1}"#, "seconds"),
      (#"{"url": "http://a/", "duration": "1"}"#, "seconds"),
      (#"{"url": "http://a/", "duration": 1e999}"#, "find"),
      (#"{"url": "http://a/", "live": 1}"#, "true or false"),
      (#"{"url": "http://a/", "headers": []}"#, "not an object"),
      (#"{"url": "http://a/", "headers": {"Referer": "http://b/"}}"#, "the header Referer"),
      (#"{"url": "http://a/", "headers": {"cookie": "a=b"}}"#, "the header cookie"),
      (#"{"url": "http://a/", "title": {}}"#, "not text"),
    ])
  func refused(_ text: String, _ words: String) { #expect(refusal(text).contains(words), "\(refusal(text))") }

  @Test("texts are cleaned and cut, an address is not: one that is too long is refused")
  func bounds() throws {
    let title = try read(#"{"url": "http://a/", "title": "a\u001b[2Jb\n\u202ec"}"#).title
    #expect(title == "ab c")
    let long = String(repeating: "x", count: 100_000)
    #expect(try read(#"{"url": "http://a/", "title": "\#(long)"}"#).title?.count == ResolvedLink.longestTitle)
    #expect(refusal(#"{"url": "http://a/\#(long)"}"#).contains("longer than"))
    #expect(try read(#"{"url": "http://a/", "thumbnail": "file:///etc/passwd"}"#).picture == nil)
    #expect(refusal(#"{"url": "http://a/", "headers": {"\#(long)": "1"}}"#).count < 500)
  }

  @Test("what a page says fills what the list does not say, and nothing else")
  func filling() throws {
    var link = ResolvedLink(url: "http://cdn/1.mp4")
    link.contentType = "video/mp4"
    link.title = "The page"
    link.picture = "http://cdn/1.jpg"
    link.duration = 90
    var bare = EntryDraft(media: MediaInformation(contentID: "http://page/1", contentType: nil))
    bare.apply(link)
    #expect(bare.media.contentID == "http://page/1" && bare.media.url == "http://cdn/1.mp4")
    #expect(
      bare.media.metadata?.title == "The page" && bare.media.metadata?.images.first?.url == "http://cdn/1.jpg"
    )
    #expect(bare.media.streamDuration == 90 && bare.media.streamType == .buffered)
    var full = EntryDraft(
      media: MediaInformation(
        contentID: "http://page/1", contentType: "text/html", streamDuration: 7,
        metadata: MediaMetadata(
          images: [Image(url: "http://list/1.png")], values: ["title": "Mine", "artist": "A"])))
    full.apply(link)
    #expect(full.media.metadata?.title == "Mine" && full.media.metadata?.values["artist"] == "A")
    #expect(full.media.metadata?.images.map(\.url) == ["http://list/1.png"])
    #expect(full.media.streamDuration == 7 && full.media.contentType == "video/mp4")
  }
}
