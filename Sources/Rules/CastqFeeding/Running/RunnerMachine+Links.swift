import CastProtocol
import CastqPlaylists

/// What entries wait for before they can be sent.
struct EntryWaits: Sendable {
  /// What is behind the pages of the list.
  var links: EntryLinks
  /// When the clock of the links runs out; nil while it does not run.
  var linksDue: Tick?
  var files = RefusedFiles()
}

/// Has the pages of the list resolved in time, and what the device refused read.
extension RunnerMachine {
  /// Places with the links that are known.
  mutating func prepared(_ list: UpcomingList) -> UpcomingList {
    let (places, unread) = waits.files.prepare(
      waits.links.prepare(list.places, held: feeder.heldEntries, at: moment.now))
    for file in unread { actions.append(.readFile(file.path, file.turn)) }
    return UpcomingList(places, until: list.until)
  }

  /// A file is known now, or never will be.
  mutating func fileRead(_ turn: EntryTurn) {
    // The rows are read again: what the file is sent as depends on what it is made of.
    if waits.files.answer(turn) { lookAgain() }
  }

  /// A program has answered, or has failed.
  mutating func resolved(_ number: LinkNumber, _ result: Result<ResolvedLink, LinkFailure>) {
    guard let change = waits.links.receive(result, of: number, at: moment.now) else { return }
    if let description = change.description {
      actions.append(.write(.describe(change.entry, description)))
    }
    feed(.linksChanged)
  }

  /// Begins the resolutions that are due, and sets the clock for the next ones.
  mutating func timeLinks() {
    for request in waits.links.takeRequests() { actions.append(.resolve(request)) }
    guard waits.linksDue != waits.links.nextWork else { return }
    waits.linksDue = waits.links.nextWork
    guard let due = waits.linksDue else { return actions.append(.cancelTimer(.links)) }
    actions.append(.startTimer(.links, after: max(due - moment.now, .zero)))
  }

  /// Has the reason of a failed play looked for. Of a page without a link the resolver has given it.
  mutating func explain(_ turn: EntryTurn) {
    guard waits.links.isPage(turn.entry) else { return actions.append(.explain(turn, at: nil)) }
    guard let url = waits.links.url(of: turn.entry) else { return }
    actions.append(.explain(turn, at: url))
    waits.links.discard(turn.entry)
  }
}
