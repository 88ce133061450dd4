import CastqText

/// One subtitle, ready for WebVTT.
struct SubtitleCue: Sendable, Hashable {
  /// Milliseconds from the beginning of the media.
  var start: Int
  /// Milliseconds; after `start`.
  var end: Int
  /// WebVTT settings, such as `line:0`; empty for the usual place.
  var settings = ""
  /// WebVTT's name of the cue; nil for none.
  var identifier: String?
  /// Text with WebVTT markup: no empty line, no `-->`.
  var text: String

  /// The cue moved in time; nil when it would be over before the media begins.
  func moved(by offset: Int) -> SubtitleCue? {
    guard end + offset > 0 else { return nil }
    var cue = self
    (cue.start, cue.end) = (max(0, start + offset), end + offset)
    return cue
  }

  /// Its block in a WebVTT file, with the empty line after it.
  var block: String {
    let head = identifier.map { "\($0)\n" } ?? ""
    let times = "\(SubtitleTime.text(start)) --> \(SubtitleTime.text(end))"
    return "\(head)\(times)\(settings.isEmpty ? "" : " \(settings)")\n\(text)\n\n"
  }
}

/// The cues of one file and what is wrong with it, collected within the limits.
struct CueList: Sendable {
  private(set) var cues: [SubtitleCue] = []
  private(set) var log: IssueLog
  let limits: SubtitleLimits
  private let file: String
  private var bytes = 0
  private var isFull = false

  init(file: String, limits: SubtitleLimits) {
    self.file = file
    self.limits = limits
    log = IssueLog(limit: limits.issues)
  }

  /// Adds a cue that stands at a line. A cue without text or without duration shows nothing: the first is left out, the second
  /// named.
  mutating func add(_ cue: SubtitleCue, line: Int, column: Int = 1) {
    guard !cue.text.isEmpty, !isFull else { return }
    guard cue.end > cue.start else {
      return report(line, column, "the subtitle does not end after its start, so it was left out")
    }
    guard cue.text.utf8.count <= limits.cueBytes else {
      return report(line, column, "the subtitle is longer than \(limits.cueBytes) bytes, so it was left out")
    }
    bytes += cue.text.utf8.count + cue.settings.utf8.count + 64
    guard cues.count < limits.cues, bytes <= limits.resultBytes else {
      isFull = true
      return report(
        line, column, "the file has more subtitles than fit; those from here on were left out", .limit)
    }
    cues.append(cue)
  }

  mutating func report(
    _ line: Int, _ column: Int, _ message: String, _ kind: PlaylistIssue.Kind = .content,
    _ severity: PlaylistIssue.Severity = .error, hint: FaceWords? = nil
  ) {
    log.add(
      PlaylistIssue(severity, kind, file: file, line: line, column: column, message: message, hint: hint))
  }
}
