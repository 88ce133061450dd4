import CastqPlaylists
import Testing

/// What the first bytes of a document are, and where the right answer stands.
struct HeadCase: Sendable, CustomTestStringConvertible {
  var bytes: [UInt8]
  var head: DocumentHead
  var source: String
  var testDescription: String { "\(head): \(source)" }

  init(_ text: String, _ head: DocumentHead, _ source: String) {
    self.init(Array(text.utf8), head, source)
  }

  init(_ bytes: [UInt8], _ head: DocumentHead, _ source: String) {
    (self.bytes, self.head, self.source) = (bytes, head, source)
  }
}

@Suite("What the first bytes show")
struct DocumentHeadTests {
  private static func packets(_ size: Int) -> [UInt8] {
    Array([[0x47], [UInt8](repeating: 0, count: size - 1)].joined()) * 3
  }

  @Test(
    "a list is known by its mark, whatever stands before it",
    arguments: [
      HeadCase("#EXTM3U\nhttp://h/a", .list(.m3u), "RFC 8216, 4.3.1.1"),
      HeadCase("\u{FEFF}\r\n \n#extm3u url-tvg=x\n", .list(.m3u), "Kodi and VLC ignore case and blank lines"),
      HeadCase("#EXTINF:-1,T\nhttp://h/a", .list(.m3u), "lists of which the first line was cut"),
      HeadCase(
        "#EXTM3U\n#EXTINF:6,\n#EXT-X-TARGETDURATION:6\n", .media("application/x-mpegurl"),
        "RFC 8216, 4.3.3.1"),
      HeadCase(
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8", .media("application/x-mpegurl"), "RFC 8216, 4.3.4.2"
      ),
      HeadCase("[PlayList]\nFile1=a", .list(.pls), "Winamp's PLS, an INI file: case does not count"),
      HeadCase("[a, b]", .text, "JSON, and no section"),
      HeadCase("<playlist version=\"1\">", .list(.xspf), "XSPF 1, 4.1.1"),
      HeadCase(
        "\u{FEFF}\n<?xml version=\"1.0\"?>\n<!-- <html> -->\n<!DOCTYPE x>\n<x:playlist>", .list(.xspf),
        "XML 1.0, 2.8: prolog; Namespaces in XML, 4"),
      HeadCase("{ \"playlist\" : {", .list(.jspf), "JSPF: everything is in one member"),
      HeadCase("{\"castq\": 1, ", .list(.json), "castq's own format"),
      HeadCase("castq: 1\nentries:\n", .list(.yaml), "castq's own format"),
      HeadCase("# ours\ncastq: 1\n", .list(.yaml), "YAML 1.2, 6.6: comments"),
      HeadCase("https://h/a\nhttps://h/b\n", .addresses, "M3U without its first line"),
      HeadCase(
        [0xFF, 0xFE] + Array("#EXTM3U\r\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
        .list(.m3u), "UTF-16 of Windows' editor"),
    ])
  func lists(test: HeadCase) { #expect(DocumentHead(test.bytes) == test.head) }

  @Test(
    "media, manifests and pages are known by theirs, and what is neither is told from text",
    arguments: [
      HeadCase([0, 0, 0, 32] + Array("ftypisom".utf8), .media("video/mp4"), "WHATWG MIME Sniffing, 6.2.1"),
      HeadCase([0, 0, 0, 32] + Array("ftypM4A ".utf8), .media("audio/mp4"), "the brand of iTunes"),
      HeadCase(
        [0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82, 0x84] + Array("webm".utf8), .media("video/webm"),
        "WHATWG MIME Sniffing, 6.2.2"),
      HeadCase(
        [0x1A, 0x45, 0xDF, 0xA3] + Array("matroska".utf8), .media("video/x-matroska"), "Matroska: DocType"),
      HeadCase(packets(188), .media("video/mp2t"), "ISO/IEC 13818-1, 2.4.3.2"),
      HeadCase(packets(187), .unclear, "0x47 elsewhere is a letter"),
      HeadCase([0xFF, 0xFB, 0x90, 0x00], .media("audio/mpeg"), "ISO/IEC 11172-3, 2.4.1.3"),
      HeadCase([0xFF, 0xF1, 0x50, 0x80], .media("audio/aac"), "ISO/IEC 13818-7, 6.2"),
      HeadCase([0xFF, 0xFF, 0xFF, 0xFF, 0], .unclear, "a rate that there is not"),
      HeadCase("ID3\u{4}", .media("audio/mpeg"), "WHATWG MIME Sniffing, 6.2"),
      HeadCase("OggS\u{0}\u{2}", .media("audio/ogg"), "WHATWG MIME Sniffing, 6.2"),
      HeadCase("fLaC", .media("audio/flac"), "RFC 9639, 6"),
      HeadCase(
        Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WAVE".utf8), .media("audio/wav"),
        "WHATWG MIME Sniffing, 6.2"
      ),
      HeadCase([0xFF, 0xD8, 0xFF, 0xE0], .media("image/jpeg"), "WHATWG MIME Sniffing, 6.1"),
      HeadCase(
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\">",
        .media("application/dash+xml"),
        "ISO/IEC 23009-1, 5.2"),
      HeadCase("\n<!DOCTYPE HTML><html>", .page, "WHATWG MIME Sniffing, 7.1"),
      HeadCase("<!-- x --><body>", .page, "WHATWG MIME Sniffing, 7.1"),
      HeadCase("<ASX version=\"3\">", .otherList("ASX"), "a list that is not read"),
      HeadCase("<?xml version=\"1.0\"?>\n<rss>", .otherList("RSS"), "RSS 2.0: the root"),
      HeadCase("hello", .text, "a text"),
      HeadCase([0, 1, 2], .unclear, "no text has zeros"), HeadCase([1, 2, 3], .unclear, "nor these"),
      HeadCase("#EXTM3U\n#EXTINF:1,\u{1}\n", .list(.m3u), "a title that is damaged"),
      HeadCase([], .unclear, "nothing"),
    ])
  func others(test: HeadCase) { #expect(DocumentHead(test.bytes) == test.head) }

  @Test(
    "bytes go before a type, a type that says something before the name of the file",
    arguments: [
      ("video/mp4", "a.mp4", "#EXTM3U\n", .list(.m3u)), ("text/html", nil, "[playlist]\n", .list(.pls)),
      (nil, nil, "<playlist>", .list(.xspf)), ("audio/x-mpegurl", nil, "#EXTM3U\n", .list(.m3u8)),
      ("audio/x-mpegurl", nil, "ID3x", .media("audio/mpeg")), ("audio/aac", nil, "ID3x", .media("audio/aac")),
      ("application/octet-stream", "tv.m3u", "a.mp3\n", .list(.m3u)),
      ("text/html", "tv.m3u", "a.mp3\n", .list(.m3u)), ("text/html", "tv.m3u", "<html>", .page),
      ("application/octet-stream", "film.MKV", "\u{0}", .media("video/x-matroska")),
      ("text/plain", nil, "http://h/a\n", .list(.m3u)),
      ("video/mp4", nil, "http://h/a\n", .media("video/mp4")),
      ("text/html", nil, "hello", .page), ("application/octet-stream", "a.zip", "\u{0}", .unknown),
      ("audio/x-scpls", nil, "hello", .list(.pls)), (nil, nil, "", .unknown),
      ("video/x-ms-asf", nil, "<asx>", .otherList("ASX")),
      ("text/xml", nil, "<MPD>", .media("application/dash+xml")),
    ] as [(String?, String?, String, WebAnswer.Kind)])
  func kinds(type: String?, name: String?, text: String, kind: WebAnswer.Kind) {
    #expect(WebAnswer(contentType: type, fileName: name, head: Array(text.utf8)).kind == kind)
  }

  @Test(
    "the name of a file is the one that the server states, without a path",
    arguments: [
      // RFC 6266, 5, and RFC 8187, 3.2.
      ("attachment; filename=example.m3u", "example.m3u"),
      ("INLINE; FILENAME= \"an example.m3u\"", "an example.m3u"),
      ("attachment; filename*= UTF-8''%e2%82%ac%20rates.m3u", "€ rates.m3u"),
      ("attachment; filename=\"EURO rates.m3u\"; filename*=utf-8'en'%e2%82%ac%20rates.pls", "€ rates.pls"),
      ("attachment; filename*=UTF-8''b.m3u; filename=\"a.mp4\"", "b.m3u"),
      ("attachment; filename*=iso-8859-1'en'%A3.m3u", "£.m3u"),
      // What cannot be decoded leaves the plain one (RFC 6266, 4.3).
      ("attachment; filename*=UTF-8''%ff.m3u; filename=a.pls", "a.pls"),
      ("attachment; filename*=KOI8-R''%ff.m3u; filename=a.pls", "a.pls"),
      // RFC 9110, 5.6.4, and RFC 6266, 4.3: the last component.
      (#"attachment; filename="a \"b\"; c.m3u""#, #"a "b"; c.m3u"#),
      ("attachment; filename=\"/etc/../tv.m3u\"", "tv.m3u"),
      (#"attachment; filename="C:\\lists\\tv.m3u""#, "tv.m3u"),
      ("attachment; filename=\"open.m3u", "open.m3u"), ("attachment;filename=tv.m3u ; size=3", "tv.m3u"),
      ("attachment", nil), ("attachment; filename=\"\"", nil), ("attachment; filename=..", nil),
      ("", nil), (";;;=;filename", nil),
    ] as [(String, String?)])
  func fileNames(header: String, name: String?) { #expect(StatedFileName.name(in: header) == name) }
}

private func * (bytes: [UInt8], count: Int) -> [UInt8] { Array(repeatElement(bytes, count: count).joined()) }
