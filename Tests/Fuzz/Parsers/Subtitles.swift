import CastProtocol
import CastqPlaylists
import CastqText

extension Parser {
  /// As each format, in a set that is found out. What was converted is WebVTT, and is given back as it is.
  func parseSubtitles(_ bytes: [UInt8]) {
    let decoded = SubtitleDecoding(bytes, language: nil, decode: Self.text)
    let names = decoded.text.split(separator: "\n").prefix(100).map(String.init)
    for track in SidecarSubtitles(names + ["film.mp4"]).tracks(of: "/films/film.mp4") {
      precondition(track.name?.isEmpty == false, "a track without a name")
    }
    for name in ["film.srt", "film.ass", "film.vtt", "film.ttml", "film.sub"] {
      do throws(TextError) {
        let converted = try SubtitleConversion(decoded.text, file: name)
        let again = try SubtitleConversion(converted.text, file: "film.vtt")
        precondition(converted.format == .webVTT || again.text == converted.text, "no valid WebVTT")
        _ = try SubtitleConversion(decoded.text, file: name, offset: -1.5)
      } catch {
        precondition(!error.message.isEmpty)
      }
    }
  }
}
