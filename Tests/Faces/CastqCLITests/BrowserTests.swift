import Foundation
import Testing

/// A receiver is a browser: what castq serves is shown to a real one, from a page of another origin.
@Suite("Subtitles and films in a real browser", .timeLimit(.minutes(20)))
struct BrowserTests {
  @Test(
    "a track of another origin shows converted subtitles, and a film is sought in through ranges",
    .enabled(if: Browser.options != nil, "no chromium that starts here: make test-deps installs it")
  )
  func tracks() async throws {
    try await Stage.with { stage in
      try Film.apart(by: 64 << 20).write(to: URL(fileURLWithPath: "\(stage.folder)/film.mp4"))
      try stage.file(
        "film.srt",
        "1\n00:00:02,000 --> 00:00:05,500\nGrüße <i>aus</i> {\\an8}Köln\n\n2\n00:00:44,000 --> 00:00:50,000\nZwei\nZeilen & <mehr>\n"
      )
      // Its minute lasts longer than any browser takes to start.
      let receiver = try await Receiver(stage, speed: 0.05)
      let feeder = try stage.start(
        ["run", "-d", receiver.address, "-v", "--subs", "film.srt", "film.mp4"])
      #expect(await receiver.playing() != nil, "\(feeder.stderr.text)")
      let media = try #require(Self.media(receiver))
      let film = try #require(media["contentId"]?.string)
      let track = try #require(media["tracks"]?.elements.first?["trackContentId"]?.string)
      let said = feeder.stderr.lines.count

      let page = try await ResultPage(stage, Self.page(film: film, track: track))
      let browser = try Browser(stage, at: page.address)
      let result = try await page.result()
      withExtendedLifetime(browser) {}
      #expect(result["error"] == .null, "\(result)")
      #expect(
        result["cues"]?.elements.map { $0.string } == [
          "2 5.5 Grüße <i>aus</i> Köln", "44 50 Zwei\nZeilen &amp; &lt;mehr&gt;",
        ], "\(result)")
      #expect(
        result["shown"]?.elements.map { $0.string } == ["Zwei\nZeilen & <mehr>"],
        "at the place that was sought")
      #expect(result["time"]?.number.map { $0 >= 45 } == true && result["duration"]?.number == 60)
      #expect(result["picture"] == .string("64x36"), "a frame was drawn, and may be read by the page")
      #expect(result["stranger"] == .string("error"), "without the header a browser shows no track")
      let range = await feeder.stderr.index(from: said) { line in
        line.contains("served") && line.contains("film.mp4") && line.contains("castq.status=206")
          && (line.firstMatch(of: /castq\.offset=(\d+)/).flatMap { Int($0.1) } ?? 0) > 32 << 20
      }
      #expect(range != nil, "\(feeder.stderr.text)")
      feeder.signal(SIGINT)
      _ = await feeder.ended()
    }
  }

  /// What the receiver was told to load.
  private static func media(_ receiver: Receiver) -> Document? {
    receiver.log.lines.lazy.compactMap { line -> Document? in
      guard line.contains(#""dir":"in""#), line.contains("QUEUE_LOAD") else { return nil }
      return (try? Document(line))?["data"]?["items"]?.elements.first?["media"]
    }.first
  }

  /// Loads film and track, seeks to 45 s, plays on from there, and posts what was seen. The page's own server sends no header that
  /// lets others read its files: a track of it fails in a film of castq.
  private static func page(film: String, track: String) -> String {
    """
    <!doctype html><meta charset="utf-8"><body><script>
    const once = (target, name) => new Promise((done, fail) => {
      target.addEventListener(name, done, {once: true});
      target.addEventListener("error", () => fail(name + " did not come"), {once: true});
    });
    const added = (video, address) => {
      const track = document.createElement("track");
      Object.assign(track, {kind: "subtitles", srclang: "de", src: address});
      video.append(track);
      track.track.mode = "showing";
      return track;
    };
    (async () => {
      const video = document.createElement("video");
      Object.assign(video, {crossOrigin: "anonymous", preload: "metadata", muted: true, src: "\(film)"});
      document.body.append(video);
      const track = added(video, "\(track)");
      await Promise.all([once(track, "load"), once(video, "loadedmetadata")]);
      const cues = [...track.track.cues].map(cue => `${cue.startTime} ${cue.endTime} ${cue.text}`);
      video.currentTime = 45;
      await once(video, "seeked");
      if (!track.track.activeCues.length) await once(track.track, "cuechange");
      const shown = [...track.track.activeCues].map(cue => cue.getCueAsHTML().textContent);
      await video.play();
      const canvas = document.createElement("canvas");
      const context = canvas.getContext("2d");
      // A computer that is busy plays on before it has drawn anything.
      let isDrawn = false;
      while (!isDrawn && !video.ended) {
        await once(video, "timeupdate");
        Object.assign(canvas, {width: video.videoWidth, height: video.videoHeight});
        context.drawImage(video, 0, 0);
        const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
        isDrawn = video.currentTime > 45 && pixels.some((value, index) => index % 4 < 3 && value > 40);
      }
      const stranger = await new Promise(done => {
        const other = added(video, location.port === "" ? "" : `http://localhost:${location.port}/stranger.vtt`);
        other.onload = () => done("load");
        other.onerror = () => done("error");
      });
      return {
        error: null, cues, shown, stranger, time: video.currentTime, duration: video.duration,
        picture: isDrawn ? `${canvas.width}x${canvas.height}` : "black",
      };
    })().catch(error => ({error: String(error)})).then(
      result => fetch("/result", {method: "POST", body: JSON.stringify(result)}));
    </script>
    """
  }
}

