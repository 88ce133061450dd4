import CastProtocol
import CastqCore
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
  /// iptv-playlist-parser: an attribute is `name="…"` wherever it stands, in either case; the title is what follows the first comma that
  /// is in no value. IPTVChecker: blanks around the sign, single quotes, no comma.
  @Test(
    "attributes of providers are read in each of their spellings",
    arguments: [
      AttributeCase(
        line: ##"-1, tvg-ID="" tvg-name="NEWS" group-title="Info",NEWS"##, title: "NEWS", group: "Info",
        source: "iptv-playlist-parser: the comma behind the length"),
      AttributeCase(
        line: ##"-1 tvg-id="a", group-title="b",Channel One"##, title: "Channel One", group: "b", id: "a",
        source: "iptv-playlist-parser: commas between attributes"),
      AttributeCase(
        line: ##"-1 tvg-id="one" tvg-logo = "http://h.example/l.png" group-title = "A, B",Channel One"##,
        title: "Channel One", group: "A, B", logo: "http://h.example/l.png", id: "one",
        source: "IPTVChecker: blanks around the sign"),
      AttributeCase(
        line: ##"-1 tvg-id="a" group-title="b" Channel One"##, title: "Channel One", group: "b", id: "a",
        source: "IPTVChecker: no comma before the title"),
      AttributeCase(
        line: ##"-1 tvg-id="a" group-title="b"Channel One"##, title: "Channel One", group: "b", id: "a",
        source: "both quotes are there"),
      AttributeCase(
        line: ##"-1,tvg-id="a",group-title="b",tvg-logo="http://h.example/l.png",T"##, title: "T", group: "b",
        logo: "http://h.example/l.png", id: "a", source: "iptv-playlist-parser: commas everywhere"),
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
        source: "iptv-playlist-parser: behind the comma is the title"),
      AttributeCase(line: ##"5,E=mc2"##, title: "E=mc2", source: "a title with an equals sign"),
      AttributeCase(line: ##"5,a="b""##, title: "a=\"b\"", source: "no attribute is called so"),
      AttributeCase(line: ##"5 Only words"##, title: "Only words", source: "no comma before the title"),
      AttributeCase(
        line: ##"-1 ,, tvg-id="a" ,, group-title="b" , T"##, title: "T", group: "b", id: "a",
        source: "iptv-playlist-parser: empty places"),
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
    "a line of any marks costs its length", arguments: ["\" ", "a=\"", "' ", "a='", ",", "a = ", "=\"\""])
  func bounded(part: String) {
    let line = String(repeating: part, count: 6000)
    let read = MemoryLoader(["l.m3u": "#EXTINF:-1 \(line)\nhttp://h.example/1.mp4\n"]).read("l.m3u")
    #expect(read.playlist.drafts.count == 1)
  }
}
