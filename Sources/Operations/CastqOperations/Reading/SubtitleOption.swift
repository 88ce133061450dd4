import CastProtocol
import CastqPlaylists
import CastqText

/// `--subs FILE|LANGUAGE|off`: the subtitles with which the entries of a command start.
package struct SubtitleOption {
  /// As it was written.
  let text: String

  /// Applies it to what was read from the sources.
  /// - Throws: when it is neither a choice nor a file that can be shown with the one entry there is.
  func apply(to drafts: inout [EntryDraft], loader: FileLoader) throws(Failure) {
    let isChoice = text == "off" || SubtitleLanguage.code(text) != nil
    if isChoice, let choice = try? SubtitleChoice(text) {
      for index in drafts.indices { drafts[index].chooseSubtitles(choice) }
      return
    }
    let track = try track(loader)
    guard drafts.count == 1 else {
      throw Failure(
        "usage",
        "--subs \(TerminalText.excerpt(text)): a file belongs to one entry, and there are \(drafts.count); name a language, or off",
        exit: .usage)
    }
    guard let address = track.contentIdentifier, drafts[0].origin.mayName(address) else {
      throw Failure(
        "bad_playlist",
        "--subs \(TerminalText.excerpt(text)): an entry of a list from the network may not name local files",
        exit: .badData)
    }
    drafts[0].show(track)
  }

  private func track(_ loader: FileLoader) throws(Failure) -> MediaTrack {
    let (address, path): (String, String)
    if let web = try? WebAddress(text) {
      (address, path) = (web.text, web.path)
    } else {
      path = FilePath.absolute(text, in: loader.workingDirectory)
      address = FilePath.url(path)
      guard loader.kind(of: path) == .file else {
        throw Failure(
          "input_missing",
          "--subs \(TerminalText.excerpt(text)): no such file, and no language; name a file, a code such as en, or off",
          exit: .inputMissing)
      }
    }
    guard let type = ContentTypes.textTrackType(fileExtension: FilePath.fileExtension(of: path)) else {
      throw Failure(
        "bad_playlist",
        "--subs \(TerminalText.excerpt(text)): not a file of subtitles; castq reads \(SubtitleFormat.endingsInWords)",
        exit: .badData)
    }
    let language = SubtitleLanguage.marked(inName: FilePath.name(of: path))
    return MediaTrack(
      identifier: 0, kind: .text, textSubtype: .subtitles, contentIdentifier: address, contentType: type,
      languageCode: language ?? "und", name: language.map(SubtitleLanguage.name) ?? "Subtitles")
  }
}

extension EntryDraft {
  /// Starts with this track, which is added unless it is there already.
  fileprivate mutating func show(_ track: MediaTrack) {
    if let known = media.mediaTracks.first(where: { $0.contentIdentifier == track.contentIdentifier }) {
      activeTrackIDs = [known.identifier]
      return
    }
    var track = track
    track.identifier = (media.mediaTracks.map(\.identifier).max() ?? 0) + 1
    media.mediaTracks.append(track)
    activeTrackIDs = [track.identifier]
  }
}
