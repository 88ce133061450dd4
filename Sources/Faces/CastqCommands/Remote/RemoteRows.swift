import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqTerminal
import CastqText

/// Reads the queue of a device for the remote, in parts: a list may have tens of thousands of entries, most writes change none of them,
/// and neither a key nor a status waits until all of them are read.
actor RemoteRows {
  /// The most entries that are read at a time. A status asks a few questions of the same connection, and each waits for one part.
  private static let partSize = 200

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
      try recall(in: order)
      try readPart(missing(in: order))
      let isWhole = missing(in: order).isEmpty
      if isWhole { shown = (order.version, 0) }
      return queue(order, settings, isWhole: isWhole)
    } catch { return nil }
  }

  /// Reads what has changed and what was not read yet, and shows the queue if there is any of that.
  /// - Parameter edition: the number of the person's own changes until now.
  func read(_ edition: Int) {
    guard device != DeviceID(0) else { return }
    do throws(Failure) {
      var (settings, order) = try readOrder()
      try recall(in: order)
      var hasNews = false
      while true {
        let missing = missing(in: order)
        if !missing.isEmpty {
          try readPart(missing)
          (settings, order) = try readOrder()
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
    let part = try workspace.ask { (here) throws(StoreError) in
      try here.queue.part(of: device, from: 0, count: 0)
    }
    return (part.settings, part.order)
  }

  /// Has those entries read again of which more may have become known. Once a reading: what plays, or files that are being probed,
  /// would have it read without end.
  private func recall(in order: QueueOrder) throws(Failure) {
    let probes = try workspace.ask { (here) throws(StoreError) in
      try ProbeStore(here.database).fingerprint()
    }
    if probes != self.probes { (self.probes, current) = (probes, []) }
    let changed = order.rows.filter { row in
      let isOther = known[row.entry]?.state != row.state
      // Of one that is given up, history says why.
      return isOther && row.state == .failed
        || incomplete.contains(row.entry) && (row.state == .playing || isOther)
    }
    // The length that a play has shown is that of other entries with its address, too.
    if changed.contains(where: { known[$0.entry]?.state != $0.state }) {
      current.subtract(incomplete)
    } else {
      current.subtract(changed.map(\.entry))
    }
    for row in changed { known[row.entry]?.state = row.state }
  }

  /// Entries of the list that must be read next, those around what plays first; empty when there are none.
  private func missing(in order: QueueOrder) -> [EntryID] {
    let rows = order.rows
    guard var start = rows.firstIndex(where: { !current.contains($0.entry) }) else { return [] }
    if let playing = rows.firstIndex(where: { $0.state == .playing }), !current.contains(rows[playing].entry)
    {
      start = max(start, playing - Self.partSize / 2)
    }
    return rows[start...].prefix(Self.partSize).map(\.entry).filter { !current.contains($0) }
  }

  private func readPart(_ missing: [EntryID]) throws(Failure) {
    let entries = try workspace.ask { (here) throws(StoreError) in
      try here.filled(try here.queue.entries(missing))
    }
    // A damaged entry counts as read.
    for entry in missing {
      current.insert(entry)
      known[entry] = nil
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
      length: entry.draft.playingTime()?.seconds, problem: entry.failure?.words)
  }
}
