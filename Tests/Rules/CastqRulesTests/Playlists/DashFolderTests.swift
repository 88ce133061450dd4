import CastqPlaylists
import Testing

/// DASH streams in folders, with manifests as ffmpeg and others write them.
@Suite("DASH streams in folders")
struct DashFolderTests {
  private func manifest(_ sets: String) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <MPD xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    \txmlns="urn:mpeg:dash:schema:mpd:2011"
    \tprofiles="urn:mpeg:dash:profile:isoff-live:2011"
    \ttype="static"
    \tmediaPresentationDuration="PT6.0S">
    \t<ProgramInformation>
    \t</ProgramInformation>
    \t<Period id="0" start="PT0.0S">
    \(sets)
    \t</Period>
    </MPD>
    """
  }

  /// As `ffmpeg -f dash` writes it, with names for a kind of file.
  private func templates(_ ending: String, streams: Int = 2) -> String {
    manifest(
      (0..<streams).map {
        """
        \t\t<AdaptationSet id="\($0)" contentType="video" startWithSAP="1" segmentAlignment="true">
        \t\t\t<Representation id="\($0)" mimeType="video/mp4" codecs="avc1.f4000a" bandwidth="7302">
        \t\t\t\t<SegmentTemplate timescale="10240" initialization="init-stream$RepresentationID$.\(ending)" media="chunk-stream$RepresentationID$-$Number%05d$.\(ending)" startNumber="1">
        \t\t\t\t\t<SegmentTimeline>
        \t\t\t\t\t\t<S t="0" d="61440" />
        \t\t\t\t\t</SegmentTimeline>
        \t\t\t\t</SegmentTemplate>
        \t\t\t</Representation>
        \t\t</AdaptationSet>
        """
      }.joined(separator: "\n"))
  }

  private func files(_ loader: MemoryLoader, _ folder: String) -> [String] {
    let parsed = loader.read(folder, descends: true)
    #expect(parsed.messages == [])
    return parsed.playlist.drafts.compactMap { $0.source?.file.dropFirst(folder.utf8.count + 1) }.map(
      String.init)
  }

  @Test("the manifest is the entry; what its templates name is none", arguments: ["m4s", "mp4", "webm"])
  func templates(ending: String) {
    let loader = MemoryLoader(
      ["d/out.mpd": templates(ending)],
      media: [
        "d/init-stream0.\(ending)", "d/init-stream1.\(ending)", "d/chunk-stream0-00001.\(ending)",
        "d/chunk-stream1-00001.\(ending)", "d/chunk-stream1-00099.\(ending)", "d/chunk-stream2-00001.mp4",
        "d/chunk-stream1.mp4", "d/chunk-stream1-00001.mp4.mp4", "d/film.mp4", "d/init-stream2.mp4",
      ])
    #expect(
      files(loader, "d") == [
        "chunk-stream1-00001.mp4.mp4", "chunk-stream1.mp4", "chunk-stream2-00001.mp4", "film.mp4",
        "init-stream2.mp4", "out.mpd",
      ])
  }

  @Test("one file for each stream, and lists of segments, are parts as well")
  func lists() {
    let single = manifest(
      """
      <AdaptationSet id="0"><Representation id="0" bandwidth="1">
      \t<BaseURL>out-stream0.mp4</BaseURL>
      \t<SegmentList timescale="1000000" duration="2000000" startNumber="1">
      \t\t<Initialization range="0-812" />
      \t\t<SegmentURL mediaRange="813-5452" indexRange="813-864" />
      \t</SegmentList>
      </Representation></AdaptationSet>
      """)
    let listed = manifest(
      """
      <AdaptationSet id="0"><Representation id="0" bandwidth="1"><SegmentList>
      <Initialization sourceURL="init-0.mp4" />
      <SegmentURL media="part 0-001.mp4" /><SegmentURL media="part%200-002.mp4" />
      </SegmentList></Representation></AdaptationSet>
      """)
    let loader = MemoryLoader(
      ["single/out.mpd": single, "listed/out.mpd": listed],
      media: [
        "single/out-stream0.mp4", "single/out-stream1.mp4", "listed/init-0.mp4", "listed/part 0-001.mp4",
        "listed/part 0-002.mp4", "listed/part 0-000.mp4", "listed/part.mp4",
      ])
    #expect(files(loader, "single") == ["out-stream1.mp4", "out.mpd"])
    #expect(files(loader, "listed") == ["out.mpd", "part.mp4"])
  }

  @Test("addresses count from the bases around them, and those on the web name no file")
  func bases() {
    let text = manifest(
      """
      <BaseURL>media/</BaseURL>
      <AdaptationSet><BaseURL>v 1/</BaseURL>
      <SegmentTemplate initialization="$RepresentationID$/i$$.mp4" media="$RepresentationID$/$Bandwidth$-$Time$-$Number$.mp4"/>
      <Representation id="low" bandwidth="10"/><Representation id="high" bandwidth="20"/></AdaptationSet>
      <AdaptationSet><Representation id="a"><BaseURL>http://h/</BaseURL><BaseURL>/media/d/</BaseURL>
      <SegmentTemplate media="a$Number$.mp4"/></Representation>
      <Representation id="b"><BaseURL>http://h/</BaseURL><SegmentTemplate media="b$Number$.mp4"/></Representation>
      </AdaptationSet>
      """)
    let loader = MemoryLoader(
      ["d/out.mpd": text],
      media: [
        "d/media/v 1/low/i$.mp4", "d/media/v 1/low/10-0-1.mp4", "d/media/v 1/high/20-900-2.mp4",
        "d/media/v 1/high/10-900-2.mp4", "d/media/film.mp4", "d/a1.mp4", "d/b1.mp4",
      ])
    #expect(files(loader, "d") == ["b1.mp4", "media/film.mp4", "media/v 1/high/10-900-2.mp4", "out.mpd"])
  }

  @Test("playlists that say the same in HLS are no second stream")
  func both() {
    let media = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
    let loader = MemoryLoader(
      [
        "d/out.mpd": templates("m4s", streams: 1),
        "d/master.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=7874\nmedia_0.m3u8\n",
        "d/media_0.m3u8": media
          + "#EXT-X-MAP:URI=\"init-stream0.m4s\"\n#EXTINF:6,\nchunk-stream0-00001.m4s\n#EXT-X-ENDLIST\n",
        "d/other.m3u8": media + "#EXTINF:6,\no1.ts\n",
      ], media: ["d/o1.ts"])
    #expect(files(loader, "d") == ["other.m3u8", "out.mpd"])
  }

  @Test("manifests that name each other are two entries")
  func round() {
    func naming(_ name: String) -> String {
      manifest("<AdaptationSet><Representation><BaseURL>\(name)</BaseURL></Representation></AdaptationSet>")
    }
    let loader = MemoryLoader([
      "d/a.mpd": naming("b.mpd"), "d/b.mpd": naming("a.mpd"), "d/c.mpd": naming("c.mpd"),
    ])
    #expect(files(loader, "d") == ["a.mpd", "b.mpd", "c.mpd"])
  }

  @Test("what is called a manifest and is none hides nothing")
  func broken() {
    for text in ["", "no XML", "<playlist><BaseURL>a.mp4</BaseURL></playlist>", "<MPD><Period><Repre"] {
      let loader = MemoryLoader(["d/out.mpd": text], media: ["d/a.mp4"])
      #expect(files(loader, "d") == ["a.mp4", "out.mpd"])
    }
  }
}
