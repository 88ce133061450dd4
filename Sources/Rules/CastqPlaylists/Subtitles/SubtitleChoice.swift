package import CastProtocol
package import CastqText

/// Which subtitles an entry starts with.
package enum SubtitleChoice: Sendable, Hashable {
  /// The first track.
  case first
  case off
  /// The first track of the language, else the first track. An RFC 5646 code.
  case language(String)

  /// `off` or a language, such as `en`, `pt-BR` or `german`.
  package init(_ text: String) throws(TextError) {
    if text == "off" {
      self = .off
    } else if TrackText.isLanguage(text) {
      self = .language(SubtitleLanguage.code(text) ?? text)
    } else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a language", hint: "write a code such as en or pt-BR, or off")
    }
  }

  /// The language, where it is one.
  package var language: String? {
    if case .language(let code) = self { code } else { nil }
  }

  /// The active tracks of media; nil when there is nothing to choose from, and the receiver does as it likes.
  func activeTracks(of media: MediaInformation) -> [Int]? {
    let tracks = media.mediaTracks.filter(\.isRead)
    guard let first = tracks.first else { return nil }
    switch self {
    case .first: return [first.identifier]
    case .off: return []
    case .language(let wanted):
      let match = tracks.first { $0.languageCode.map { SubtitleLanguage.matches($0, wanted) } ?? false }
      return [(match ?? first).identifier]
    }
  }
}

extension MediaTrack {
  /// Whether it is text for viewers to read.
  fileprivate var isRead: Bool {
    guard kind == .text else { return false }
    switch textSubtype {
    case .subtitles, .captions, nil: return true
    case .descriptions, .chapters, .metadata, .unknown: return false
    }
  }
}

extension EntryDraft {
  /// Sets the tracks it starts with, unless they are set already.
  package mutating func fillActiveTracks(_ choice: SubtitleChoice) {
    activeTrackIDs = activeTrackIDs ?? choice.activeTracks(of: media)
  }

  /// Sets how its text looks, unless that is set already.
  package mutating func fillTextStyle(_ style: MediaTextTrackStyle) {
    if media.textTrackStyle == nil, !media.standsStill { media.textTrackStyle = style }
  }

  /// Replaces the tracks it starts with. Without text tracks nothing changes.
  package mutating func chooseSubtitles(_ choice: SubtitleChoice) {
    activeTrackIDs = choice.activeTracks(of: media) ?? activeTrackIDs
  }
}
