package import CastProtocol
import CastqCore

/// The rules of the full-screen remote: an event and the time go in, actions come out. It draws nothing; `RemoteFrame` shows its state.
package struct RemoteMachine: Sendable {
  /// What fills the screen.
  package enum View: Sendable, Hashable {
    case chooser
    case controller
    case tracks
    case text(RemoteText)
  }

  /// A line in which something is typed.
  struct Prompt: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case find
      case add(isNext: Bool)
    }

    var kind: Kind
    var text = ""
    /// The chosen suggestion; nil while the typed text counts.
    var choice: Int?
  }

  /// A question that the next key answers.
  enum Question: Sendable, Hashable {
    case stopCasting
    case clear
  }

  struct Note: Sendable, Hashable {
    var text: String
    var isError: Bool
    /// Nil stays until a key is pressed.
    var until: Tick?
  }

  // MARK: - What is shown

  package private(set) var view: View
  var columns: Int
  var rows: Int
  var devices: [RemoteDevice] = []
  var isSearching = false
  var searchProblem: String?
  /// The device that is controlled; nil before one is chosen.
  package internal(set) var device: Int64?
  /// Nil before the first status.
  var status: RemoteStatus?
  var queue: RemoteQueue?
  /// The selected row of the queue, by its entry, and where it was when it is gone.
  var selected: Int64?
  var selectedIndex = 0
  /// The selected line of the chooser, the tracks, or the first one of a text.
  var line = 0
  var texts: [RemoteText: [String]] = [:]
  var prompt: Prompt?
  var question: Question?
  var files: [String] = []
  var note: Note?
  var isIntroduced: Bool
  var artwork: (address: String, cells: [[Screen.Cell]])?
  var wantedArtwork: String?
  var signs: RemoteGlyphs
  /// Whether pictures can be drawn.
  var hasArtwork: Bool

  // MARK: - What is under way

  var wishes: [RemoteWish] = []
  var undo: [RemoteUndo] = []
  var lastNumber = 0

  /// - Parameters:
  ///   - device: the device to begin with; nil begins with the chooser.
  ///   - isIntroduced: whether the first-run explanation was seen.
  ///   - hasArtwork: whether a program that draws pictures is there.
  package init(
    columns: Int, rows: Int, device: Int64?, devices: [RemoteDevice] = [], isIntroduced: Bool = true,
    hasArtwork: Bool = false, signs: RemoteGlyphs = .unicode
  ) {
    self.columns = columns
    self.rows = rows
    self.device = device
    self.devices = devices
    self.isIntroduced = isIntroduced
    self.hasArtwork = hasArtwork
    self.signs = signs
    view = device == nil ? .chooser : .controller
  }

  /// What is to be done at the start.
  package func begin() -> [RemoteAction] {
    if let device { return [.follow(device), .draw] }
    return [.search, .draw]
  }

  /// The screen at a moment.
  package func screen(at now: Tick) -> Screen { RemoteFrame(self, at: now).screen }

  /// The one door.
  package mutating func handle(_ event: RemoteEvent, at now: Tick) -> [RemoteAction] {
    expire(at: now)
    switch event {
    case .terminal(.key(let key)): return press(key, at: now) + [.draw]
    case .terminal(.mouse(let mouse)): return click(mouse, at: now) + [.draw]
    case .terminal(.paste(let text)): return paste(text) + [.draw]
    case .terminal(.mode(2026, let state)): return state == 1 || state == 2 ? [.synchronise] : []
    case .terminal(.mode): return []
    case .resized(let columns, let rows): (self.columns, self.rows) = (columns, rows)
    case .woken: break
    case .devices(let found, let isSearching, let problem): show(found, isSearching, problem)
    case .status(let id, let status):
      guard id == device else { return [] }
      return receive(status) + [.draw]
    case .queue(let id, let queue):
      guard id == device else { return [] }
      receive(queue)
    case .text(let text, let lines): texts[text] = Array(lines.prefix(Self.lineLimit))
    case .files(let names): files = Array(names.prefix(Self.fileLimit))
    case .finished(let number): finish(number, at: now)
    case .failed(let number, let words): fail(number, words)
    case .note(let words): say(words, at: now)
    case .artwork(let address, let cells): artwork = (address, cells)
    }
    return [.draw]
  }

  /// When the screen changes by itself; nil when it does not.
  package func nextChange(after now: Tick) -> Duration? {
    var waits: [Duration] = []
    if let until = note?.until { waits.append(until - now) }
    for wish in wishes where now - wish.at < RemoteWish.optimism {
      waits.append(RemoteWish.optimism - (now - wish.at))
    }
    if status?.connection == .connecting || (device != nil && status == nil)
      || isSearching && view == .chooser
    {
      waits.append(.milliseconds(250))
    }
    if view == .controller, let media = status?.media, media.isMoving || media.ad?.skippableIn != nil {
      // Just after the next whole second of its position.
      let position = media.position(at: now) ?? 0
      let left = 1 - (position - position.rounded(.down))
      waits.append(.bounded(seconds: left / max(media.rate, 0.25)) + .milliseconds(5))
    }
    return waits.min().map { max($0, .milliseconds(20)) }
  }

  static let lineLimit = 2000
  static let fileLimit = 500
  static let noteTime = Duration.seconds(6)

  // MARK: - Facts

  private mutating func expire(at now: Tick) {
    if let until = note?.until, until <= now { note = nil }
    wishes.removeAll { $0.isDone && now - $0.at >= RemoteWish.optimism }
  }

  private mutating func show(_ found: [RemoteDevice], _ isSearching: Bool, _ problem: String?) {
    let chosen = view == .chooser && devices.indices.contains(line) ? devices[line].id : device
    devices = found
    self.isSearching = isSearching
    searchProblem = problem
    if view == .chooser { line = found.firstIndex { $0.id == chosen } ?? min(line, max(found.count - 1, 0)) }
  }

  private mutating func receive(_ status: RemoteStatus) -> [RemoteAction] {
    self.status = status
    guard hasArtwork, let image = status.media?.image, image != wantedArtwork,
      let size = RemoteFrame.artworkSize(columns, rows)
    else { return [] }
    wantedArtwork = image
    return [.fetchArtwork(image, columns: size.columns, rows: size.rows)]
  }

  private mutating func receive(_ queue: RemoteQueue) {
    let isFirst = self.queue == nil
    self.queue = queue
    if isFirst, let playing = queue.rows.first(where: { $0.state == .playing }) { selected = playing.entry }
    keepSelection()
  }

  mutating func say(_ words: String, isError: Bool = false, at now: Tick) {
    note = Note(text: words, isError: isError, until: isError ? nil : now + Self.noteTime)
  }

  // MARK: - Views

  mutating func open(_ view: View) {
    self.view = view
    line = 0
  }

  /// The device's name; empty before one is chosen.
  var deviceName: String { devices.first { $0.id == device }?.name ?? "" }

  /// The device that is controlled from now on.
  mutating func choose(_ id: Int64) -> [RemoteAction] {
    open(.controller)
    guard id != device else { return [.stopSearching] }
    device = id
    (status, queue, selected, selectedIndex) = (nil, nil, nil, 0)
    (wishes, undo, texts, note) = ([], [], [:], nil)
    (artwork, wantedArtwork) = (nil, nil)
    return [.stopSearching, .follow(id)]
  }
}
