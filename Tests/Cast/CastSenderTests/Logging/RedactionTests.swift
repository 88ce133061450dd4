import CastProtocol
import Logging
import Testing

@testable import CastSender

@Suite("What is kept out of logs")
struct RedactionTests {
  @Test(
    "addresses lose user, password, query, fragment and keys in the path, wherever they stand",
    arguments: [
      ("http://host/a.mp4", "http://host/a.mp4"),
      ("http://me:pw@host/a.mp4", "http://…@host/a.mp4"),
      ("http://me@host:80", "http://…@host:80"),
      ("https://h/a?key=1#part", "https://h/a?…"), ("https://h/a#key", "https://h/a#…"),
      ("cannot play http://h/a?key=1: no", "cannot play http://h/a?…: no"),
      (
        "two http://a:b@h/x http://c:d@h/y?z end",
        "two http://…@h/x http://…@h/y?… end"
      ),
      ("\"http://h/a?k\"", "\"http://h/a?…\""),
      ("http://proxy/http://me:pw@h/a", "http://proxy/http://…@h/a"),
      ("http://me:p/w@h/a", "http://…@h/a"), ("http://me:p@w@h/a", "http://…@h/a"),
      ("http://h:80/@me/a", "http://h:80/@me/a"), ("http://[fe80::1]/@me", "http://[fe80::1]/@me"),
      (
        "http://h/m/0123456789abcdef0123456789abcdef/a.mp4", "http://h/m/…/a.mp4"
      ),
      ("http://h/0123456789abcdef0123456789abcdef.mp4", "http://h/0123456789abcdef0123456789abcdef.mp4"),
      ("rtsp://me:pw@h", "rtsp://…@h"), ("a://", "a://"), ("://@?", "://…@?…"),
      ("10:30 is no address?", "10:30 is no address?"),
    ])
  func addresses(text: String, expected: String) {
    #expect(Redaction.standard.text(text) == expected)
  }

  @Test("a text full of beginnings of addresses is read once")
  func hostileAddresses() {
    let text = String(repeating: "a://@?", count: 20_000) + String(repeating: "://", count: 50_000)
    let duration = ContinuousClock().measure { _ = Redaction.standard.text(text) }
    #expect(duration < .seconds(60))
  }

  @Test("a load keeps its form and loses its secrets, at any depth")
  func load() throws {
    let request: JSONValue = [
      "type": "LOAD", "requestId": 7, "credentials": "s3cret", "credentialsType": "s3cret",
      "atvCredentials": "s3cret", "customData": ["k": "s3cret"],
      "media": [
        "contentId": "videos/a.mp4?k=s3cret", "contentUrl": "http://u:s3cret@h/a.mp4?k=s3cret",
        "duration": 3.5,
        "metadata": ["title": "A", "images": [["url": "/a.png?s3cret"]]],
        "breakClips": [["vastAdsRequest": ["adTagUrl": "https://ads/v?s3cret"]]],
      ],
      "items": [["media": ["entity": "x#s3cret", "customData": "s3cret"]]],
      "accessToken": "s3cret", "text": "{\"password\":\"s3cret\",\"a\":1}",
    ]
    let text = Redaction.standard.text(request.text)
    #expect(!text.contains("s3cret"))
    let kept = try JSONValue(parsing: text)
    #expect(kept["media"]?["contentUrl"] == "http://…@h/a.mp4?…")
    #expect(kept["media"]?["contentId"] == "videos/a.mp4?…")
    #expect(kept["media"]?["duration"] == 3.5)
    #expect(kept["text"] == "{\"a\":1,\"password\":\"…\"}")
    #expect(Redaction.standard.text(text) == text, "twice does no more than once")
  }

  @Test("facts go through the same rules, in arrays and dictionaries, too")
  func metadata() {
    let metadata: Logger.Metadata = [
      "url": "http://u:pw@h/", "launchCredentials": "x", "list": ["http://h/?x", "plain"],
      "more": ["token": "x", "count": "3"],
    ]
    let expected: Logger.Metadata = [
      "url": "http://…@h/", "launchCredentials": "…",
      "list": ["http://h/?…", "plain"],
      "more": ["token": "…", "count": "3"],
    ]
    #expect(Redaction.standard.metadata(metadata) == expected)
  }
}
