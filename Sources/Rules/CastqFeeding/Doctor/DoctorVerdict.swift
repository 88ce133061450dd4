package import CastProtocol
package import CastqText

/// What `castq doctor` examines, in the order of its lines.
package enum DoctorCheck: String, Sendable, Hashable, CaseIterable {
  /// Whether devices are heard on the network.
  case multicast
  /// Whether the device's address accepts connections.
  case address
  case tls
  /// What the device proves of its identity.
  case authentication
  /// Whether an application can be started on the device.
  case launch
  /// Whether local files are served at the address that devices are given.
  case mediaServer = "media_server"
  /// Whether the device itself fetched one.
  case deviceFetch = "device_fetch"
  /// The port that a firewall must let in.
  case firewall
  case subtitles
  case clock
  case disk
  /// Whether as many files may be open as the devices need.
  case openFiles = "open_files"
  case ffprobe
  case ffmpeg
  case ytDlp = "yt-dlp"
}

/// The result of one check: a line of `castq doctor`.
package struct DoctorVerdict: Sendable, Hashable {
  /// The kind of a verdict; the raw value is its word in JSON.
  package enum Grade: String, Sendable, Hashable {
    case ok
    /// Something works less well than it could; the exit code stays 0.
    case warn
    case fail
    /// Not examined, or not needed.
    case skipped
  }

  package let check: DoctorCheck
  package let grade: Grade
  /// What was found, in one clause.
  package let words: FaceWords
  /// The one thing to do; nil when there is nothing to do.
  package let advice: FaceWords?
  /// The exit code of the program if this is the first failure; `done` for other grades.
  package let exit: ExitStatus

  private init(
    _ check: DoctorCheck, _ grade: Grade, _ words: FaceWords, _ advice: FaceWords?, _ exit: ExitStatus
  ) {
    (self.check, self.grade, self.words, self.advice, self.exit) = (check, grade, words, advice, exit)
  }

  static func ok(_ check: DoctorCheck, _ words: String, advice: FaceWords? = nil) -> DoctorVerdict {
    DoctorVerdict(check, .ok, FaceWords(words), advice, .done)
  }

  static func warn(_ check: DoctorCheck, _ words: String, advice: FaceWords) -> DoctorVerdict {
    DoctorVerdict(check, .warn, FaceWords(words), advice, .done)
  }

  static func fail(
    _ check: DoctorCheck, _ words: String, advice: FaceWords?, exit: ExitStatus
  ) -> DoctorVerdict {
    DoctorVerdict(check, .fail, FaceWords(words), advice, exit)
  }

  static func skipped(_ check: DoctorCheck, _ words: String, advice: FaceWords? = nil) -> DoctorVerdict {
    skipped(check, FaceWords(words), advice: advice)
  }

  static func skipped(_ check: DoctorCheck, _ words: FaceWords, advice: FaceWords? = nil) -> DoctorVerdict {
    DoctorVerdict(check, .skipped, words, advice, .done)
  }

  /// A failure whose message says what happened and, after the first semicolon, what to do.
  static func fail(_ check: DoctorCheck, message: String, exit: ExitStatus) -> DoctorVerdict {
    let (words, advice) = halves(of: message)
    return fail(check, words, advice: advice.map { FaceWords($0) }, exit: exit)
  }

  /// A failure of castq itself: its hint is a command at a terminal.
  static func fail(_ check: DoctorCheck, _ failure: Failure) -> DoctorVerdict {
    let typed = halves(of: failure.typed.message)
    let message = failure.paged.message
    guard let advice = typed.advice else {
      return DoctorVerdict(check, .fail, FaceWords(typed: typed.words, paged: message), nil, failure.exit)
    }
    let paged = halves(of: message)
    return DoctorVerdict(
      check, .fail, FaceWords(typed: typed.words, paged: paged.words),
      FaceWords(typed: advice, paged: paged.advice), failure.exit)
  }

  /// A warning whose message says what happened and, after the first semicolon, what to do.
  static func warn(_ check: DoctorCheck, message: String) -> DoctorVerdict {
    let (words, advice) = halves(of: message)
    return DoctorVerdict(check, .warn, FaceWords(words), advice.map { FaceWords($0) }, .done)
  }

  /// What happened, and what to do about it: castq's messages have both, in this order, with a semicolon between.
  static func halves(of message: String) -> (words: String, advice: String?) {
    guard let range = message.firstRange(of: "; ") else { return (message, nil) }
    return (String(message[..<range.lowerBound]), String(message[range.upperBound...]))
  }
}

/// All verdicts of one run, in the order of `DoctorCheck`.
package struct DoctorReport: Sendable, Hashable {
  package let verdicts: [DoctorVerdict]

  package init(_ verdicts: [DoctorVerdict]) {
    self.verdicts = DoctorCheck.allCases.flatMap { check in verdicts.filter { $0.check == check } }
  }

  /// That of the first failure; `done` when nothing failed.
  package var exit: ExitStatus { verdicts.first { $0.grade == .fail }?.exit ?? .done }

  /// `[{"check", "verdict", "words", "advice"}]`; the advice is null when there is nothing to do.
  /// - Parameter isPaged: whether a page shows it, to people who type no commands.
  package func json(isPaged: Bool = false) -> JSONValue {
    func text(_ words: FaceWords?) -> JSONValue {
      JSONValue((isPaged ? words?.paged : words?.typed).map { TerminalText.sanitized($0) }) ?? .null
    }
    return .array(
      verdicts.map { verdict in
        [
          "check": .string(verdict.check.rawValue), "verdict": .string(verdict.grade.rawValue),
          "words": text(verdict.words), "advice": text(verdict.advice),
        ]
      })
  }
}
