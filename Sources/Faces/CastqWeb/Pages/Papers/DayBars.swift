import CastProtocol
import CastqText

/// A bar for each day of a paper, or for each month of a long one; a single day has none, for there is nothing to compare. They are drawn by
/// attributes: a page has no styles of its own.
struct DayBars {
  struct Bar {
    /// `2026-11-28`
    let day: String
    /// What the bar shows.
    let value: Double
    /// What it is measured by where that is another number, such as what was planned; nil for none.
    var outOf: Double?
    /// Whether screens were dark on that day.
    var isDark = false
  }

  let title: String
  let days: ClosedRange<LocalDate>
  let bars: [Bar]
  /// What a value is in words.
  let words: (Bar) -> String

  /// Days that are bars of their own; more are drawn by months.
  private static let mostDays = 92
  private static let (width, height, gap) = (1000, 96, 4)

  /// One bar for each day or month, with those that have nothing.
  private var all: [Bar] {
    let isLong = days.count > Self.mostDays
    var found: [String: Bar] = [:]
    for bar in bars {
      let label = isLong ? String(bar.day.prefix(7)) : bar.day
      let before = found[label]
      let outOf = bar.outOf.map { $0 + (before?.outOf ?? 0) }
      found[label] = Bar(
        day: label, value: bar.value + (before?.value ?? 0), outOf: outOf,
        isDark: bar.isDark || before?.isDark == true)
    }
    guard !isLong else { return found.values.sorted { $0.day < $1.day } }
    return days.map { found[$0.text] ?? Bar(day: $0.text, value: 0) }
  }

  var html: HTML {
    let all = all
    let most = all.map { max($0.value, $0.outOf ?? 0) }.max() ?? 0
    guard days.count > 1, most > 0 || all.contains(where: \.isDark) else { return .none }
    let step = Double(Self.width) / Double(max(all.count, 1))
    func height(_ value: Double) -> Int {
      guard most > 0, value > 0 else { return 0 }
      return max(Int(bounded: (value / most * Double(Self.height)).rounded()), 2)
    }
    func rectangle(_ index: Int, _ height: Int, _ name: String) -> HTML {
      let left = Int(bounded: (Double(index) * step).rounded())
      let width = max(Int(bounded: step.rounded(.down)) - (step > 12 ? Self.gap : 1), 1)
      return Self.rectangle(name, left, Self.height - height, width, height)
    }
    let drawn = all.enumerated().map { index, bar -> HTML in
      // A dark day without a play is seen, too.
      let tall = bar.isDark ? max(height(bar.value), 4) : height(bar.value)
      return .element(
        "g", [.init("data-day", bar.day), .init("data-dark", if: bar.isDark)],
        [
          .element("title", [], [HTML("\(PaperWords.bar(bar.day)): \(words(bar))")]),
          // Where the pointer rests to read of a day.
          rectangle(index, Self.height, "place"),
          bar.outOf.map { rectangle(index, height($0), "out-of") } ?? .none, rectangle(index, tall, "bar"),
        ])
    }
    return .element(
      "figure", [.class("bars")],
      [
        .element(
          "svg",
          [
            .init("viewBox", "0 0 \(Self.width) \(Self.height)"), .init("preserveAspectRatio", "none"),
            .init("role", "img"), .label(summary(all)),
          ], drawn),
        .element(
          "figcaption", [.class("faint")],
          [
            .span([], HTML(all.first.map { PaperWords.bar($0.day) } ?? "")),
            all.count > 1 ? .span([], HTML(all.last.map { PaperWords.bar($0.day) } ?? "")) : .none,
          ]),
      ])
  }

  private static func rectangle(_ name: String, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> HTML {
    .element(
      "rect",
      [
        .class(name), .init("x", "\(x)"), .init("y", "\(y)"), .init("width", "\(width)"),
        .init("height", "\(height)"),
      ], [])
  }

  /// What is told to whoever does not see it.
  private func summary(_ all: [Bar]) -> String {
    let best = all.max { $0.value < $1.value }
    let most = best.map { ": most on \(PaperWords.bar($0.day)), \(words($0))" } ?? ""
    let dark = all.filter(\.isDark).map { PaperWords.bar($0.day) }
    let listed =
      dark.prefix(5).joined(separator: ", ") + (dark.count > 5 ? " and \(dark.count - 5) more" : "")
    return "\(title)\(most)\(dark.isEmpty ? "" : "; screens were dark on \(listed)")"
  }
}