/// The film of the foreign senders, whose second half begins far behind the first one: no browser fetches what is between, so a seek into
/// the second half takes a range of its own.
private enum Film {
  struct Unexpected: Error {}

  /// - Parameter hole: bytes between the halves, all of them 0.
  static func apart(by hole: Int) throws -> Data {
    let film = try Data(contentsOf: Programs.clone.appending(path: "Tests/Foreign/minute.mp4"))
    let moov = try box("moov", in: film, 0..<film.count)
    let tables = try ["trak", "mdia", "minf", "stbl"].reduce(into: [moov]) { path, name in
      path.append(
        try box(name, in: film, (path[path.count - 1].lowerBound + 8)..<path[path.count - 1].upperBound))
    }
    let table = tables[tables.count - 1]
    let inside = (table.lowerBound + 8)..<table.upperBound
    let (sizes, runs) = (try box("stsz", in: film, inside), try box("stsc", in: film, inside))
    let chunks = try box("stco", in: film, inside)
    // One chunk with all samples becomes two, so that the table of chunks is four bytes longer.
    let (samples, start) = (number(film, sizes.lowerBound + 16), number(film, chunks.lowerBound + 16))
    guard number(film, chunks.lowerBound + 12) == 1, number(film, sizes.lowerBound + 12) == 0 else {
      throw Unexpected()
    }
    let half = samples / 2
    let middle = (0..<half).reduce(start) { $0 + number(film, sizes.lowerBound + 20 + 4 * $1) }
    var head = film[moov]
    set(half, at: runs.lowerBound + 20, in: &head)
    set(2, at: chunks.lowerBound + 12, in: &head)
    for parent in tables + [chunks] { set(parent.count + 4, at: parent.lowerBound, in: &head) }
    let data = film[..<moov.lowerBound].count + head.count + 4 + 8
    set(data, at: chunks.lowerBound + 16, in: &head)
    head.insert(contentsOf: bytes(data + middle - start + hole), at: chunks.upperBound)
    let end = (0..<samples).reduce(start) { $0 + number(film, sizes.lowerBound + 20 + 4 * $1) }
    return film[..<moov.lowerBound] + head + bytes(8 + end - start + hole) + Data("mdat".utf8)
      + film[start..<middle] + Data(count: hole) + film[middle..<end]
  }

  private static func box(_ name: String, in film: Data, _ range: Range<Int>) throws -> Range<Int> {
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let size = number(film, place)
      guard size >= 8 else { break }
      if film[(place + 4)..<(place + 8)] == Data(name.utf8) { return place..<(place + size) }
      place += size
    }
    throw Unexpected()
  }

  private static func number(_ film: Data, _ place: Int) -> Int {
    film[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func bytes(_ number: Int) -> Data {
    Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
  }

  private static func set(_ number: Int, at place: Int, in film: inout Data) {
    film.replaceSubrange(place..<(place + 4), with: bytes(number))
  }
}
