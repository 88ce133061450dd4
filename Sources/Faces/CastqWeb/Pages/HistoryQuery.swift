import CastqOperations
import CastqText

/// Which plays the address of the history asks for. One that says nothing asks for the newest.
struct HistoryQuery {
  /// The chosen range; nil for another time.
  let range: PaperRange?
  /// The days of the range, or somebody's own; nil for no end on that side.
  let first, last: LocalDate?
  /// A screen, or `@GROUP`; nil for all.
  let device: String?
  let outcome: String?
  /// Words of the title.
  let words: String?
  private let query: WebOptions

  /// - Parameter today: by the calendar of the page's zone.
  init(_ query: WebOptions, today: LocalDate) {
    func text(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
    func day(_ name: String) -> LocalDate? { text(name).flatMap { try? LocalDate($0) } }
    self.query = query
    range = text("range").flatMap(PaperRange.init)
    let days = range?.days(today)
    let (from, to) = (days?.lowerBound ?? day("from"), days?.upperBound ?? day("to"))
    if let from, let to, to < from { (first, last) = (to, from) } else { (first, last) = (from, to) }
    (device, outcome, words) = (text("device"), text("outcome"), text("q"))
  }

  /// What operations read. `since` and `until` are those of former addresses, in the words of the command line.
  var options: WebOptions {
    func given(_ names: String...) -> [WebOptions.Value] {
      query.values.filter { names.contains($0.name) && !$0.value.isEmpty }
    }
    var values = given("device", "outcome", "tz", "limit")
    if let since = first?.text {
      values.append(.init("since", since))
    } else if !hasDays {
      values += given("since")
    }
    if let until = last?.advanced(by: 1).text {
      values.append(.init("until", until))
    } else if !hasDays {
      values += given("until")
    }
    // Words are looked for in what is read.
    if query["limit"] == nil { values.append(.init("limit", words == nil ? "200" : "5000")) }
    return WebOptions(values)
  }

  private var hasDays: Bool { first != nil || last != nil }

  /// What of the time of a former address still holds, for whoever changes another filter.
  var former: [WebOptions.Value] {
    hasDays ? [] : query.values.filter { ["since", "until"].contains($0.name) && !$0.value.isEmpty }
  }

  /// The address with another range; nil is any time.
  func address(_ range: PaperRange?) -> String {
    let others = query.values.filter {
      !["range", "from", "to", "since", "until", "notice"].contains($0.name) && !$0.value.isEmpty
    }
    return PageAddress.text("/history", others + (range.map { [.init("range", $0.rawValue)] } ?? []))
  }
}
