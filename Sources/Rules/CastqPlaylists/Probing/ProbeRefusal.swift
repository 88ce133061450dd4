/// What the words of `ffprobe` say when it fails: of the file, or of itself and the system.
package enum ProbeRefusal {
  /// Failures that say nothing of the file, as the system and `ffprobe` word them: the next call may succeed.
  private static let passing = [
    "Cannot allocate memory", "Input/output error", "Permission denied", "Operation not permitted",
    "No such file or directory", "Too many open files", "Resource temporarily unavailable",
    "Interrupted system call", "Stale file handle", "Transport endpoint is not connected",
    "Connection timed out", "Host is down", "Function not implemented", "Immediate exit requested",
    "Internal bug, should not have happened", "Protocol not found", "Demuxer not found", "Option not found",
    "Unrecognized option", "error while loading shared libraries", "symbol lookup error",
  ]

  /// Plain words for those that `ffprobe` has for what it does not read.
  private static let known = [
    "Invalid data found when processing input": "ffprobe finds neither film nor sound in it",
    "End of file": "it ends before anything that can be played",
    "Not yet implemented in FFmpeg, patches welcome": "ffprobe does not read this kind of file yet",
  ]

  /// Whether the program or the system failed, and not the file.
  package static func isPassing(_ words: String) -> Bool { passing.contains { words.contains($0) } }

  /// Why a file is no media, in plain words; words that are not known stay as they are.
  package static func plain(_ words: String) -> String { known[words] ?? words }
}
