import CastProtocol
import CastqPlaylists
import CastqText
import Foundation
import Testing

/// What `ffprobe` says of a file. The documents were written by ffprobe 5.1 for files that ffmpeg made.
struct MediaProbeDocumentTests {
  private func recorded(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Documents")
    return Array(try Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  private func probe(_ text: String) throws -> MediaProbe { try MediaProbe(document: Array(text.utf8)) }

  @Test("a film has its length, its streams with their codecs, and its tags; its cover is no film")
  func film() throws {
    let film = try MediaProbe(document: recorded("film.mp4"))
    #expect(film.formats == ["mov", "mp4", "m4a", "3gp", "3g2", "mj2"] && film.duration == 3)
    #expect(film.bitRate == 116_861)
    #expect(film.tags["title"] == "The Film" && film.tags["date"] == "2019")
    #expect(film.streams.map(\.kind) == [.video, .audio, .cover])
    #expect(film.streams.map(\.codec) == ["h264", "aac", "mjpeg"])
    let picture = try #require(film.streams.first)
    #expect(picture.profile == "High" && picture.level == 12 && picture.pixelFormat == "yuv420p")
    #expect(picture.width == 320 && picture.height == 180 && picture.frameRate == 25 && picture.isDefault)
    #expect(film.streams[1].channels == 1 && film.streams[1].sampleRate == 44_100)
    #expect(film.streams[1].language == "deu")
    #expect(film.streams[2].index == 2 && film.streams[2].width == 300)
  }

  @Test("Matroska names codecs, channels, languages and titles of its streams")
  func matroska() throws {
    let film = try MediaProbe(document: recorded("film.mkv"))
    #expect(film.formats == ["matroska", "webm"] && film.tags["title"] == "Film.in.a.Box")
    #expect(film.streams.map(\.kind) == [.video, .audio, .subtitle])
    #expect(film.streams.map(\.codec) == ["hevc", "ac3", "subrip"])
    #expect(film.streams[0].profile == "Main 10" && film.streams[0].pixelFormat == "yuv420p10le")
    #expect(try #require(film.streams[0].frameRate) > 29.9 && film.streams[0].frameRate! < 30)
    #expect(film.streams[1].channels == 6 && film.streams[1].title == "Surround")
    #expect(film.streams[2].language == "eng")
  }

  @Test("a song has its tags, also where they are those of its only stream")
  func songs() throws {
    let song = try MediaProbe(document: recorded("song.mp3"))
    #expect(song.tags["title"] == "A Song" && song.tags["artist"] == "An Artist")
    #expect(song.tags["album"] == "The Album" && song.tags["track"] == "3/12")
    #expect(song.streams.map(\.kind) == [.audio, .cover])
    let ogg = try MediaProbe(document: recorded("song.ogg"))
    #expect(ogg.tags["title"] == "Ogg Song" && ogg.tags["artist"] == "Ö" && ogg.duration == 2)
  }

  @Test(
    "what is written for the store reads as the same facts",
    arguments: ["film.mp4", "film.mkv", "film.ts", "film.webm", "song.mp3", "song.ogg"])
  func roundTrip(_ name: String) throws {
    let probe = try MediaProbe(document: recorded(name))
    #expect(probe.duration != nil)
    #expect(try MediaProbe(document: Array(probe.document.text.utf8)) == probe)
  }

  @Test(
    "what is no document of ffprobe is an error in words",
    arguments: [
      "", "{}", "[]", "null", "{\"format\":{}}", "{\"format\":{\"format_name\":7}}", "{\"format\"", "ÿþ",
    ])
  func refused(_ text: String) {
    let error = #expect(throws: TextError.self) { try probe(text) }
    #expect(error?.message.hasPrefix("the answer") == true)
  }

  @Test(
    "a number that makes no sense is unknown",
    arguments: [
      "\"N/A\"", "\"inf\"", "\"nan\"", "\"-5\"", "\"0\"", "\"1e999\"", "\"0x10\"", "\"9e99\"", "-1", "{}",
      "\"\"",
      "\"12 \"", "null", "1e400",
    ])
  func numbers(_ number: String) throws {
    let film = try? probe(
      "{\"format\":{\"format_name\":\"mp4\",\"duration\":\(number),\"bit_rate\":\(number)},\"streams\":[{\"index\":0,"
        + "\"codec_type\":\"video\",\"width\":\(number),\"level\":-99,\"avg_frame_rate\":\"1/0\",\"r_frame_rate\":\"0/0\"}]}"
    )
    #expect(film?.duration == nil && film?.bitRate == nil && film?.streams.first?.width == nil)
    #expect(film?.streams.first?.frameRate == nil && film?.streams.first?.level == nil)
  }

  @Test("streams, tags and texts are bounded, and no text carries what a terminal would obey")
  func bounded() throws {
    let streams = (0..<500).map { "{\"index\":\($0),\"codec_type\":\"audio\"}" }.joined(separator: ",")
    let tags = (0..<500).map { "\"tag\($0)\":\"v\"" }.joined(separator: ",")
    let long = String(repeating: "x", count: 5000)
    let film = try probe(
      "{\"streams\":[\(streams),{\"codec_type\":\"video\"},7],\"format\":{\"format_name\":\"a,\(long)\","
        + "\"tags\":{\"TITLE\":\"\\u001b]0;own\\u0007\\u001b[2JFilm\\n\(long)\",\"title\":\"other\",\(tags)}}}"
    )
    #expect(film.streams.count == 100 && film.tags.count == 64)
    #expect(film.formats.map(\.count).max() == 64)
    let title = try #require(film.tags["title"])
    #expect(title.count == 500 && title.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
  }

  @Test("a document larger than a mebibyte is refused before it is read")
  func tooLarge() {
    #expect(throws: TextError.self) {
      try MediaProbe(document: [UInt8](repeating: UInt8(ascii: " "), count: MediaProbe.Limits.bytes + 1))
    }
  }
}
