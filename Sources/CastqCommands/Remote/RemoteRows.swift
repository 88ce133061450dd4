import CastProtocol
import CastqCore
import CastqStore
import CastqTerminal

/// Reads the queue of a device for the remote, in parts: a list may have tens of thousands of entries, most writes change none of them,
/// and neither a key nor a status waits until all of them are read.
actor RemoteRows {
  /// The most entries that are read at a time.
  private static let partSize = 500

  private let workspace: Workspace
  private let device: DeviceID
  /// Receives the queue whenever it has changed.
  private let show: AsyncStream<Reading>.Continuation

  /// The queue as it was read.
  struct Reading: Sendable {
    /// Nil when it could not be read.
    var queue: RemoteQueue?
    /// The number of the person's own changes when reading began: what was read before a change must not undo it on the screen.
    var edition: Int
  }

  /// The rows by their entries, as they were read last.
  private var known: [EntryID: RemoteRow] = [:]
  /// Entries whose rows need not be read again.
  private var current: Set<EntryID> = []
  /// Entries of which more may become known while they are played: pages, and those whose length is unknown.
  private var incomplete: Set<EntryID> = []
  /// What was known of files at that time.
  private var probes: Int64?
  /// The version and the edition that were shown last; nil before the first.
  private var shown: (version: Int64, edition: Int)?

  init(_ workspace: Workspace, _ device: DeviceID, _ show: AsyncStream<Reading>.Continuation) {
    (self.workspace, self.device, self.show) = (workspace, device, show)
  }

  /// Reads what a person sees first: how many entries there are, and the rows around what plays.
  /// - Returns: nil when it could not be read.
  func readFirst() -> RemoteQueue? {
    guard device != DeviceID(0) else { return RemoteQueue() }
    do throws(Failure) {
      let (settings, order) = try readOrder()
      if let missing = missing(in: order) { try readPart(missing) }
      let isWhole = missing(in: order) == nil
      if isWhole { shown = (order.version, 0) }
      return queue(order, settings, isWhole: isWhole)
    } catch { return nil }
  }

  /// Reads what has changed and what was not read yet, and shows the queue if there is any of that.
  /// - Parameter edition: the number of the person's own changes until now.
  func read(_ edition: Int) {
    guard device != DeviceID(0) else { return }
    do throws(Failure) {
      var hasNews = false
      while true {
        let (settings, order) = try readOrder()
        if let missing = missing(in: order) {
          try readPart(missing)
          hasNews = true
          continue
        }
        if hasNews || order.version != shown?.version || edition != shown?.edition {
          shown = (order.version, edition)
          show.yield(Reading(queue: queue(order, settings, isWhole: true), edition: edition))
        }
        return
      }
    } catch {
      show.yield(Reading(queue: nil, edition: edition))
    }
  }

  private func readOrder() throws(Failure) -> (QueueSettings, QueueOrder) {
    let (part, probes) = try workspace.ask { (here) throws(StoreError) in
      (try here.queue.part(of: device, from: 0, count: 0), try ProbeStore(here.database).fingerprint())
    }
    if probes != self.probes {
      (self.probes, current) = (probes, [])
    }
    let changed = part.order.rows.filter { row in
      incomplete.contains(row.entry) && (row.state == .playing || known[row.entry]?.state != row.state)
    }
    // The length that a play has shown is that of other entries with its address, too.
    if changed.contains(where: { known[$0.entry]?.state != $0.state }) {
      current.subtract(incomplete)
    } else {
      current.subtract(changed.map(\.entry))
    }
    for row in changed { known[row.entry]?.state = row.state }
    return (part.settings, part.order)
  }

  /// Places of the list that must be read next, what plays first; nil when there are none.
  private func missing(in order: QueueOrder) -> Range<Int>? {
    let rows = order.rows
    guard let first = rows.firstIndex(where: { !current.contains($0.entry) }) else { return nil }
    var start = first
    if let playing = rows.firstIndex(where: { $0.state == .playing }), !current.contains(rows[playing].entry)
    {
      start = max(first, playing - Self.partSize / 2)
    }
    let end = min(start + Self.partSize, rows.count)
    let last = rows[start..<end].lastIndex { !current.contains($0.entry) } ?? start
    return start..<last + 1
  }

  private func readPart(_ places: Range<Int>) throws(Failure) {
    let (order, entries) = try workspace.ask { (here) throws(StoreError) in
      let part = try here.queue.part(of: device, from: places.lowerBound, count: places.count)
      return (part.order, try here.filled(part.entries ?? []))
    }
    // A damaged entry counts as read.
    for row in order.rows.dropFirst(places.lowerBound).prefix(places.count) {
      current.insert(row.entry)
      known[row.entry] = nil
    }
    for entry in entries {
      let row = RemoteRow(entry)
      known[entry.id] = row
      if row.length == nil || entry.draft.media.isPage {
        incomplete.insert(entry.id)
      } else {
        incomplete.remove(entry.id)
      }
    }
  }

  /// - Parameter isWhole: whether every row was read; those that were not have no title yet.
  private func queue(_ order: QueueOrder, _ settings: QueueSettings, isWhole: Bool) -> RemoteQueue {
    let rows = order.rows.compactMap { row -> RemoteRow? in
      guard var known = known[row.entry] else {
        return isWhole ? nil : RemoteRow(entry: row.entry.rawValue, title: "", state: row.state)
      }
      known.state = row.state
      return known
    }
    if isWhole, known.count > order.rows.count { forget(allBut: Set(order.rows.map(\.entry))) }
    return RemoteQueue(rows: rows, repeatMode: settings.repeatMode, isShuffled: settings.isShuffled)
  }

  private func forget(allBut present: Set<EntryID>) {
    known = known.filter { present.contains($0.key) }
    current.formIntersection(present)
    incomplete.formIntersection(present)
  }
}

extension RemoteRow {
  fileprivate init(_ entry: QueueEntry) {
    self.init(
      entry: entry.id.rawValue, title: entry.title, state: entry.state,
      length: entry.draft.playingTime()?.seconds)
  }
}
