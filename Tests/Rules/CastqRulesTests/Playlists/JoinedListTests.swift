import Testing

@Suite struct JoinedListTests {
  static let mark = "\u{FEFF}"

  @Test(
    "marks of lists that were joined with cat are ignored (Unicode 23.8: U+FEFF at the beginning is a mark)",
    arguments: [
      "\(mark)#EXTM3U\na.mp4\n\(mark)#EXTM3U\nb.mp4\n", "a.mp4\n\(mark)b.mp4\n",
      "#EXTM3U\na.mp4\n#EXTM3U\nb.mp4\n", "\(mark)\(mark)a.mp4\r\n\(mark)#EXTINF:1,T\r\nb.mp4\r\n",
    ])
  func marks(text: String) {
    let loader = MemoryLoader(["l.m3u": text], media: ["a.mp4", "b.mp4"])
    let read = loader.read("l.m3u")
    #expect(read.messages.isEmpty)
    #expect(read.urls == ["file:///media/a.mp4", "file:///media/b.mp4"])
  }

  @Test(
    "what systems leave in folders is no medium",
    arguments: [
      "@eaDir/a.mp4/THUMB_XL.jpg", "#recycle/old.mp4", "#snapshot/old.mp4", "@Recycle/old.mp4",
      "@tmp/old.mp4",
      "$RECYCLE.BIN/old.mp4", "$Recycle.Bin/old.mp4", "RECYCLER/old.mp4", "System Volume Information/old.mp4",
      "lost+found/old.mp4", "FOUND.000/old.mp4", "~snapshot/old.mp4", "@Recently-Snapshot/old.mp4",
      ".Trash-1000/files/old.mp4", ".Trashes/old.mp4", "._a.mp4", ".@__thumb/a.jpg", ".zfs/old.mp4",
    ])
  func remains(name: String) {
    let read = MemoryLoader(media: ["films/a.mp4", "films/" + name]).read("films", descends: true)
    #expect(read.urls == ["file:///media/films/a.mp4"])
  }

  @Test(
    "of other players' lists the message says that they are not read",
    arguments: ["cue", "strm", "asx", "WPL"])
  func otherLists(ending: String) {
    let read = MemoryLoader(["l.m3u": "album.\(ending)\n"], media: ["album.\(ending)"]).read("l.m3u")
    let words = "1:1: this kind of list is not read: album.\(ending); castq reads M3U, PLS, XSPF, JSPF"
    #expect(read.messages.count == 1 && read.messages[0].hasPrefix(words))
  }

  @Test(
    "a bar in an address begins headers only where they are headers",
    arguments: [
      ("exp=1~acl=a|b&c=d", "exp=1~acl=a%7Cb&c=d"), ("t=1|User-Agent=A&Referer=http://x/", "t=1"),
      ("t=a|b|Referer=http://x/", "t=a%7Cb"), ("t=1|x-token=2", "t=1"),
    ])
  func bars(written: String, kept: String) {
    let read = MemoryLoader(["l.m3u": "http://h.example/a.mp4?\(written)\n"]).read("l.m3u")
    #expect(read.urls == ["http://h.example/a.mp4?\(kept)"])
  }
}
