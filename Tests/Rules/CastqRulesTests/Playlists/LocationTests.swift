import CastProtocol
import CastqPlaylists
import CastqText
import Testing

@Suite struct LocationTests {
  private static let loader: MemoryLoader = {
    var loader = MemoryLoader(media: [
      "a.mp4", "sub dir/b.mp4", "lists/c.mp4", "100%25.mp4", "käse.mp4", "é.mp4", "Artist: Song.mp3",
      "back\\slash.mp4",
      "x?y#z.mp4", "file:odd.mp4", "/root.mp4", "%41.mp4", "notes.txt", "data: a.mp4",
    ])
    loader.devices = ["/media/pipe.mp4"]
    return loader
  }()

  @Test(
    "what can be used becomes an absolute address",
    arguments: [
      ("a.mp4", "file:///media/a.mp4"), ("  a.mp4\t", "file:///media/a.mp4"),
      ("./a.mp4", "file:///media/a.mp4"),
      ("sub dir/b.mp4", "file:///media/sub%20dir/b.mp4"),
      ("sub%20dir/b.mp4", "file:///media/sub%20dir/b.mp4"),
      ("lists/../a.mp4", "file:///media/a.mp4"), ("/media/a.mp4", "file:///media/a.mp4"),
      ("/root.mp4", "file:///root.mp4"), ("../root.mp4", "file:///root.mp4"),
      ("../../../root.mp4", "file:///root.mp4"),
      ("100%25.mp4", "file:///media/100%2525.mp4"), ("%41.mp4", "file:///media/%2541.mp4"),
      ("k%C3%A4se.mp4", "file:///media/k%C3%A4se.mp4"), ("käse.mp4", "file:///media/k%C3%A4se.mp4"),
      ("Artist: Song.mp3", "file:///media/Artist:%20Song.mp3"),
      ("back\\slash.mp4", "file:///media/back%5Cslash.mp4"),
      ("x?y#z.mp4", "file:///media/x%3Fy%23z.mp4"), ("file:///media/a.mp4", "file:///media/a.mp4"),
      ("file://localhost/media/sub%20dir/b.mp4", "file:///media/sub%20dir/b.mp4"),
      ("FILE:/media/a.mp4", "file:///media/a.mp4"),
      ("file:sub%20dir/b.mp4", "file:///media/sub%20dir/b.mp4"), ("file:a.mp4?x#y", "file:///media/a.mp4"),
      ("FILE:./lists/../a.mp4", "file:///media/a.mp4"), ("file:../root.mp4", "file:///root.mp4"),
      ("file:odd.mp4", "file:///media/file:odd.mp4"),
      ("http://h/a.mp4", "http://h/a.mp4"),
      ("HTTPS://h/a b/ü.mp4?q=1 2#t", "https://h/a%20b/%C3%BC.mp4?q=1%202#t"),
      ("http://u:p@h:8080/a%20b.mp4", "http://u:p@h:8080/a%20b.mp4"),
      ("http://[::1]:80/a.mp4", "http://[::1]:80/a.mp4"),
      ("http://h/50%.mp4", "http://h/50%25.mp4"), ("http://h/a|b\\c<d>.mp4", "http://h/a%7Cb%5Cc%3Cd%3E.mp4"),
      ("http://h/../a.mp4", "http://h/../a.mp4"), ("http://h/MOVIE.MP4", "http://h/MOVIE.MP4"),
    ])
  func usable(written: String, url: String) {
    var loader = Self.loader
    loader.add("list.m3u", "\(written)\n")
    let parsed = loader.read("list.m3u")
    #expect(parsed.messages == [])
    #expect(parsed.urls == [url])
    #expect(parsed.playlist.drafts.first?.source == SourceLocation(file: "list.m3u", line: 1))
  }

