package import CastqText

/// A plan as a row of blocks over its range, for a glance.
package struct PlanBar: Sendable, Hashable {
  /// A stretch of columns that show the same.
  package struct Run: Sendable, Hashable {
    package let text: String
    /// Nil where no rule is on.
    package let programme: String?
  }

  package private(set) var runs: [Run] = []

  /// Each column shows what is on in the middle of its time, or the announcement that is on at any time of it, since those are short.
  /// - Parameter columns: at least one, at most a thousand.
  package init(_ plan: DevicePlan, range: Range<WallTime>, columns: Int) {
    let columns = min(max(columns, 1), 1000)
    let start = range.lowerBound.milliseconds
    let length = range.upperBound.milliseconds - start
    var index = 0
    var open: (block: Character, programme: String?, count: Int)?
    for column in 0..<columns {
      let bounds = [column, column + 1].map { start + length / Int64(columns) * Int64($0) }
      let middle = bounds[0] + (bounds[1] - bounds[0]) / 2
      while index < plan.segments.count, plan.segments[index].end.milliseconds <= bounds[0] { index += 1 }
      let here = plan.segments[index...].prefix { $0.start.milliseconds < bounds[1] }
      let shown =
        here.first { $0.kind == .announcement }
        ?? here.first { $0.start.milliseconds <= middle && middle < $0.end.milliseconds }
      let isSilent = shown?.silence != nil
      let (block, programme) = (Self.block(shown?.shownKind), isSilent ? nil : shown?.programme)
      if let last = open, last.block == block, last.programme == programme {
        open?.count += 1
      } else {
        close(open)
        open = (block, programme, 1)
      }
    }
    close(open)
  }

  private mutating func close(_ run: (block: Character, programme: String?, count: Int)?) {
    guard let run else { return }
    runs.append(Run(text: String(repeating: run.block, count: run.count), programme: run.programme))
  }

  private static func block(_ kind: PlanSegment.Kind?) -> Character {
    switch kind {
    case .rule: "█"
    case .announcement: "▲"
    case .share: "▒"
    case .base: "░"
    case .dark, nil: "·"
    }
  }
}
