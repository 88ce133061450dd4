import CastProtocol
import CastqPlaylists
import Testing

/// A line of a provider, and what other programs read in it.
struct AttributeCase: Sendable, CustomTestStringConvertible {
  var line: String
  var title: String?
  var group: String?
  var logo: String?
  var id: String?
  var doubts: [String] = []
  /// Where the right value comes from.
  var source: String

  var testDescription: String { line }
}

@Suite struct M3UAttributeTests {
  /// iptv-playlist-parser (`src/index.js`): an attribute is `name="…"` wherever it stands, in either case; the title is what follows the
  /// first comma that is in no value. Kodi (`pvr.iptvsimple`, `PlaylistLoader::ParseIntoChannel`): the title follows the comma behind the last
  /// quotation mark, and a blank ends a value without quotes. IPTVChecker (kristofferR, `src-tauri/src/engine/parser.rs`): blanks around the
  /// sign, single quotes, a backslash before a quote; without a comma it has the attributes, and no title.
  @Test(
    "attributes of providers are read in each of their spellings",
    arguments: [
      AttributeCase(
        line: ##"-1, tvg-ID="" tvg-name="NEWS" group-title="Info",NEWS"##, title: "NEWS", group: "Info",
        source: "Kodi: the comma behind the last quotation mark; iptv-playlist-parser has the group"),
      AttributeCase(
        line: ##"-1 tvg-id="a", group-title="b",Channel One"##, title: "Channel One", group: "b", id: "a",
        source: "Kodi: the comma behind the last quotation mark; iptv-playlist-parser has the attributes"),
      AttributeCase(
        line: ##"-1 tvg-id="one" tvg-logo = "http://h.example/l.png" group-title = "A, B",Channel One"##,
        title: "Channel One", group: "A, B", logo: "http://h.example/l.png", id: "one",
        source: "IPTVChecker: blanks around the sign"),
      AttributeCase(
        line: ##"-1 tvg-id="a" group-title="b" Channel One"##, title: "Channel One", group: "b", id: "a",
        source: "iptv-playlist-parser and IPTVChecker have the attributes; the title is what is left"),
      AttributeCase(
        line: ##"-1 tvg-name="A \"B\" C" group-title="b",T"##, title: "T", group: "b",
        source: "IPTVChecker: a backslash before a quote"),
      AttributeCase(
        line: ##"-1 tvg-id="" tvg-name="The Good, the Bad" group-title="Movies",The Good, the Bad"##,
        title: "The Good, the Bad", group: "Movies", source: "iptv-playlist-parser 19"),
      AttributeCase(
        line: ##"-1 tvg-logo="http://h.example/V1_CR0,0,182,268_AL_.jpg" group-title="FILMES - ACAO",COMO"##,
        title: "COMO",
        group: "FILMES - ACAO", logo: "http://h.example/V1_CR0,0,182,268_AL_.jpg", source: "M3uParser 16"),
      AttributeCase(
        line: ##"-1 tvg-id="a" group-title="b"Channel One"##, title: "Channel One", group: "b", id: "a",
        source: "both quotes are there"),
      AttributeCase(
        line: ##"-1,tvg-id="a",group-title="b",tvg-logo="http://h.example/l.png",T"##, title: "T", group: "b",
        logo: "http://h.example/l.png", id: "a",
        source: "Kodi: the comma behind the last quotation mark"),
      AttributeCase(
        line: ##"-1 TVG-ID="a" GROUP-TITLE="b" TVG-LOGO="http://h.example/l.png",T"##, title: "T", group: "b",
        logo: "http://h.example/l.png", id: "a", source: "iptv-playlist-parser: its expressions ignore case"),
      AttributeCase(
        line: ##"-1 tvg-id='a' group-title='b, c',T"##, title: "T", group: "b, c", id: "a",
        source: "IPTVChecker: single quotes"),
      AttributeCase(
        line: ##"-1 tvg-id='a' group-title='b' Bob's News"##, title: "Bob's News", group: "b", id: "a",
        source: "single quotes and no comma"),
      AttributeCase(
        line: ##"-1 tvg-id=a group-title=b,T"##, title: "T", group: "b", id: "a", source: "no quotes"),
      AttributeCase(
        line: ##"-1 tvg-id = a group-title = b,T"##, title: "T", group: "b", id: "a",
        source: "no quotes, blanks around the sign"),
      AttributeCase(
        line: ##"-1 tvg-id= group-title="b",T"##, title: "T", group: "b",
        source: "an empty value without quotes"),
      AttributeCase(
        line: ##"-1 tvg-name="The "Best" of" group-title="b",T"##, title: "T", group: "b",
        source: "quotes within quotes"),
      AttributeCase(
        line: ##"-1 tvg-name="TV 5" HD" group-title="b",T"##, title: "T", group: "b",
        source: "a sign of inches within quotes"),
      AttributeCase(
        line: ##"-1 group-title="b" Channel "One""##, title: "Channel \"One\"", group: "b",
        source: "quotes of the title, which pair up"),
      AttributeCase(
        line: ##"-1 group-title="b",Channel "One", x="y""##, title: "Channel \"One\", x=\"y\"", group: "b",
        source:
          "behind the comma is the title; iptv-playlist-parser drops `=\"y\"`, Kodi begins at the last comma"),
      AttributeCase(line: ##"5,E=mc2"##, title: "E=mc2", source: "a title with an equals sign"),
      AttributeCase(line: ##"5,a="b""##, title: "a=\"b\"", source: "no attribute is called so"),
      AttributeCase(
        line: ##"5 Only words"##, title: "Only words",
        doubts: ["1:11: warning: no comma after the length; what follows it is taken as the title"],
        source: "neither has a title; what is taken in its place is named"),
      AttributeCase(
        line: ##"-1 group-title=UK News,T"##, title: "T", group: "UK",
        doubts: [
          "1:27: warning: `News` is in no value and is ignored; a value with blanks needs quotes"
        ], source: "Kodi: a blank ends a value without quotes"),
      AttributeCase(
        line: ##"-1 group-title=UK News tvg-id="a",T"##, title: "T", group: "UK", id: "a",
        doubts: [
          "1:27: warning: `News` is in no value and is ignored; a value with blanks needs quotes"
        ], source: "Kodi: a blank ends a value without quotes"),
      AttributeCase(
        line: ##"-1 group-title="b" One, Two"##, title: "Two", group: "b",
        doubts: ["1:28: warning: `One` is in no value and is ignored; a value with blanks needs quotes"],
        source: "iptv-playlist-parser and Kodi: behind the comma"),
      AttributeCase(
        line: ##"-1 ,, tvg-id="a" ,, group-title="b" , T"##, title: "T", group: "b", id: "a",
        source: "Kodi: the comma behind the last quotation mark"),
      AttributeCase(
        line: ##"-1 tvg-name="open tvg-id="a",T"##, title: "T",
        doubts: ["1:21: warning: the quote is not closed"], source: "the quote of `tvg-name` has no end"),
    ])
  func attributes(test: AttributeCase) throws {
    let read = MemoryLoader(["l.m3u": "#EXTINF:\(test.line)\nhttp://h.example/1.mp4\n"]).read("l.m3u")
    #expect(read.messages == test.doubts)
    let draft = try #require(read.playlist.drafts.first)
    #expect(draft.media.metadata?.title == test.title)
    #expect(draft.value("group") == test.group.map { .string($0) })
    #expect(draft.media.metadata?.images.first?.url == test.logo)
    let id = draft.foreign.attributes.first { $0.name == "tvg-id" }?.value
    #expect((id?.isEmpty == true ? nil : id) == test.id)
  }

  @Test(
    "groups, options and tags are read as other players have them, or named",
    arguments: [
      // pvr.iptvsimple 675 and m3u-editor 473; iptv-playlist-parser drops the quotation marks.
      ("#EXTINF:-1,T\n#EXTGRP:13. Deutschland", "13. Deutschland", []),
      ("#EXTINF:-1,T\n#EXTGRP:\"My Group\"", "My Group", []),
      ("#EXTGRP:News\n#EXTINF:-1,T", "News", []), ("#EXTINF:-1,T\n#EXTGRP:\"", "\"", []),
      // iptv-playlist-parser, IPTVChecker and Kodi take the first of two.
      ("#EXTINF:-1 group-title=\"A\" group-title=\"B\",T", "A", []),
      (
        "#EXTINF -1 group-title=\"A\",T", "A",
        ["1:8: warning: #EXTINF has no colon, and is read as if it had one"]
      ),
    ] as [(String, String, [String])])
  func tags(lines: String, group: String, doubts: [String]) throws {
    let read = MemoryLoader(["l.m3u": "\(lines)\nhttp://h.example/1.mp4\n"]).read("l.m3u")
    #expect(read.messages == doubts && read.titles == ["T"])
    #expect(read.playlist.drafts.first?.value("group") == .string(group))
  }

  @Test(
    "a line of any marks costs its length", arguments: ["\" ", "a=\"", "' ", "a='", ",", "a = ", "=\"\""])
  func bounded(part: String) {
    let line = String(repeating: part, count: 6000)
    let read = MemoryLoader(["l.m3u": "#EXTINF:-1 \(line)\nhttp://h.example/1.mp4\n"]).read("l.m3u")
    #expect(read.playlist.drafts.count == 1)
  }
}
