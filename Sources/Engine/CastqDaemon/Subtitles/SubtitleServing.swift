import CastGuard
import CastHTTP
import CastProtocol
import CastqMediaServer
import CastqPlaylists
import CastqText
import Synchronization

/// How a device gets a text track: always from castq's own server, always as WebVTT.
///
/// Files are converted for each request, so that an edited file is served at once. A track of the web is fetched when the device asks
/// for it: fetching at queueing would fetch thousands of files that are never shown, and asking before the load would delay the film.
/// castq cannot know before whether a web server lets receivers read its files, so that all text tracks come from here.
enum SubtitleServing {
  /// The type that devices are given.
  static let contentType = "text/vtt"
  /// The end of the address of a track that has no file here.
  static let fileName = "subtitles.vtt"

  /// Whether the track is a file of subtitles, and not one that is in the stream, sound, or of a format that castq does not read.
  static func serves(_ track: MediaTrack) -> Bool {
    guard track.kind == .text, let address = track.contentIdentifier else { return false }
    let web = try? WebAddress(address)
    guard FilePath.isURL(address) || web != nil else { return false }
    return SubtitleFormat.isRead(contentType: track.contentType, path: web?.path ?? address)
  }

  /// What is served of a local file.
  /// - Parameters:
  ///   - hint: the language that the viewers prefer.
  ///   - notes: where it is said what they do not get; nil says nothing.
  static func conversion(
    of track: MediaTrack, path: String, hint: String?, notes: SubtitleNotes? = nil
  ) -> MediaConversion {
    let (language, offset) = (track.languageCode, track.subtitleOffset)
    return MediaConversion(name: name(of: track, hint), limit: SubtitleLimits().fileBytes) { bytes in
      let converted = Result { () throws(TextError) in
        try SubtitleConversion(bytes: bytes, file: path, language: language, hint: hint, offset: offset)
      }
      notes?.note(converted, of: path)
      return (try? converted.get()).map { Array($0.text.utf8) }
    }
  }

  /// What is served of a track of the web.
  /// - Parameters:
  ///   - hint: the language that the viewers prefer.
  ///   - rule: whose words name it.
  ///   - notes: where it is said what they do not get; nil says nothing.
  static func document(
    of track: MediaTrack, address: String, hint: String?, under rule: FetchGuard, notes: SubtitleNotes?
  ) -> MediaDocument {
    let once = FetchedOnce {
      let converted: Result<SubtitleConversion, TextError>
      do throws(TextError) {
        converted = .success(try await fetched(track, address, hint: hint, under: rule))
      } catch {
        converted = .failure(error)
      }
      notes?.note(converted, of: address)
      return (try? converted.get()).map { Array($0.text.utf8) }
    }
    // What one list may have fetched, another list must not get by the same address.
    let speaker = rule.origin == .owner ? "" : " \(rule.origin)"
    return MediaDocument(name: "\(name(of: track, hint)) \(address)\(speaker)") { await once.bytes() }
  }

  /// The same for all tracks that are converted in the same way.
  private static func name(of track: MediaTrack, _ hint: String?) -> String {
    "webvtt \(track.languageCode ?? "-") \(hint ?? "-") \(track.subtitleOffset)"
  }

  /// A track of the web, fetched and converted.
  /// - Parameters:
  ///   - hint: the language that the viewers prefer.
  ///   - rule: whose words name it.
  static func fetched(
    _ track: MediaTrack, _ address: String, hint: String? = nil, under rule: FetchGuard
  ) async throws(TextError) -> SubtitleConversion {
    var fetch = HTTPFetch(address, under: rule, byteLimit: SubtitleLimits().fileBytes)
    fetch.accept = "text/vtt, text/*, application/*;q=0.8, */*;q=0.5"
    let answer: HTTPFetched
    do throws(HTTPFetchError) { answer = try await HTTPClient().fetch(fetch) } catch {
      throw TextError(error.reason)
    }
    let charset = answer.contentType?.lowercased().split(separator: ";").lazy
      .compactMap { part -> Substring? in
        let pair = part.split(separator: "=", maxSplits: 1)
        return pair.count == 2 && pair[0].trimmed == "charset" ? pair[1].trimmed : nil
      }.first
    return try SubtitleConversion(
      bytes: answer.body, file: (try? WebAddress(answer.address))?.path ?? address,
      language: track.languageCode, hint: hint, declared: charset.flatMap { CharacterSet(label: $0) },
      offset: track.subtitleOffset)
  }
}

/// One fetch for all who ask while it lasts. What was fetched stays for as long as it is published, a failure does not.
private final class FetchedOnce: Sendable {
  private let fetch: @Sendable () async -> [UInt8]?
  private let task = Mutex<Task<[UInt8]?, Never>?>(nil)

  init(_ fetch: @escaping @Sendable () async -> [UInt8]?) { self.fetch = fetch }

  func bytes() async -> [UInt8]? {
    let current = task.withLock { task in
      let current = task ?? Task { [fetch] in await fetch() }
      task = current
      return current
    }
    let bytes = await current.value
    if bytes == nil { task.withLock { if $0 == current { $0 = nil } } }
    return bytes
  }
}

extension Substring {
  /// Without spaces and quotes around it.
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\"" }
    return start.prefix { $0 != " " && $0 != "\"" }
  }
}
