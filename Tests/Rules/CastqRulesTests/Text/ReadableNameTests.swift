import CastProtocol
import CastqPlaylists
import CastqText
import Testing

/// The title that the name of a file tells.
struct ReadableNameTests {
  @Test(
    "a name that programs wrote becomes the title that a person would write",
    arguments: [
      ("The.Big_Film-2019.1080p.x264.mkv", "The Big Film 2019"),
      ("The.Big.Film.2019.2160p.UHD.BluRay.x265-GROUP.mkv", "The Big Film 2019"),
      ("Show.S01E02.The.Pilot.720p.WEB-DL.mkv", "Show S01E02 The Pilot"),
      ("Spider-Man.2002.BRRip.avi", "Spider-Man 2002"),
      ("some_holiday_film.mp4", "some holiday film"), ("Artist_-_Title.mp3", "Artist - Title"),
      ("01.Overture.flac", "01 Overture"), ("the-big-film.mp4", "the big film"),
      ("Marvels.Agents.of.S.H.I.E.L.D.S01E01.mkv", "Marvels Agents of S.H.I.E.L.D S01E01"),
      ("Sound.5.1.test.wav", "Sound 5.1 test"), ("Mr.Robot.mkv", "Mr Robot"), ("film.2019.mp4", "film 2019"),
      ("Ein.schöner_Tag.mkv", "Ein schöner Tag"), ("1080p.x264.mkv", "1080p"),
      ("Film.x264-GROUP.mkv", "Film"),
      ("Film-(2019).mkv", "Film-(2019)"),
    ])
  func mended(_ name: String, title: String) {
    #expect(ReadableName.title(of: name) == title)
  }

  @Test(
    "a name that reads well loses its ending only",
    arguments: [
      "welcome", "Caffè à la crème – été", "The Big Film (2019) [1080p]", "Mr. Robot 1.5", "IMG_1234",
      "PXL_20240101_120000", "DSC0042", "20240101_120000", "Spider-Man", "AC-DC", "x264", "a", "1984",
      "S01E02",
      "-", "film--", "2001",
    ])
  func kept(_ stem: String) {
    #expect(ReadableName.title(of: "\(stem).mp4") == stem)
  }

  @Test(
    "what does not end as media do tells no title",
    arguments: [
      "", ".mp4", "film", "film.", "index.m3u8", "stream.php", "v1.2", "a.b.c", "film.mp4.part", "film.html",
    ])
  func none(_ name: String) {
    #expect(ReadableName.title(of: name) == nil)
  }

  @Test("no name makes it empty, or takes long", arguments: [".", "_", "-", "._-", "1080p.", "_-_."])
  func odd(_ part: String) {
    for count in [1, 2, 100, 5000] {
      let title = ReadableName.title(of: String(repeating: part, count: count) + ".mp4")
      #expect(title?.isEmpty == false)
    }
  }

  @Test("a title that only repeats the name of the file is none")
  func repeated() {
    func label(_ title: String?, _ url: String) -> String { MediaTitle.shown(title, url: url) }
    let url = "file:///films/The.Film.2019.1080p.mkv"
    #expect(label(nil, url) == "The Film 2019")
    #expect(label("The.Film.2019.1080p.mkv", url) == "The Film 2019")
    #expect(label("The.Film.2019.1080p", url) == "The Film 2019")
    #expect(label("The.Film", url) == "The.Film")
    #expect(label("Welcome", "file:///Welcome.mp4") == "Welcome")
    #expect(label("news", "http://h/news") == "news")
    #expect(label(nil, "http://u:p@h:80/live/radio?key=1") == "radio")
    // Whichever way its letters are written.
    for title in ["Th\u{E9}_1.mp4", "The\u{301}_1.mp4", "Th%C3%A9_1.mp4"] {
      let isIt = !title.contains("%")
      for url in ["file:///Th%C3%A9_1.mp4", "file:///The%CC%81_1.mp4", "file:///Th\u{E9}_1.mp4?key=1"] {
        #expect(MediaTitle.repeatsName(title, of: url) == isIt, "\(title) of \(url)")
      }
    }
  }

  @Test("the name of an address is what follows its last slash, without a user")
  func names() {
    for (url, name) in [
      ("http://h//a.mp4//", "a.mp4"), ("http://u:p@h//", "h"), ("//u:@h", "u:@h"), ("x:/y/u@h", "u@h"),
      ("///", "///"), ("a@b", "a@b"), ("http:u@h", "http:u@h"),
    ] { #expect(MediaTitle.name(of: url) == name, "\(url)") }
  }
}

/// What a file tells of an entry.
struct FilledEntryTests {
  private var film: MediaProbe {
    MediaProbe(
      formats: ["mov"], duration: 60.5,
      tags: [
        "title": "The Film", "artist": "Somebody", "album": "Records", "track": "3/12", "disc": "0",
        "encoder": "x",
      ])
  }

  private func filled(_ media: MediaInformation, _ probe: MediaProbe?) -> MediaInformation {
    var draft = EntryDraft(media: media, origin: .local)
    draft.fill(from: probe)
    return draft.media
  }

  private func local(_ type: String = "video/mp4") -> MediaInformation {
    var media = MediaInformation(contentID: "file:///films/a_b.mp4", contentType: type)
    media.streamType = .buffered
    return media
  }

  @Test("tags and length fill what the list leaves open")
  func open() {
    let media = filled(local("audio/mpeg"), film)
    #expect(media.streamDuration == 60.5 && media.metadata?.kind == .musicTrack)
    #expect(
      media.metadata?.values == [
        "title": "The Film", "artist": "Somebody", "albumName": "Records", "trackNumber": 3,
      ])
    #expect(filled(local(), nil).metadata?.values == ["title": "a b"])
    #expect(filled(local(), MediaProbe()).streamDuration == nil)
  }

  @Test("what the list says stays")
  func stated() {
    var media = local()
    media.streamDuration = 12
    media.metadata = MediaMetadata(
      kind: .movie, images: [Image(url: "http://h/a.jpg")], values: ["title": "Own", "artist": "Own"])
    var expected = media
    expected.metadata?.values["albumName"] = "Records"
    expected.metadata?.values["trackNumber"] = 3
    #expect(filled(media, film) == expected)
    media.metadata?.values["title"] = "a_b.mp4"
    #expect(filled(media, film).metadata?.title == "The Film", "the name of the file is no title")
  }

  @Test("pictures, pages and live streams have no length and no title of their own")
  func still() {
    for type in ["image/jpeg", "text/html"] {
      let media = MediaInformation(contentID: "file:///a_b.jpg", contentType: type)
      #expect(filled(media, film) == media)
    }
    var live = MediaInformation(contentID: "http://h/radio.mp3", contentType: "audio/mpeg")
    live.streamType = .live
    #expect(filled(live, nil) == live)
  }

  @Test("only a file of this machine's own list is probed")
  func probed() {
    #expect(EntryDraft(media: local(), origin: .local).probedPath == "/films/a_b.mp4")
    #expect(EntryDraft(media: local(), origin: .network).probedPath == nil)
    #expect(
      EntryDraft(
        media: MediaInformation(contentID: "http://h/a.mp4", contentType: "video/mp4"), origin: .local
      )
      .probedPath == nil)
  }
}
