import CastSender
package import CastqCore
import CastqStore

/// What people ask of a feeder while it feeds.
extension QueueRunner {
  /// Does what was asked and says what came of it; safe from anywhere, also when the run is over.
  package nonisolated func control(_ command: ControlCommand) async -> ControlReply {
    await withCheckedContinuation { control(command, for: ControlTicket($0)) }
  }

  /// The same for somebody who waits elsewhere.
  nonisolated func control(_ command: ControlCommand, for ticket: ControlTicket) {
    send.yield(.control(command, ticket))
  }

  func control(_ command: ControlCommand, _ ticket: ControlTicket, in group: inout DiscardingTaskGroup) {
    do throws(ControlFailure) {
      switch command {
      case .next: try skip(ticket, in: &group)
      case .previous: try goBack(ticket, in: &group)
      case .play(let entry?): try play(entry, ticket, in: &group)
      case .stop(let quits): halt(quits: quits, ticket, in: &group)
      case .poke:
        feed(.rowsChanged, in: &group)
        ticket.answer(.done)
      case .outlook: ticket.answer(.done(outlook.json))
      case .feed: throw ControlFailure("bug", "a feeder feeds already", exit: .bug)
      case .restart(let waits): try startOver(waits: waits, ticket, in: &group)
      case .play, .pause, .toggle, .seek, .setRate, .tracks, .chooseTracks, .setTextStyle, .skipAd:
        guard application == .media else {
          throw ControlFailure(
            "web_page", "a web page is on the screen: it can be passed over or stopped, nothing else",
            exit: .refused)
        }
        fallthrough
      case .volume, .setVolume, .setMuted, .send:
        guard let session else { throw away }
        group.addTask {
          ticket.answer(await SessionControl(session.session).reply(to: command))
        }
      }
    } catch {
      ticket.answer(.failed(error))
    }
  }

  /// What the list waits for.
  private var outlook: Outlook {
    if wait != nil { return Outlook(.notBefore, until: announced) }
    guard failures > 0, !isConnected, let since = goneSince else { return Outlook() }
    let away = (time.now() - since).seconds
    let now = WallTime(milliseconds: time.wallMilliseconds())
    return Outlook(.device, since: now.adding(seconds: -away), calls: failures)
  }

  /// The ticket of the command that is being carried out; nil when somebody else has it, or nobody asked.
  func takeTicket() -> ControlTicket? {
    defer { ticket = nil }
    return ticket
  }

  private var away: ControlFailure {
    ControlFailure(
      "device_away", "\(device.label) went away and is being called again; try again when it is back",
      exit: .unreachable)
  }

  private func skip(_ ticket: ControlTicket, in group: inout DiscardingTaskGroup) throws(ControlFailure) {
    guard feeder.currentEntry != nil else { throw session == nil ? away : .nothingPlays }
    feed(.skip, for: ticket, in: &group)
    // Between two entries there is nothing to pass over.
    takeTicket()?.answer(.failed(.nothingPlays))
  }

  private func goBack(_ ticket: ControlTicket, in group: inout DiscardingTaskGroup) throws(ControlFailure) {
    guard let current = feeder.currentEntry else { throw session == nil ? away : .nothingPlays }
    let before = try ask { () throws(StoreError) in try queueStore.entry(before: current, on: device.id) }
    report(.sentTo(before ?? current))
    try expect(before ?? current, ticket)
    restart(from: before ?? current, in: &group)
  }

  private func play(
    _ entry: EntryID, _ ticket: ControlTicket, in group: inout DiscardingTaskGroup
  ) throws(ControlFailure) {
    guard try ask({ () throws(StoreError) in try queueStore.contains(entry, on: device.id) }) else {
      throw ControlFailure(
        "entry_unknown", "\(StoreError.unknownEntry("\(entry.rawValue)"))", exit: .badData)
    }
    report(.sentTo(entry))
    try expect(entry, ticket)
    restart(from: entry, in: &group)
  }

  /// The queue was replaced: whoever waited for the one before is told so.
  private func startOver(
    waits: Bool, _ ticket: ControlTicket, in group: inout DiscardingTaskGroup
  ) throws(ControlFailure) {
    let wall = WallTime(milliseconds: time.wallMilliseconds())
    let first = try ask { () throws(StoreError) in
      try queueStore.upcoming(for: device.id, limit: 1, besides: nil, at: wall, looping: rows.isLooping)
        .first?.entry
    }
    // What is being stopped does not begin again: whoever asked starts anew.
    if isHalting { throw Self.ending }
    failFirstPlays(.replaced)
    for waiting in listTickets { waiting.answer(.failed(.replaced)) }
    listTickets = []
    report(.replaced)
    // Without an entry that is due, the run says what is to be said: no entry has this number.
    if waits { listTickets.append(ticket) } else { try expect(first ?? EntryID(0), ticket) }
    restart(from: nil, in: &group)
  }

  private static let ending = ControlFailure(
    ControlFailure.feederGone, "the feeder is being stopped; try again", exit: .tryAgain)

  /// Somebody waits for what becomes of this entry from now on.
  private func expect(_ entry: EntryID, _ ticket: ControlTicket) throws(ControlFailure) {
    // The entry that is on the screen, or is being loaded, has to come anew.
    let turn =
      feeder.currentEntry == entry
      ? try ask { () throws(StoreError) in try queueStore.entry(entry)?.turn ?? 0 } + 1 : 0
    let play = FirstPlay(of: entry, from: turn, isConnected: isConnected)
    firstPlays.append((ticket, play))
  }

  /// Whoever asked waits for the first play, and hears of the receiver's answers before it only when one is a refusal.
  private func restart(from entry: EntryID?, in group: inout DiscardingTaskGroup) {
    feed(.restart(from: entry), in: &group)
  }

  private func halt(quits: Bool, _ ticket: ControlTicket, in group: inout DiscardingTaskGroup) {
    isHalting = true
    if quits {
      endAction = .stopApplication
      if session == nil { quitFailure = away }
    }
    haltTickets.append(ticket)
    feed(.halt, in: &group)
  }

  private func ask<Value>(_ body: () throws(StoreError) -> Value) throws(ControlFailure) -> Value {
    do throws(StoreError) { return try body() } catch {
      throw ControlFailure(error)
    }
  }

  func failFirstPlays(_ failure: ControlFailure) {
    for waiting in firstPlays { waiting.ticket.answer(.failed(failure)) }
    firstPlays = []
  }

  /// Answers everybody who still waits, now that all is over and tidied up.
  func answerLast() {
    guard let outcome else { return }
    for waiting in firstPlays { waiting.ticket.answer(waiting.play.answer(outcome)) }
    for ticket in haltTickets { ticket.answer(quitFailure.map { .failed($0) } ?? .done) }
    for ticket in listTickets { ticket.answer(outcome.failure.map { .failed($0) } ?? .done) }
    firstPlays = []
    haltTickets = []
    listTickets = []
  }
}
