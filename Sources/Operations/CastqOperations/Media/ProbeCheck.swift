import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqText
import Glibc

/// Reads what the local files of a list are made of, and keeps it for the queue.
struct ProbeCheck {
  private let memory: ProbeMemory

  /// - Throws: without `ffprobe`.
  init(_ global: CallOptions) throws(Failure) {
    let file = try ConfigurationFile(global).read().get()
    let programs = Environment.programs(file.programs)
    guard let ffprobe = programs.ffprobe else {
      let reason = programs.problems.first ?? "it is not installed, or switched off"
      throw Failure(
        "program_missing", "local files cannot be read without ffprobe: \(reason); install ffmpeg",
        exit: .configuration)
    }
    memory = ProbeMemory(MediaProber(ffprobe), try Workspace(global).database)
  }

  /// - Parameter progress: called with the number of files that have been read, and of all.
  func issues(of drafts: [EntryDraft], progress: @escaping @Sendable (Int, Int) -> Void) async
    -> [PlaylistIssue]
  {
    var places: [String: [SourceLocation]] = [:]
    var paths: [String] = []
    for draft in drafts {
      guard let path = draft.probedPath else { continue }
      if places[path] == nil { paths.append(path) }
      places[path, default: []].append(draft.source ?? SourceLocation(file: path))
    }
    var found: [String: (PlaylistIssue.Severity, String)] = [:]
    var left = paths[...]
    var done = 0
    await withTaskGroup(of: (path: String, problem: (PlaylistIssue.Severity, String)?).self) { group in
      func readNext() {
        guard let path = left.popFirst() else { return }
        group.addTask { [memory] in (path, await Self.problem(path, memory)) }
      }
      for _ in 0..<Self.lanes { readNext() }
      for await (path, problem) in group {
        done += 1
        progress(done, paths.count)
        found[path] = problem
        readNext()
      }
    }
    return paths.flatMap { path -> [PlaylistIssue] in
      guard let (severity, words) = found[path] else { return [] }
      let name = TerminalText.excerpt(FilePath.name(of: path), limit: 200)
      return (places[path] ?? []).map { place in
        PlaylistIssue(severity, file: place.file, line: place.line ?? 1, message: "\(name): \(words)")
      }
    }
  }

  /// Programs at the same time: one for each processor.
  private static var lanes: Int { min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 8) }

  private static func problem(_ path: String, _ memory: ProbeMemory) async -> (
    PlaylistIssue.Severity, String
  )? {
    do throws(MediaProber.Problem) {
      switch try await memory.result(path, now: { .now }) {
      case .media(let probe):
        let plays = probe.streams.contains { $0.kind == .video || $0.kind == .audio }
        return plays ? nil : (.error, "it holds neither film nor sound")
      case .notMedia(let words): return (.error, "it is no media: \(words)")
      }
    } catch {
      return (.warning, "it could not be read: \(error.message)")
    }
  }
}
