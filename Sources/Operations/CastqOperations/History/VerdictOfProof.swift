package import CastProtocol
package import CastqFeeding
import CastqText

/// What `report verify` prints.
package struct VerdictOfProof {
  private let verdict: ProofVerdict
  private let file: String

  package init(_ verdict: ProofVerdict, file: String) {
    self.verdict = verdict
    self.file = file
  }

  /// A line for each finding; when there is none, one that says what is proved. Warnings follow.
  package func lines(isQuiet: Bool) -> [String] {
    var lines = verdict.findings.map { TerminalText.sanitized($0.text) }
    if verdict.findingCount > lines.count { lines.append("\(verdict.findingCount - lines.count) more") }
    if verdict.outcome == .true, let header = verdict.header {
      let all = verdict.plays == 1 ? "1 play" : "\(verdict.plays) plays"
      let plays = verdict.shown == verdict.plays ? all : "\(all), \(verdict.shown) of them shown,"
      lines.append(
        TerminalText.sanitized(
          "true: \(plays) at \(header.site)"
            + "\(header.since.map { " since \($0)" } ?? "")\(header.until.map { " until \($0)" } ?? "")"))
    }
    guard !isQuiet else { return lines }
    return lines + excessLines + clockLines
  }

  /// `warning: line 7: play 12 "Film" on lobby says 10:00 shown in 0:03`.
  private var excessLines: [String] {
    let lines = verdict.excess.map { "warning: " + TerminalText.sanitized($0.text) }
    let more = verdict.excessCount - lines.count
    return more > 0 ? lines + ["warning: \(more) more plays say more than a clock can hold"] : lines
  }

  /// One line, however many plays: `warning: the clock of the computer was not synchronised for 12 plays (lines 2-9, 14-17)`.
  private var clockLines: [String] {
    guard verdict.clockCount > 0 else { return [] }
    let most = 20
    let places = verdict.clocks.prefix(most).compactMap(\.lines).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }
    let more = verdict.clocks.count > most ? " and further ones" : ""
    let plays = verdict.clockCount == 1 ? "1 play: line" : "\(verdict.clockCount) plays: lines"
    return [
      "warning: the clock of the computer was not known to be synchronised for \(plays) \(places.joined(separator: ", "))\(more)"
    ]
  }

  package var summary: String {
    verdict.findingCount == 1
      ? "\(file) was altered, at 1 place" : "\(file) was altered, at \(verdict.findingCount) places"
  }

  package var document: JSONValue {
    [
      "verdict": .string(verdict.outcome.rawValue), "file": .string(file),
      "site": JSONOutput.text(verdict.header?.site), "since": JSONOutput.text(verdict.header?.since),
      "until": JSONOutput.text(verdict.header?.until),
      "public_key": JSONOutput.text(verdict.header?.publicKey), "plays": .integer(Int64(verdict.plays)),
      "shown": .integer(Int64(verdict.shown)),
      "finding_count": .integer(Int64(verdict.findingCount)),
      "findings": .array(verdict.findings.map { Self.finding($0, $0.kind.rawValue) }),
      "clock_count": .integer(Int64(verdict.clockCount)),
      "clocks": .array(verdict.clocks.map { Self.finding($0, "clock") }),
      "excess_count": .integer(Int64(verdict.excessCount)),
      "excess": .array(verdict.excess.map { Self.finding($0, "excess") }),
    ]
  }

  package var documents: [JSONValue] {
    verdict.findings.map { Self.finding($0, $0.kind.rawValue) }
      + verdict.clocks.map { Self.finding($0, "clock") }
      + verdict.excess.map { Self.finding($0, "excess") }
      + [["verdict": .string(verdict.outcome.rawValue), "plays": .integer(Int64(verdict.plays))]]
  }

  private static func finding(_ finding: ProofFinding, _ kind: String) -> JSONValue {
    [
      "kind": .string(kind), "line": JSONOutput.number(finding.line),
      "first": finding.chain.map { .integer($0.lowerBound) } ?? .null,
      "last": finding.chain.map { .integer($0.upperBound) } ?? .null,
      "message": .string(finding.text),
    ]
  }
}
