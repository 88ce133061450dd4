package import CastqText

/// A program that castq asks when it is installed.
package struct ProgramFinding: Sendable, Hashable {
  package enum Program: String, Sendable, Hashable, CaseIterable {
    case ffprobe, ffmpeg
    case ytDlp = "yt-dlp"

    var check: DoctorCheck {
      switch self {
      case .ffprobe: .ffprobe
      case .ffmpeg: .ffmpeg
      case .ytDlp: .ytDlp
      }
    }

    /// The argument that makes it print its version.
    package var versionArgument: String {
      switch self {
      case .ffprobe, .ffmpeg: "-version"
      case .ytDlp: "--version"
      }
    }
  }

  package enum Answer: Sendable, Hashable {
    case notFound
    /// The configuration or a variable switches it off.
    case switchedOff
    /// The configuration or a variable names what is no program; the words say it.
    case misnamed(String)
    /// The first line that it printed.
    case line(String)
    /// Why it printed none.
    case failed(String)
  }

  package var program: Program
  package var answer: Answer
  package var now: WallTime

  package init(_ program: Program, _ answer: Answer, now: WallTime) {
    self.program = program
    self.answer = answer
    self.now = now
  }

  /// Sites change their pages more often than that; days.
  private static let freshDays = 183
  /// An ffmpeg that is older lacks codecs of today; years.
  private static let freshYears = 8

  package var verdict: DoctorVerdict {
    switch answer {
    case .notFound: missing
    case .switchedOff: .skipped(program.check, "it is switched off")
    case .misnamed(let words):
      .warn(program.check, words, advice: "correct `programs` in the configuration, or the variable")
    case .failed(let words):
      .warn(
        program.check, "it does not run: \(TerminalText.excerpt(words, limit: 200))",
        advice: "install it again")
    case .line(let line): found(line)
    }
  }

  private var missing: DoctorVerdict {
    switch program {
    case .ffprobe:
      .warn(
        .ffprobe, "not found: lengths, codecs and covers of files are not known ahead",
        advice: "install ffmpeg, which has it")
    case .ffmpeg:
      .warn(.ffmpeg, "not found: what a device cannot play is not converted", advice: "install ffmpeg")
    case .ytDlp: .skipped(.ytDlp, "not found, and only pages of video sites need it")
    }
  }

  private func found(_ line: String) -> DoctorVerdict {
    let today = CivilTime(now, utcOffset: 0)
    switch program {
    case .ffprobe, .ffmpeg:
      guard let version = Self.ffmpeg(line) else { return strange(line) }
      let words = version.year.map { "\(version.number), of \($0)" } ?? version.number
      guard let year = version.year, today.year - year > Self.freshYears else {
        return .ok(program.check, words)
      }
      return .warn(program.check, words, advice: "install a newer one: codecs of today may be missing")
    case .ytDlp:
      guard let date = Self.date(line) else { return strange(line) }
      let days = today.daysSinceEpoch - date.daysSinceEpoch
      let words = String(line.prefix(10))
      guard days > Self.freshDays else { return .ok(.ytDlp, words) }
      return .warn(
        .ytDlp, "\(words) is \(days / 30) months old, which is the likely cause of pages that fail",
        advice: "update it: 'yt-dlp -U', or a newer package")
    }
  }

  private func strange(_ line: String) -> DoctorVerdict {
    .warn(
      program.check, "it does not say its version: \(TerminalText.excerpt(line))",
      advice: "check that it is the right program")
  }

  /// `ffmpeg version 5.1.6-0+deb12u1 Copyright (c) 2000-2024 the FFmpeg developers`; the last year is that of its making.
  static func ffmpeg(_ line: String) -> (number: String, year: Int?)? {
    let words = line.split(separator: " ")
    guard words.count > 2, words[1] == "version" else { return nil }
    let year = words.lazy.compactMap { word -> Int? in
      let last = word.split(separator: "-").last ?? word
      return last.utf8.count == 4 ? Int(last) : nil
    }.first { (2000...2100).contains($0) }
    return (TerminalText.excerpt(String(words[2]), limit: 40), year)
  }

  /// `2024.08.06`, with or without a time behind it.
  static func date(_ line: String) -> CivilTime? {
    let fields = line.split(separator: ".").prefix(3)
    guard fields.count == 3, let year = Int(fields[0]), (2000...2100).contains(year),
      fields.dropFirst().allSatisfy({ $0.utf8.count <= 2 }), let month = Int(fields[1]),
      let day = Int(fields[2])
    else { return nil }
    let date = CivilTime(year: year, month: month, day: day)
    return date.isValid ? date : nil
  }
}
