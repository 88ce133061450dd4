import CastProtocol

/// Why something is on the screen: each candidate with one reason.
struct WhyList {
  let context: PageContext
  let document: JSONValue

  var html: HTML {
    let candidates = document["candidates"]?.array ?? []
    let winner = document["winner"]
    let screen = document["change"]?.string ?? document["screen"]?["words"]?.string
    return [
      .h2(
        [], "Why ", .foreign(winner.map(PlanList.what) ?? "nothing"), " on ",
        .foreign(context.name(of: document["device"]?.string)), ", ", context.time(document["at"]?.string)),
      screen.map { .p([.part("screen")], .foreign($0)) } ?? .none,
      document["stopped_at"]?.string.map {
        .p([], "Stopped by castq since ", context.time($0), "; Play starts it.")
      } ?? .none,
      winner?["cause"]?.string == "quiet_hours"
        ? .p([], "The configuration has quiet hours; what is due plays afterwards.") : .none,
      candidates.isEmpty
        ? winner?["cause"]?.string != nil || screen != nil
          ? .none : .p([.class("faint")], "No rule stands for this moment: the queue of the screen plays.")
        : .element("ul", [.class("candidates")], candidates.prefix(200).map(candidate)),
    ]
  }

  private func candidate(_ candidate: JSONValue) -> HTML {
    let outcome = candidate["outcome"]?.string ?? ""
    return .element(
      "li", [.init("data-outcome", outcome)],
      [
        .element("strong", [], [.foreign(candidate["rule"]?.string ?? "")]), " ",
        .span([.class("tag")], HTML(outcome)), " ", .foreign(candidate["reason"]?.string ?? ""),
      ])
  }
}
