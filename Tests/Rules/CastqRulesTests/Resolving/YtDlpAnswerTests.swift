import CastProtocol
import CastqPlaylists
import Testing

/// The documents of yt-dlp.
@Suite struct YtDlpAnswerTests {
  private func read(_ text: String) throws(LinkFailure) -> ResolvedLink {
    try YtDlpAnswer.read(Array(text.utf8), of: "yt-dlp", at: ResolverAnswerTests.now)
  }

  private func formats(_ formats: String...) -> String {
    #"{"title": "T", "duration": 5, "thumbnail": "http://a/t.jpg", "formats": [\#(formats.joined(separator: ","))]}"#
  }

  private let parts =
    #"{"url": "http://a/v.mp4", "ext": "mp4", "vcodec": "avc1.64", "acodec": "none", "height": 1080}"#
  private let sound = #"{"url": "http://a/s.m4a", "ext": "m4a", "vcodec": "none", "acodec": "mp4a.40.2"}"#
  private let small =
    #"{"url": "http://a/18", "ext": "mp4", "vcodec": "avc1.42", "acodec": "mp4a.40.2", "height": 360, "protocol": "https"}"#
  private let large =
    #"{"url": "http://a/22", "ext": "mp4", "vcodec": "avc1.64", "acodec": "mp4a.40.2", "height": 720, "protocol": "https"}"#
  private let huge =
    #"{"url": "http://a/99", "ext": "mp4", "vcodec": "avc1.64", "acodec": "mp4a.40.2", "height": 2160, "protocol": "https"}"#
  private let webm =
    #"{"url": "http://a/43", "ext": "webm", "vcodec": "vp9", "acodec": "opus", "height": 720, "protocol": "https"}"#
  private let stream =
    #"{"url": "http://a/1.m3u8", "manifest_url": "http://a/all.m3u8", "ext": "mp4", "vcodec": "avc1", "acodec": "none", "protocol": "m3u8_native"}"#
  private let dash =
    #"{"url": "http://a/1.mpd", "ext": "mp4", "vcodec": "avc1", "acodec": "mp4a", "protocol": "http_dash_segments"}"#

  @Test(
    "one file with pictures and sound that every receiver plays comes first, then a stream, then other files")
  func order() throws {
    #expect(try read(formats(parts, sound, small, large, huge, webm, stream, dash)).url == "http://a/22")
    #expect(try read(formats(parts, sound, webm, stream, dash)).url == "http://a/all.m3u8")
    #expect(try read(formats(parts, sound, webm, stream)).contentType == "application/x-mpegurl")
    #expect(try read(formats(parts, sound, webm, dash)).url == "http://a/43")
    #expect(try read(formats(parts, sound, dash)).url == "http://a/s.m4a")
    #expect(try read(formats(sound)).contentType == "audio/mp4")
  }

  @Test("formats apart, protected ones and those that need a login are none")
  func none() {
    for format in [
      parts, dash, #"{"url": "file:///etc/passwd", "ext": "mp4"}"#, #"{"ext": "mp4"}"#, "3", "null",
      #"{"url": "http://a/1.mp4", "ext": "mp4", "has_drm": true}"#,
      #"{"url": "http://a/1.mp4", "ext": "mp4", "http_headers": {"Authorization": "x"}}"#,
      #"{"url": "http://a/1.mhtml", "ext": "mhtml", "vcodec": "none", "acodec": "none", "protocol": "mhtml"}"#,
      #"{"url": "rtmp://a/1", "ext": "mp4", "protocol": "rtmp"}"#,
    ] {
      #expect(throws: LinkFailure.self, "\(format)") { try read(formats(format)) }
    }
    #expect(throws: LinkFailure.self) { try read(#"{"entries": []}"#) }
    #expect(throws: LinkFailure.self) { try read("null") }
  }

  @Test("a page says its title, picture and length, and its link how long it can be fetched")
  func page() throws {
    let link = try read(
      """
      {"title": "A\\u001b]0;x\\u0007B", "thumbnail": "http://a/t.jpg", "duration": 61.5, "is_live": false,
       "url": "https://cdn.example.org/play?expire=1800000600&id=1", "ext": "mp4", "protocol": "https",
       "http_headers": {"User-Agent": "x", "Referer": "http://a/"}}
      """)
    #expect(link.title == "AB" && link.picture == "http://a/t.jpg" && link.duration == 61.5)
    #expect(link.lifetime == .seconds(600) && link.contentType == "video/mp4")
    let path =
      #"{"url": "https://a/api/expire/1800000030/id/1.m3u8", "ext": "mp4", "protocol": "m3u8", "is_live": true}"#
    #expect(try read(path).lifetime == .seconds(30) && read(path).isLive)
    #expect(try read(#"{"url": "https://a/1.mp4?expire=5", "ext": "mp4"}"#).lifetime == nil)
    #expect(try read(#"{"url": "https://a/1.mp4?expires=1700000000", "ext": "mp4"}"#).lifetime == nil)
  }

  @Test("of a page with several films the first is taken, and what is odd costs no film")
  func several() throws {
    let page =
      #"{"_type": "playlist", "entries": [null, {"url": "http://a/1.mp4", "ext": "mp4", "duration": "x", "title": 5}, {}]}"#
    let link = try read(page)
    #expect(link.url == "http://a/1.mp4" && link.duration == nil && link.title == nil)
    #expect(
      try read(#"{"url": "http://a/1.mp4", "ext": "mp4", "height": 1e300, "tbr": -1e300}"#).url
        == "http://a/1.mp4")
  }
}
