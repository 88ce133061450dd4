import CastProtocol
import CastqOperations
import CastqText

/// What the address of a paper asks for. An address that says nothing of it is the proof of this month.
struct PaperQuery: Sendable, Hashable {
  let paper: Paper
  /// The chosen range; nil for days of somebody's own.
  let range: PaperRange?
  let days: ClosedRange<LocalDate>
  /// A screen, or `@GROUP`; nil for all.
  let device: String?
  /// For whom it is printed; nil for nobody.
  let client: String?
  private let zone: String?

  /// - Parameter today: by the calendar of the page's zone.
  init(_ query: WebOptions, today: LocalDate) {
    func text(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
    func day(_ name: String) -> LocalDate? { text(name).flatMap { try? LocalDate($0) } }
    paper = text("paper").flatMap(Paper.init) ?? Self.formerly(text("kind"))
    let range = text("range").flatMap(PaperRange.init)
    let own = (first: day("from"), last: day("to"))
    if range == nil, let one = own.first ?? own.last {
      let other = own.last ?? max(one, today)
      days = min(one, other)...max(one, other)
      self.range = nil
    } else {
      self.range = range ?? .thisMonth
      days = (range ?? .thisMonth).days(today)
    }
    (device, client, zone) = (text("device"), text("client"), text("tz"))
  }

  /// Reports of former addresses are parts of papers.
  private static func formerly(_ kind: String?) -> Paper {
    switch kind {
    case "gaps", "outages": .air
    case "adherence", "share": .plan
    default: .proof
    }
  }

  /// What operations read: whole days.
  var options: WebOptions {
    let until = days.upperBound.advanced(by: 1)
    var values = [WebOptions.Value("since", days.lowerBound.text), .init("until", until.text)]
    if let device { values.append(.init("device", device)) }
    if let zone { values.append(.init("tz", zone)) }
    return WebOptions(values)
  }

  /// What an address has, so that a link leads to the same paper.
  var address: [WebOptions.Value] { address(fixed: false) }

  /// - Parameter fixed: whether the days stay those of today when tomorrow comes.
  func address(fixed: Bool) -> [WebOptions.Value] {
    var values = [WebOptions.Value("paper", paper.rawValue)]
    if let range, !fixed {
      values.append(.init("range", range.rawValue))
    } else {
      values += [.init("from", days.lowerBound.text), .init("to", days.upperBound.text)]
    }
    for (name, value) in [("device", device), ("client", client), ("tz", zone)] {
      if let value { values.append(.init(name, value)) }
    }
    return values
  }

  /// What a browser calls the file of it: `castq-proof-2026-11-01-2026-11-30`.
  var fileName: String {
    let last = days.count > 1 ? "-\(days.upperBound.text)" : ""
    return "castq-\(paper.rawValue)-\(days.lowerBound.text)\(last)"
  }
}

extension PageContext {
  /// By the calendar of the page's zone.
  var today: LocalDate { zone.localTime(at: now).date }

  /// What the address asks for, on a page of reports.
  var asked: PaperQuery { PaperQuery(query, today: today) }
}
