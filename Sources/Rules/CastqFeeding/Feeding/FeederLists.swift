package import CastProtocol
package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// A list to play, and how it begins.
package struct ListChoice: Sendable, Hashable {
  /// The name of the programme; nil is the base, which people fill.
  package var programme: String?
  /// How it continues; nil begins it.
  package var resume: ResumeMode?
  /// Whether it ends after its last entry; else it restarts. The base has its own repeat mode.
  package var isOnce: Bool
  /// Whether it is for a rule that starts at moments of its own. Such a rule has places of its own in its programmes: it may interrupt
  /// what plays the same.
  package var isForStarts: Bool

  package init(programme: String?, resume: ResumeMode?, isOnce: Bool = false, isForStarts: Bool = false) {
    self.programme = programme
    self.resume = resume
    self.isOnce = isOnce
    self.isForStarts = isForStarts
  }

  /// Whether it is the same list, wherever it begins.
  package func isSameList(as other: ListChoice) -> Bool {
    programme == other.programme && isForStarts == other.isForStarts
  }

  /// Whether it begins: the base goes on unless it is to restart, and a programme begins unless it is to go on.
  package var begins: Bool { resume == .restart || resume == nil && programme != nil }

  /// That list, in the queue that it is in.
  package func list(in queue: QueueID) -> ChosenList {
    let isAtCut = resume == .second || resume == nil && programme == nil
    return ChosenList(queue: queue, start: isAtCut ? .atCut(nil) : .asWritten)
  }

  package static let base = ListChoice(programme: nil, resume: .second)
}

/// A list that was chosen, and is ready to be read.
package struct ChosenList: Sendable, Hashable {
  package let queue: QueueID
  /// How it continues.
  package internal(set) var start: Start
  /// Whether its fallback list is read while nothing of it is due: that of a programme, unless it is shown once.
  package internal(set) var hasStandIns = false

  package enum Start: Sendable, Hashable {
    /// Its entries begin as they are written.
    case asWritten
    /// It continues where its newest play was cut. What is on the screen may still have to be, so the rows are asked at each reading;
    /// nil when they had no cut.
    case atCut(ResumePoint?)
  }

  package init(queue: QueueID, start: Start = .asWritten) {
    self.queue = queue
    self.start = start
  }

  var isAtCut: Bool { if case .atCut = start { true } else { false } }

  /// Its places, with the position at which one of them continues.
  func continued(_ places: [UpcomingEntry]) -> [UpcomingEntry] {
    guard case .atCut(let resume?) = start, let index = places.firstIndex(where: { $0.entry == resume.entry })
    else { return places }
    var places = places
    places[index].draft.startTime = resume.position
    places[index].isContinued = true
    return places
  }
}

/// What is known of a list that was to be chosen.
package enum ListAnswer: Sendable, Hashable {
  case list(ChosenList)
  /// It cannot be played, and why.
  case nothing(String)

  fileprivate func read(as choice: ListChoice) -> ListAnswer {
    guard case .list(var list) = self else { return self }
    list.hasStandIns = choice.programme != nil && !choice.isOnce
    return .list(list)
  }
}

/// The lists that a feeder reads: what is on the air, and what follows when that is over.
///
/// The two are read as one list. So the receiver has what follows before it is due, and nothing is dark in between.
package struct FeederLists: Sendable, Hashable {
  package internal(set) var now: ChosenList
  /// Nil when nothing follows.
  package internal(set) var next: ChosenList?
  /// Whether no other entry of the present list begins.
  package internal(set) var isClosed = false

  init(now: ChosenList) { self.now = now }

  /// A play has started: where its list was cut does not count any more.
  mutating func started(_ entry: EntryID) {
    if case .atCut(let resume?) = now.start, resume.entry == entry { now.start = .asWritten }
  }
}

/// Choosing lists.
extension FeederRows {
  /// Reads this list from now on.
  package mutating func play(
    _ choice: ListChoice, at now: Tick, wall: WallTime
  ) throws(Store.Failure) -> Result<QueueID, Failure> {
    switch try answer(choice, at: now, wall: wall) {
    case .list(let list):
      lists = FeederLists(now: list)
      try copyLists(at: now)
      return .success(list.queue)
    case .nothing(let words): return .failure(Failure("programme", words, exit: .inputMissing))
    }
  }

  /// Reads another list behind the present one; nil reads none.
  /// - Parameter isClosed: whether no other entry of the present list begins.
  /// - Returns: that list; nil when it has nothing.
  package mutating func follow(
    _ choice: ListChoice?, isClosed: Bool, at now: Tick, wall: WallTime
  ) throws(Store.Failure) -> QueueID? {
    lists.isClosed = isClosed
    lists.next = nil
    guard let choice else { return nil }
    if case .list(let list) = try answer(choice, at: now, wall: wall) { lists.next = list }
    return lists.next?.queue
  }

  /// What follows has begun.
  package mutating func promote(at now: Tick) throws(Store.Failure) {
    guard let next = lists.next else { return }
    lists = FeederLists(now: next)
    try copyLists(at: now)
  }

  /// Copies the list at once: a database that fails before the next read must not end it. During an outage the database may still be
  /// readable; where it is not, what was known stays.
  private mutating func copyLists(at now: Tick) throws(Store.Failure) {
    forget()
    if let copies = try working(at: now, { rows throws(Store.Failure) in try rows.copies() }) {
      return remember(copies, at: now)
    }
    do throws(Store.Failure) {
      remember(try copies(), at: now)
      replayPending()
    } catch {}
  }

  /// How long the next items of these programmes are; none during an outage.
  package mutating func lengths(
    of programmes: [RuleID: String], at now: Tick, wall: WallTime
  ) throws(Store.Failure) -> [RuleID: Int64] {
    try working(at: now) { rows throws(Store.Failure) in try rows.store.lengths(of: programmes, at: wall) }
      ?? [:]
  }

  /// The list with the position at which it continues now.
  mutating func withCut(_ list: ChosenList, at now: Tick) throws(Store.Failure) -> ChosenList {
    guard list.isAtCut else { return list }
    var list = list
    let cut = try working(at: now) { rows throws(Store.Failure) in try rows.store.cut(of: list.queue) }
    if let cut {
      list.start = .atCut(cut)
    } else if let known = knownCut(of: list.queue) {
      list.start = .atCut(known)
    }
    return list
  }

  private mutating func answer(
    _ choice: ListChoice, at now: Tick, wall: WallTime
  ) throws(Store.Failure) -> ListAnswer {
    let chosen = try working(at: now) { rows throws(Store.Failure) in
      try rows.store.choose(choice, at: wall)
    }
    if let chosen { return chosen.read(as: choice) }
    // A full disk can be read, and what a choice writes waits like everything else.
    do throws(Store.Failure) {
      let answer = try store.find(choice)
      if case .list(let list) = answer { queue(.choose(choice, list.queue, at: wall)) }
      return answer.read(as: choice)
    } catch {
      return .nothing("the database cannot be read")
    }
  }
}
