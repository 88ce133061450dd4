import CastqMediaServer
import Testing

@Suite struct MediaContentTypeTests {
  @Test(
    "a name tells the type by its extension, in any case",
    arguments: [
      ("a.mp4", "video/mp4"), ("/x/A.M4V", "video/mp4"), ("a.m4a", "audio/mp4"), ("a.webm", "video/webm"),
      ("a.mp3", "audio/mpeg"), ("a.flac", "audio/flac"), ("a.wav", "audio/wav"), ("a.ogg", "audio/ogg"),
      ("a.opus", "audio/ogg"), ("a.oga", "audio/ogg"), ("a.aac", "audio/aac"),
      ("a.m3u8", "application/x-mpegurl"),
      ("a.mpd", "application/dash+xml"), ("a.ism", "application/vnd.ms-sstr+xml"), ("a.b.JPG", "image/jpeg"),
      ("a.jpeg", "image/jpeg"), ("a.png", "image/png"), ("a.gif", "image/gif"), ("a.webp", "image/webp"),
      ("a.bmp", "image/bmp"), ("a.apng", "image/png"), ("a.vtt", "text/vtt"),
      ("a.ttml", "application/ttml+xml"),
      ("a.srt", "application/x-subrip"), ("..mp4", "video/mp4"),
      (".mp4", nil), ("mp4", nil), ("a.", nil), ("", nil), ("/", nil), ("dir.mp4/file", nil), ("a.exe", nil),
    ] as [(String, String?)])
  func name(_ name: String, type: String?) {
    #expect(MediaContentType.forName(name) == type)
  }
}
