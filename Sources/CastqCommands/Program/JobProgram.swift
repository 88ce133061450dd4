import CastqPrograms
import CastqStore

/// Runs a job: this program again, with the words that were given.
struct JobProgram: Sendable {
  let database: String

  /// An announcement may last.
  private static let life = Duration.seconds(86_400)
  private static let kept = [
    "HOME", "TZ", "TZDIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
    "CASTQ_CONFIG", "CASTQ_DEVICE", "CASTQ_INTERFACES", "CASTQ_FFPROBE", "CASTQ_FFMPEG",
  ]

  func run(_ job: StoredJob) async -> (exit: Int, output: String) {
    var environment = ["CASTQ_DB": database]
    for name in Self.kept { environment[name] = Environment.value(name) }
    // The file that runs now, also when a newer one has taken its place.
    let program = ChildProgram(path: "/proc/self/exe", environment: environment)
    do {
      _ = try await program.run(
        job.arguments, in: job.directory,
        limits: ProgramLimits(time: Self.life, memoryBytes: nil, fileBytes: nil))
      return (0, "")
    } catch ProgramError.failed(_, let code, let words, _) {
      return (code, words)
    } catch {
      return (70, "\(error)")
    }
  }
}
