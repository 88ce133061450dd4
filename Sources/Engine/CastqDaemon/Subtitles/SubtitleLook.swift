package import CastGuard
package import CastProtocol
import CastqMediaServer
package import CastqPlaylists
package import CastqText

/// Reads subtitles before a device asks for them, because it never says why it shows none.
package enum SubtitleLook {
  /// Why a track will not be shown, as one line; nil if it will, or castq does not read it.
  /// - Parameter rule: whose words name it.
  package static func problem(with track: MediaTrack, under rule: FetchGuard) async -> String? {
    guard SubtitleServing.serves(track), let address = track.contentIdentifier else { return nil }
    do throws(TextError) {
      if FilePath.isURL(address) {
        _ = try converted(track, file: address)
      } else {
        _ = try await SubtitleServing.fetched(track, address, under: rule)
      }
      return nil
    } catch {
      return error.hint.map { "\(error.message); \($0.typed)" } ?? error.message
    }
  }

  /// What of the local subtitles of an entry cannot be shown, by file, line and column.
  /// - Parameter hint: the language that the viewers prefer.
  package static func issues(in draft: EntryDraft, hint: String?) -> [PlaylistIssue] {
    draft.media.mediaTracks.flatMap { track -> [PlaylistIssue] in
      guard SubtitleServing.serves(track), let address = track.contentIdentifier, FilePath.isURL(address)
      else { return [] }
      do throws(TextError) {
        let converted = try converted(track, file: address, hint: hint)
        return [guess(converted, file: address)].compactMap(\.self) + converted.issues
      } catch {
        let file = (try? FilePath.path(url: address)) ?? address
        return [PlaylistIssue(.error, file: file, message: error.message, hint: error.hint)]
      }
    }
  }

  /// What of subtitles on the web cannot be shown, by line and column; nothing for those that castq does not read.
  /// - Parameters:
  ///   - hint: the language that the viewers prefer.
  ///   - rule: whose words name it.
  package static func issues(ofWeb track: MediaTrack, hint: String?, under rule: FetchGuard) async
    -> [PlaylistIssue]
  {
    guard SubtitleServing.serves(track), let address = track.contentIdentifier else { return [] }
    do throws(TextError) {
      let converted = try await SubtitleServing.fetched(track, address, hint: hint, under: rule)
      let issues = converted.issues.map { issue in
        var issue = issue
        issue.file = AddressText.withoutSecrets(address)
        return issue
      }
      return [guess(converted, file: address)].compactMap(\.self) + issues
    } catch {
      return [PlaylistIssue(.error, file: address, message: error.message, hint: error.hint)]
    }
  }

  /// Files beside films that castq does not read, and what to do with them.
  package static func unread(beside drafts: [EntryDraft]) -> [PlaylistIssue] {
    var folders: [String: SidecarSubtitles] = [:]
    return drafts.flatMap { draft -> [PlaylistIssue] in
      guard let path = try? FilePath.path(url: draft.media.url) else { return [] }
      let folder = FilePath.directory(of: path)
      // Entries of one folder usually follow each other.
      if folders[folder] == nil, folders.count >= 16 { folders = [:] }
      let beside = folders[folder] ?? SidecarSubtitles((FolderEntry.all(in: folder) ?? []).map(\.name))
      folders[folder] = beside
      return beside.unread(of: path).map { issue(ofUnread: FilePath.absolute($0, in: folder)) }
    }
  }

  private static func issue(ofUnread path: String) -> PlaylistIssue {
    do throws(TextError) {
      let track = MediaTrack(identifier: 0, kind: .text, contentIdentifier: FilePath.url(path))
      let format = try converted(track, file: FilePath.url(path)).format
      let ending = SubtitleFormat.endings.filter { $0.value == format }.map(\.key).min() ?? "srt"
      return PlaylistIssue(
        .warning, file: path, message: "castq does not look for subtitles in files with this ending",
        hint: "rename it to .\(ending)")
    } catch {
      return PlaylistIssue(.warning, file: path, message: error.message, hint: error.hint)
    }
  }

  /// In which set the file was read, where it is not UTF-8: a wrong guess looks like a file that is damaged.
  private static func guess(_ converted: SubtitleConversion, file address: String) -> PlaylistIssue? {
    guard converted.set != .utf8 || converted.confidence != .sure else { return nil }
    let file = (try? FilePath.path(url: address)) ?? address
    let words =
      converted.set == .utf8
      ? "the file is damaged: most of it is UTF-8"
      : "the file is not UTF-8; it was read as \(converted.set.rawValue)"
    let isUncertain = converted.confidence == .uncertain
    return PlaylistIssue(
      isUncertain ? .warning : .note, file: file, message: "\(words) (\(converted.confidence.rawValue))",
      hint: isUncertain ? "name its language, as in film.ru.srt, or save it as UTF-8" : nil)
  }

  private static func converted(
    _ track: MediaTrack, file address: String, hint: String? = nil
  ) throws(TextError) -> SubtitleConversion {
    let path = try FilePath.path(url: address)
    let bytes: [UInt8]
    do throws(MediaServerError) {
      bytes = try MediaServer.read(path: path, limit: SubtitleLimits().fileBytes)
    } catch {
      throw TextError("\(error)")
    }
    return try SubtitleConversion(bytes: bytes, file: path, language: track.languageCode, hint: hint)
  }
}