  @Test(
    "what cannot be used says why, and what to do",
    arguments: [
      ("promo.mpv", "1:1: no such file: promo.mpv"), ("  gone.mp4", "1:3: no such file: gone.mp4"),
      (
        "C:\\Music\\a.mp3",
        "1:1: C:\\Music\\a.mp3 is a path of Windows; write a path of this machine or an http address"
      ),
      ("file:gone%20.mp4", "1:1: no such file: file:gone%20.mp4"),
      (
        "file:C:/a.mp3",
        "1:1: file:C:/a.mp3 is a path of Windows; write a path of this machine or an http address"
      ),
      ("file:%0A", "1:1: the file address is malformed; write file:///path or the path alone"),
      ("file:", "1:1: the file address is malformed; write file:///path or the path alone"),
      ("d:/a.mp3", "1:1: d:/a.mp3 is a path of Windows; write a path of this machine or an http address"),
      (
        "\\\\nas\\music\\a.mp3",
        "1:1: \\\\nas\\music\\a.mp3 is a path of Windows; write a path of this machine or an http address"
      ),
      ("Music\\a.mp3", "1:1: no such file: Music\\a.mp3; nor is there one with / for \\"),
      (
        "rtsp://cam/1",
        "1:1: a receiver cannot play rtsp addresses; it plays http and https; convert the stream, or name a file"
      ),
      (
        "udp://@239.0.0.1:1234",
        "1:1: a receiver cannot play udp addresses; it plays http and https; convert the stream, or name a file"
      ),
      (
        "plugin:x",
        "1:1: a receiver cannot play plugin addresses; it plays http and https; convert the stream, or name a file"
      ),
      ("http://", "1:1: the address has no usable host; write http://host/path"),
      ("http:a.mp4", "1:1: the address has no host; write http://host/path"),
      ("http://:80/a.mp4", "1:1: the address has no usable host; write http://host/path"),
      ("http://::1/a.mp4", "1:1: the address has no usable host; write http://host/path"),
      ("http://[::1/a.mp4", "1:1: the address has no usable host; write http://host/path"),
      ("http://h:99999/a.mp4", "1:1: the port of the address is not a number up to 65535"),
      ("http://h:8o/a.mp4", "1:1: the port of the address is not a number up to 65535"),
      ("http://h/a\u{7}b.mp4", "1:11: a control character in a path or address"),
      ("a\u{0}.mp4", "1:2: a control character in a path or address"),
      ("ä\u{9B}.mp4", "1:2: a control character in a path or address"),
      ("file://nas/a.mp4", "1:1: the file is on another machine, nas; mount it and write its path here"),
      ("file:///media/%zz.mp4", "1:1: the file address is malformed; write file:///path or the path alone"),
      ("file:///media/%00.mp4", "1:1: the file address is malformed; write file:///path or the path alone"),
      ("file:///media/%FF.mp4", "1:1: no such file: file:///media/%FF.mp4"),
      (
        "notes.txt",
        "1:1: unknown kind of media: notes.txt; if receivers can play it, put `#CASTQ: type=…` before it in a playlist"
      ),
      ("pipe.mp4", "1:1: not a regular file: pipe.mp4"),
      ("file:b%2e.mp4", "1:1: no such file: file:b%2e.mp4"),
      ("%zz%20.mp4", "1:1: no such file: %zz%20.mp4"), ("a%0A.mp4", "1:1: no such file: a%0A.mp4"),
    ])
  func unusable(written: String, message: String) {
    var loader = Self.loader
    loader.add("list.m3u", "\(written)\na.mp4\n")
    let parsed = loader.read("list.m3u")
    #expect(parsed.messages == [message])
    #expect(parsed.urls == ["file:///media/a.mp4"])
  }

  @Test(
    "an address that tells no type is taken for a film, with a warning",
    arguments: ["http://h/watch", "http://h", "http://h/a.avi"])
  func unknownType(address: String) {
    let parsed = MemoryLoader(["list.m3u": address]).read("list.m3u")
    #expect(parsed.playlist.drafts.map(\.media.contentType) == ["video/mp4"])
    #expect(parsed.issues.map(\.severity) == [.warning])
  }

  @Test(
    "relative addresses are resolved against the playlist's own (RFC 3986, 5.4)",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
      ("g;x", "http://a/b/c/g;x"),
      ("g#s", "http://a/b/c/g#s"), (";x", "http://a/b/c/;x"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
      ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"),
      ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./g/.", "http://a/b/c/g/"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
      ("g?y/../x", "http://a/b/c/g?y/../x"),
      ("", "http://a/b/c/d;p?q"), ("#s", "http://a/b/c/d;p?q#s"), ("https://x/../y", "https://x/../y"),
    ])
  func references(reference: String, expected: String) throws {
    #expect(try WebAddress("http://a/b/c/d;p?q").resolving(reference).text == expected)
  }

  @Test("a file's URL leads back to the file", arguments: ["/a b", "/ü/%41?#", "/x:y@z", "/\n", "/"])
  func fileURL(path: String) throws {
    let url = FilePath.url(path)
    #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    #expect(try FilePath.path(url: url) == path)
  }

  @Test("a list of the web names no file beside it with file: either")
  func relativeFromTheWeb() {
    let loader = MemoryLoader(media: ["a.mp4"], web: ["http://h/l.m3u": "file:a.mp4\n"])
    let parsed = loader.read("http://h/l.m3u")
    #expect(parsed.urls == [])
    #expect(
      parsed.messages == [
        "1:1: a playlist from the network may not name local files: file:a.mp4; download the playlist first if you trust it"
      ])
  }
}
