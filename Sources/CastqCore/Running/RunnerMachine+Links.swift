import CastProtocol

/// Has the pages of the list resolved in time.
extension RunnerMachine {
  /// Places with the links that are known.
  mutating func prepared(_ list: UpcomingList) -> UpcomingList {
    UpcomingList(links.prepare(list.places, held: feeder.heldEntries, at: moment.now), until: list.until)
  }

  /// A program has answered, or has failed.
  mutating func resolved(_ number: LinkNumber, _ result: Result<ResolvedLink, LinkFailure>) {
    guard let change = links.receive(result, of: number, at: moment.now) else { return }
    if let description = change.description {
      actions.append(.write(.describe(change.entry, description)))
    }
    feed(.linksChanged)
  }

  /// Begins the resolutions that are due, and sets the clock for the next ones.
  mutating func timeLinks() {
    for request in links.takeRequests() { actions.append(.resolve(request)) }
    guard linksDue != links.nextWork else { return }
    linksDue = links.nextWork
    guard let due = linksDue else { return actions.append(.cancelTimer(.links)) }
    actions.append(.startTimer(.links, after: max(due - moment.now, .zero)))
  }

  /// Has the reason of a failed play looked for. Of a page without a link the resolver has given it.
  mutating func explain(_ turn: EntryTurn) {
    guard links.isPage(turn.entry) else { return actions.append(.explain(turn, at: nil)) }
    guard let url = links.url(of: turn.entry) else { return }
    actions.append(.explain(turn, at: url))
    links.discard(turn.entry)
  }
}
