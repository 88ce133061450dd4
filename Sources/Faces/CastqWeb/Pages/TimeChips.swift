import CastqOperations

/// Quick ranges of time, each a link.
struct TimeChips {
  let chosen: PaperRange?
  /// Where no range leads; nil where there is always one.
  var anyTime: String?
  /// Whether any time is what is chosen.
  var isAnyTime = false
  let address: (PaperRange) -> String

  private static let words: [(PaperRange, HTML)] = [
    (.today, "Today"), (.yesterday, "Yesterday"), (.thisWeek, "This week"), (.lastWeek, "Last week"),
    (.thisMonth, "This month"), (.lastMonth, "Last month"),
  ]

  var html: HTML {
    func chip(_ address: String, _ isChosen: Bool, _ words: HTML) -> HTML {
      .a([.href(address), .init("aria-current", isChosen ? "true" : nil)], words)
    }
    return .element(
      "nav", [.class("chips"), .label("Time")],
      (anyTime.map { [chip($0, isAnyTime, "Any time")] } ?? [])
        + Self.words.map { range, words in chip(address(range), range == chosen, words) })
  }
}
