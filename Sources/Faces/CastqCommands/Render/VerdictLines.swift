import CastqFeeding
import CastqOutput
import CastqText

/// The lines of `castq doctor`: check, verdict, what was found and what to do. Long ones continue below themselves on a terminal.
struct VerdictLines {
  private let report: DoctorReport

  init(_ report: DoctorReport) { self.report = report }

  /// - Parameter terminal: nil breaks no line, and has no colours.
  func lines(on terminal: OutputTerminal?) -> [String] {
    let names = report.verdicts.map { $0.check.rawValue.replacing("_", with: " ") }
    let name = names.map(\.utf8.count).max() ?? 0
    let grade = report.verdicts.map(\.grade.rawValue.utf8.count).max() ?? 0
    let indent = name + grade + 4
    return zip(names, report.verdicts).flatMap { label, verdict -> [String] in
      let words = TerminalText.sanitized(
        verdict.advice.map { "\(verdict.words.typed); \($0.typed)" } ?? verdict.words.typed)
      let ink = terminal?.isColoured == true ? Ink(verdict.grade) : nil
      let word = verdict.grade.rawValue
      let head =
        label + Self.spaces(name - label.utf8.count + 2) + (ink?.on(word) ?? word)
        + Self.spaces(grade - word.utf8.count + 2)
      let parts =
        terminal.map { DisplayWidth.wrapped(words, columns: max($0.columns - indent, 20)) } ?? [words]
      return parts.enumerated().map { $0.offset == 0 ? head + $0.element : Self.spaces(indent) + $0.element }
    }
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}

extension Ink {
  /// The colour of a verdict.
  fileprivate init(_ grade: DoctorVerdict.Grade) {
    self =
      switch grade {
      case .ok: .good
      case .warn: .warning
      case .fail: .bad
      case .skipped: .faint
      }
  }
}
