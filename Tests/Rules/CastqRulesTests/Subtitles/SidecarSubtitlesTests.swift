import CastProtocol
import CastqPlaylists
import Testing

/// Which files beside a film are its subtitles, by their names alone.
@Suite struct SidecarSubtitlesTests {
  private static func words(_ names: [String], _ film: String = "film.mp4") -> [String] {
    SidecarSubtitles(names + [film]).tracks(of: "/films/\(film)").map { track in
      "\(track.languageCode ?? "-") \(track.name ?? "-")"
    }
  }

  @Test(
    "a subtitle file belongs to the film whose name it begins with, and its marks say what it is",
    arguments: [
      // Names as Kodi, Plex and Jellyfin document them, and as the reports of their users have them.
      ("film.srt", "und Subtitles"), ("film.en.srt", "en English"),
      ("film.pt-BR.forced.srt", "pt-BR Portuguese (BR), forced"),
      ("film.English - SDH.srt", "en English, for the deaf"),
      ("film.en.sdh.forced.srt", "en English, for the deaf, forced"),
      ("film.forced.en.default.srt", "en English, forced"), ("film.2.srt", "und 2"),
      ("film.en.2.srt", "en English, 2"),
      ("film.mp4.srt", "und Subtitles"), ("film.mp4.de.srt", "de German"), ("FILM.EN.SRT", "en English"),
      ("Film.En.Srt", "en English"), ("film.deutsch.srt", "de German"), ("film.français.ass", "fr French"),
      ("film.русский.srt", "ru Russian"), ("film.und.srt", "und Subtitles"), ("film.ger.srt", "de German"),
      ("film.deu.srt", "de German"), ("film.chi.srt", "zh Chinese"), ("film.gsw.srt", "gsw Swiss German"),
      ("film.zh-Hans.srt", "zh-Hans Chinese (Hans)"), ("film.to.srt", "to Tongan"),
      ("film.commentary.srt", "und commentary"),
      ("film.en.Director's Cut.srt", "en English, Director's Cut"), ("film.hi.srt", "hi Hindi"),
      ("film.en.hi.srt", "en English, for the deaf"), ("film.part2.srt", "und part2"),
      ("film.fil.dfxp", "fil Filipino"),
      // OpenSubtitles' codes; yt-dlp's for sites; Jellyfin and VLC 309 have no point before the language.
      ("film.pb.srt", "pt-BR Portuguese (BR)"), ("film.zht.srt", "zh-Hant Chinese (Hant)"),
      ("film.iw.vtt", "he Hebrew"),
      ("film.es-419.srt", "es-419 Spanish (419)"), ("film.zh_cn.srt", "zh-CN Chinese (CN)"),
      ("film_en.srt", "en English"),
      ("film-pt-BR.srt", "pt-BR Portuguese (BR)"), ("film (English).srt", "en English"),
      ("film English.srt", "en English"),
      ("film_eng_forced.srt", "en English, forced"), ("film[de].sdh.srt", "de German, for the deaf"),
      ("film.en (forced).srt", "en English, forced"),
      ("film.eng.commentary.with.the.director.srt", "en English, commentary, with, the, director"),
    ])
  func marks(name: String, words: String) {
    #expect(Self.words([name]) == [words])
  }

  @Test("a file belongs to the longest name, and one in another case to that which is there as it is written")
  func owners() {
    let names = ["film.part2.mp4", "film.part2.srt", "films.srt", "film.en.srt", "fil.srt", "filmed.en.srt"]
    #expect(Self.words(names) == ["en English"])
    #expect(Self.words(names, "film.part2.mp4") == ["und Subtitles"])
    #expect(Self.words(["Film.mp4", "Film.en.srt", "film.de.srt"]) == ["de German"])
    #expect(Self.words(["Film.en.srt"]) == ["en English"])
  }

  @Test(
    "what no point sets apart belongs to a film only where it is a language and that film is there",
    arguments: [
      "film_extended.srt", "film-2.srt", "film to.srt", "films_en.srt", "film.part2_en.srt", "_en.srt",
      "film it.srt",
    ])
  func apart(name: String) {
    #expect(Self.words([name]).isEmpty == !name.hasPrefix("film.part2"))
    #expect(Self.words([name, "film.part2.mp4"], "film.mp4").isEmpty)
  }

  @Test("a name is found in composed and decomposed letters")
  func decomposed() {
    #expect(Self.words(["Cafe\u{301}.fr.srt"], "Caf\u{E9}.mp4") == ["fr French"])
  }

  @Test("subtitles that castq does not read are known, and are no tracks")
  func unread() {
    let beside = SidecarSubtitles([
      "film.mp4", "film.pt.sub", "film.smi", "film.sbv", "film.pl.mpl", "film.en.srt", "other.sub",
    ])
    #expect(beside.unread(of: "/films/film.mp4") == ["film.pl.mpl", "film.pt.sub", "film.sbv", "film.smi"])
    #expect(beside.tracks(of: "/films/film.mp4").count == 1)
  }

  @Test("a name of many points and a folder of many files cost no more than others", .timeLimit(.minutes(5)))
  func many() {
    let dots = "film" + String(repeating: ".x", count: 2000) + ".srt"
    #expect(Self.words([dots]).isEmpty)
    let names = (0..<5000).flatMap { ["a\($0).mp4", "a\($0).en.srt"] } + (0..<1000).map { "film.\($0).srt" }
    #expect(Self.words(names).count == 32)
  }

  @Test(
    "the language of a file that is named alone is its last mark",
    arguments: [
      ("subs.en.srt", "en"), ("a.deutsch.forced.srt", "de"), ("This.is.it.all.srt", nil),
      ("x.English - SDH.srt", "en"),
      ("plain.srt", nil), ("a.pt-BR.srt", "pt-BR"),
    ] as [(String, String?)])
  func marked(name: String, language: String?) {
    #expect(SubtitleLanguage.marked(inName: name) == language)
  }
}
