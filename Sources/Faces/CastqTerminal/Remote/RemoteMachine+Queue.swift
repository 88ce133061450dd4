import CastProtocol
import CastqFeeding
import CastqPlaylists

extension RemoteMachine {
  var queueRows: [RemoteRow] { queue?.rows ?? [] }

  /// The selected entry is found again after a change; where it is gone, its neighbour is selected.
  mutating func keepSelection() {
    let rows = queueRows
    if let selected, let index = rows.firstIndex(where: { $0.entry == selected }) {
      selectedIndex = index
    } else {
      selectedIndex = min(max(selectedIndex, 0), max(rows.count - 1, 0))
      selected = rows.isEmpty ? nil : rows[selectedIndex].entry
    }
  }

  mutating func moveSelection(_ step: Int) {
    let rows = queueRows
    guard !rows.isEmpty else { return }
    select(min(max(selectedIndex + step, 0), rows.count - 1))
  }

  mutating func select(_ index: Int) {
    guard queueRows.indices.contains(index) else { return }
    selectedIndex = index
    selected = queueRows[index].entry
  }

  mutating func selectCurrent() {
    let current = status?.media?.entry
    if let index = queueRows.firstIndex(where: { $0.entry == current || $0.state == .playing }) {
      select(index)
    }
  }

  /// Whether a person has gone to another entry than the one that plays.
  var isSelecting: Bool {
    selectedRow.map { $0.entry != status?.media?.entry && $0.state != .playing } ?? false
  }

  var selectedRow: RemoteRow? {
    queueRows.indices.contains(selectedIndex) ? queueRows[selectedIndex] : nil
  }

  mutating func startSelected(at now: Tick) -> [RemoteAction] {
    guard let row = selectedRow else {
      // Nothing is queued: the way to something that plays is one key long.
      input = .prompt(Prompt(kind: .add(isNext: false)))
      return [.listFiles]
    }
    return perform(.start(row.entry), "starting \(row.title)", at: now)
  }

  mutating func moveEntry(_ step: Int, at now: Tick) -> [RemoteAction] {
    guard let row = selectedRow, queueRows.indices.contains(selectedIndex + step) else { return [] }
    let (old, new) = (selectedIndex, selectedIndex + step)
    queue?.rows.swapAt(old, new)
    select(new)
    say("\(row.title), moved to \(new + 1) of \(queueRows.count)", at: now)
    return edit(
      .move(row.entry, to: new + 1),
      undo: RemoteUndo(edit: .move(row.entry, to: old + 1), words: "\(row.title) is back at \(old + 1)"),
      at: now)
  }

  mutating func removeSelected(at now: Tick) -> [RemoteAction] {
    guard let row = selectedRow else { return [] }
    let order = queueRows.map(\.entry)
    let index = selectedIndex
    queue?.rows.remove(at: index)
    selected = nil
    keepSelection()
    say("\(row.title) is removed; u brings it back", at: now)
    return edit(
      .remove(row.entry),
      undo: RemoteUndo(edit: .restore([row.entry], asIn: order), words: "\(row.title) is back"), at: now)
  }

  mutating func askToClear() {
    guard !queueRows.isEmpty else { return }
    input = .question(.clear)
    note = Note(text: "Remove all \(queueRows.count) entries? y/n", isError: false, until: nil)
  }

  mutating func clear(at now: Tick) -> [RemoteAction] {
    let removed = queueRows.map(\.entry)
    queue?.rows = []
    keepSelection()
    say("the queue is empty; u brings \(removed.count == 1 ? "it" : "all \(removed.count)") back", at: now)
    return edit(
      .clear, undo: RemoteUndo(edit: .restore(removed, asIn: removed), words: "the queue is back"), at: now)
  }

  mutating func undoLast(at now: Tick) -> [RemoteAction] {
    guard let last = undo.popLast() else {
      say("nothing to undo", at: now)
      return []
    }
    say(last.words, at: now)
    if case .restore(let removed, asIn: _) = last.edit { selected = removed.first }
    return edit(last.edit, undo: nil, at: now)
  }

  mutating func cycleRepeat(at now: Tick) -> [RemoteAction] {
    guard let mode = queue?.repeatMode else { return [] }
    let next: QueueRepeat =
      switch mode {
      case .off: .all
      case .all: .one
      case .one: .off
      }
    queue?.repeatMode = next
    say("repeat \(next.rawValue)", at: now)
    return edit(
      .setRepeat(next), undo: RemoteUndo(edit: .setRepeat(mode), words: "repeat \(mode.rawValue)"), at: now)
  }

  mutating func toggleShuffle(at now: Tick) -> [RemoteAction] {
    guard let isShuffled = queue?.isShuffled else { return [] }
    queue?.isShuffled = !isShuffled
    say(isShuffled ? "in the order of the list" : "shuffled", at: now)
    return edit(.setShuffle(!isShuffled), undo: nil, at: now)
  }

  /// Selects the next row whose title has the text, from a row on and around.
  mutating func find(_ text: String, from start: Int) {
    let wanted = text.lowercased()
    let rows = queueRows
    guard !wanted.isEmpty, !rows.isEmpty else { return }
    for offset in rows.indices {
      let index = (start + offset) % rows.count
      if rows[index].title.lowercased().contains(wanted) { return select(index) }
    }
  }
}
