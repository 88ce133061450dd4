import CastqText

/// A text track as another process got it from castq's server.
package enum SubtitleFinding: Sendable, Hashable {
  /// The status, the type, the origins that may read it, and whether the text is WebVTT with the subtitle in it.
  case fetched(contentType: String?, allowedOrigin: String?, hasCues: Bool)
  /// The words say why not.
  case notFetched(String)
  case notTried

  package var verdict: DoctorVerdict {
    switch self {
    case .notTried: return .skipped(.subtitles, "there was no server to fetch them from")
    case .notFetched(let words):
      return .fail(
        .subtitles, "a text track cannot be fetched: \(words)", advice: "mend the media server first",
        exit: .unreachable)
    case .fetched(let type, let origin, let hasCues):
      guard hasCues else { return Self.bug("a subtitle file was not converted to WebVTT") }
      guard let type, type.lowercased().hasPrefix("text/vtt") else {
        return Self.bug("a text track is served as \(TerminalText.excerpt(type ?? "nothing"))")
      }
      guard origin == "*" else {
        return Self.bug(
          "receivers may not read text tracks: the header Access-Control-Allow-Origin is missing")
      }
      return .ok(.subtitles, "a subtitle file is served as WebVTT, and receivers may read it (CORS)")
    }
  }

  /// castq itself serves it, so only something between can be the cause, or castq.
  private static func bug(_ words: String) -> DoctorVerdict {
    .fail(.subtitles, words, advice: "look for a proxy on the way; otherwise report this", exit: .bug)
  }
}
