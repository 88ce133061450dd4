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

  @Test(
    "the first bytes tell the type of a file whose name does not",
    arguments: [
      ([0, 0, 0, 32] + Array("ftypisom".utf8), "video/mp4"),
      ([0, 0, 0, 32] + Array("ftypM4A ".utf8), "audio/mp4"),
      ([0, 0, 0, 32] + Array("ftypavif".utf8), nil), ([0, 0, 0, 32] + Array("ftyp".utf8), "video/mp4"),
      ([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84] + Array("webm".utf8), "video/webm"),
      ([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x88] + Array("matroska".utf8), "video/x-matroska"),
      (Array("ID3".utf8) + [4, 0], "audio/mpeg"), ([0xFF, 0xFB, 0x90], "audio/mpeg"),
      ([0xFF, 0xF3, 0x40], "audio/mpeg"),
      ([0xFF, 0xF1, 0x50], "audio/aac"), ([0xFF, 0xFB, 0xF0], nil), ([0xFF, 0xFF], nil),
      ([0xFF, 0xFE, 0x41], nil),
      (Array("fLaC".utf8), "audio/flac"), (Array("RIFF\0\0\0\0WAVE".utf8), "audio/wav"),
      (Array("RIFF\0\0\0\0WEBP".utf8), "image/webp"), (Array("RIFF\0\0\0\0AVI ".utf8), nil),
      (Array("OggS".utf8), "audio/ogg"), (Array("OggS....theora".utf8), "video/ogg"),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
      (Array("GIF89a".utf8), "image/gif"), (Array("BM".utf8) + [9, 9, 0, 0, 0, 0, 0, 0], "image/bmp"),
      (Array("BMW is a car".utf8), nil), (Array("#EXTM3U\n".utf8), "application/x-mpegurl"),
      ([0xEF, 0xBB, 0xBF] + Array("WEBVTT\n".utf8), "text/vtt"), ([], nil), ([0], nil),
      (Array("hello".utf8), nil),
    ] as [([UInt8], String?)])
  func sniff(_ bytes: [UInt8], type: String?) {
    #expect(MediaContentType.sniff(bytes) == type)
    #expect(MediaContentType.forName("file", prefix: bytes) == type)
    #expect(MediaContentType.forName("file.mp3", prefix: bytes) == "audio/mpeg")
  }

  @Test("no prefix of any sample crashes, and random bytes never do")
  func hostileBytes() {
    var generator = SystemRandomNumberGenerator()
    for length in 0..<600 {
      var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      _ = MediaContentType.sniff(bytes)
      bytes.replaceSubrange(0..<min(4, length), with: [0xFF, 0xFB, 0x47, 0x1A].prefix(min(4, length)))
      #expect(MediaContentType.sniff(bytes).map { $0.contains("/") } ?? true)
    }
  }
}
