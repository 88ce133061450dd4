import CastGuard
import CastProtocol
import CastqDaemon
import CastqPlaylists
import CastqText

/// Reads the subtitles of a list while it starts: a film without its subtitles plays, and nobody else says why they do not appear
/// (protocol 21.19).
package struct SubtitleCheck {
  /// Maximum number of files to read, and one of each web server.
  private static let most = 4

  private let question: Task<[String], Never>

  package init(_ list: SourceList, _ global: CallOptions) {
    let tracks = global.quiet ? [] : Self.tracks(list.drafts, allowing: LocalPlaces(global))
    question = Task {
      await withTaskGroup(of: String?.self) { group in
        for (track, rule) in tracks {
          group.addTask {
            guard let problem = await SubtitleLook.problem(with: track, under: rule) else { return nil }
            return "\(MediaTitle.name(of: track.contentIdentifier ?? "")): \(problem)"
          }
        }
        return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
      }
    }
  }

  /// What is wrong, as one message; nil where nothing is.
  package func problem() async -> String? {
    let problems = await question.value.sorted()
    guard let first = problems.first else { return nil }
    let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
    return "castq: subtitles will not be shown: \(first)\(more)"
  }

  package func end() { question.cancel() }

  /// The first tracks, of each web server one.
  private static func tracks(
    _ drafts: [EntryDraft], allowing allowed: LocalPlaces
  ) -> [(MediaTrack, FetchGuard)] {
    var seen: Set<Substring> = []
    var tracks: [(MediaTrack, FetchGuard)] = []
    let named = drafts.lazy.flatMap { draft in draft.media.mediaTracks.map { ($0, draft.fetchOrigin) } }
    for (track, origin) in named where track.kind == .text {
      guard let address = track.contentIdentifier, tracks.count < most else { continue }
      let server = address.split(separator: "/", maxSplits: 2).dropLast().last ?? ""
      if FilePath.isURL(address) || seen.insert(server).inserted {
        tracks.append((track, FetchGuard(origin, allowing: allowed)))
      }
    }
    return tracks
  }
}
