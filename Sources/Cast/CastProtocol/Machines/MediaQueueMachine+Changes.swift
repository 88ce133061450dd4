/// The ids of the whole queue as reported by a receiver (protocol 7.7).
package struct MediaQueueIDs: Sendable, Hashable {
  /// In order.
  package var ids: [MediaQueueItemID]
  /// The sequence number of the newest change in them; nil when the receiver does not count.
  package var sequenceNumber: Int?

  package init(_ ids: [MediaQueueItemID], sequenceNumber: Int?) {
    self.ids = ids
    self.sequenceNumber = sequenceNumber
  }
}

// The ids, and their changes.

extension MediaQueueMachine {
  /// Handles a change of the receiver's queue, by any sender.
  mutating func take(_ change: MediaQueueChange) {
    window.noteChange()
    switch sync {
    case .detached, .vacant, .waiting, .cleared: break
    case .windowed(let isHopeless): if !isHopeless { distrust() }
    case .asking(let changes?) where changes.count < Self.changeLimit:
      sync = .asking(changes: changes + [change])
    case .asking: sync = .asking(changes: nil)
    case .synced(let known):
      guard let number = change.sequenceNumber, let known, follows(number, known) else { return distrust() }
      sync = .synced(number)
      switch apply(change) {
      case .edit(let edit): publish([edit])
      case .nothing: break
      case .misfit: distrust()
      }
    }
  }

  /// Handles the reply to the newest request for ids.
  mutating func takeIDs(_ result: Result<MediaQueueIDs, CastError>) {
    guard case .asking(let changes) = sync else { return }
    switch result {
    case .success(let answer): adopt(answer, changes)
    case .failure(let error): askingFailed(error)
    }
  }

  private mutating func adopt(_ answer: MediaQueueIDs, _ changes: [MediaQueueChange]?) {
    var seen: Set<MediaQueueItemID> = []
    let ids = answer.ids.filter { seen.insert($0).inserted }
    itemIDs = Array(ids.prefix(Self.limit))
    isCut = ids.count > Self.limit
    failures = 0
    var number = answer.sequenceNumber
    sync = .synced(number)
    window.settle()
    var isCertain = changes != nil
    for change in changes ?? [] where isCertain {
      guard let known = number, let next = change.sequenceNumber else {
        isCertain = false
        break
      }
      // The reply was sent after the change, and includes it.
      if next <= known { continue }
      isCertain = follows(next, known) && apply(change) != .misfit
      if isCertain { number = next }
    }
    sync = .synced(number)
    publish([.reloaded])
    if !isCertain { distrust() }
  }

  private mutating func askingFailed(_ error: CastError) {
    let isAboutSession = error.receiverReason == "INVALID_MEDIA_SESSION_ID"
    if error.code == .unsupportedFeature || (error.code == .invalidRequest && !isAboutSession) {
      sync = .windowed(isHopeless: true)
      return takeWindow()
    }
    // Common right after a load, and while the receiver is busy (protocol 7.7, 21.2).
    failures += 1
    sync = failures < 2 ? .waiting : .windowed(isHopeless: false)
    if failures >= 2 { takeWindow() }
  }

  /// The receiver does not support fetching ids: the window of its statuses must suffice.
  mutating func takeWindow() {
    var seen: Set<MediaQueueItemID> = []
    let items = window.items.prefix(Self.limit).filter { item in
      item.itemID.map { seen.insert($0).inserted } ?? false
    }
    let ids = items.compactMap(\.itemID)
    let previous = shown
    shown = Array(items)
    if ids != itemIDs {
      itemIDs = ids
      isCut = false
      publish([.reloaded])
    } else {
      let changed = shown.indices.filter { !previous.indices.contains($0) || shown[$0] != previous[$0] }
      if !changed.isEmpty { publish([.updated(changed)]) }
    }
  }

  /// Whether a change is the successor of the known state.
  private func follows(_ number: Int, _ known: Int) -> Bool {
    let (next, overflow) = known.addingReportingOverflow(1)
    return !overflow && number == next
  }

  /// The result of a change.
  private enum Applied: Equatable {
    case edit(MediaQueueEdit)
    case nothing
    /// It belongs to another queue than the known one.
    case misfit
  }

  /// Applies a change that is the successor of the known state.
  private mutating func apply(_ change: MediaQueueChange) -> Applied {
    switch change.kind {
    case .insert: insert(change.itemIDs, before: change.insertBefore)
    case .remove: remove(Set(change.itemIDs))
    case .itemsChange: drop(Set(change.itemIDs))
    case .update: reorder(change.itemIDs)
    case .noChange: .nothing
    case .unknown: .misfit
    }
  }

  private mutating func insert(_ new: [MediaQueueItemID], before follower: MediaQueueItemID?) -> Applied {
    guard !new.isEmpty, Set(new).count == new.count, Set(itemIDs).isDisjoint(with: new),
      itemIDs.count + new.count <= Self.limit
    else { return .misfit }
    var place = itemIDs.count
    if let follower {
      guard let index = itemIDs.firstIndex(of: follower) else { return .misfit }
      place = index
    }
    itemIDs.insert(contentsOf: new, at: place)
    return .edit(.inserted(place..<(place + new.count)))
  }

  private mutating func remove(_ gone: Set<MediaQueueItemID>) -> Applied {
    let indexes = itemIDs.indices.filter { gone.contains(itemIDs[$0]) }
    guard !gone.isEmpty, indexes.count == gone.count else { return .misfit }
    itemIDs.removeAll { gone.contains($0) }
    for id in gone { cache.drop(id) }
    forget(gone)
    return .edit(.removed(indexes))
  }

  private mutating func reorder(_ ids: [MediaQueueItemID]) -> Applied {
    guard ids.count == itemIDs.count, Set(ids) == Set(itemIDs) else { return .misfit }
    itemIDs = ids
    return .edit(.reordered)
  }

  /// Marks these items as outdated, including those being fetched.
  private mutating func drop(_ changed: Set<MediaQueueItemID>) -> Applied {
    for id in changed { cache.drop(id) }
    forget(changed)
    let indexes = itemIDs.indices.filter { changed.contains(itemIDs[$0]) }
    return indexes.isEmpty ? .nothing : .edit(.updated(indexes))
  }
}
