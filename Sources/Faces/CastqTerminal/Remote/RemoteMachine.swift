package import CastProtocol
import CastqFeeding

/// The rules of the full-screen remote: an event and the time go in, actions come out. It draws nothing; `RemoteFrame` shows its state.
package struct RemoteMachine: Sendable {
  /// What fills the screen.
  package enum View: Sendable, Hashable {
    case chooser
    case controller
    case tracks
    /// Where what plays can be moved to.
    case transfer
    /// How subtitles look.
    case styles
    case text(RemoteText)
  }

  /// A line in which something is typed.
  struct Prompt: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case find
      case add(isNext: Bool)
      case announce
    }

    var kind: Kind
    var text = ""
    /// The chosen suggestion; nil while the typed text counts.
    var choice: Int?
    /// What could be played from here, as far as it is known.
    var files: [String] = []
    /// The entry that was selected when finding began.
    var origin: Int64?
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

  // MARK: - The state

  var surface: Surface
  var choice: Choice
  /// Nil before a device is chosen.
  var controlled: Controlled?
  var place: Place
  var input = Input.place
  var note: Note?
  /// Whether the first-run explanation was seen.
  var isIntroduced: Bool
  var lastNumber = 0
  /// What stands beside the queue where there is room; nil is nothing.
  var aside: RemoteText? = .plan

  /// - Parameters:
  ///   - device: the device to begin with; nil begins with the chooser.
  ///   - isIntroduced: whether the first-run explanation was seen.
  ///   - hasArtwork: whether a program that draws pictures is there.
  package init(
    columns: Int, rows: Int, device: Int64?, devices: [RemoteDevice] = [], isIntroduced: Bool = true,
    hasArtwork: Bool = false, signs: RemoteGlyphs = .unicode
  ) {
    surface = Surface(columns: columns, rows: rows, signs: signs, hasArtwork: hasArtwork)
    choice = Choice(devices: devices)
    controlled = device.map(Controlled.init)
    self.isIntroduced = isIntroduced
    place = device == nil ? .chooser(line: 0) : .controller
  }

  /// What is to be done at the start.
  package func begin() -> [RemoteAction] {
    if let device { return [.follow(device)] + asideReading + [.draw] }
    return [.search, .draw]
  }

  /// Reads what stands beside the queue, where there is room for it.
  var asideReading: [RemoteAction] {
    guard let aside, RemoteFrame.asideStart(columns, rows) != nil, device != nil else { return [] }
    return [.readAside(aside)]
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
    case .resized(let columns, let rows):
      (surface.columns, surface.rows) = (columns, rows)
      if controlled?.asideLines == nil { return asideReading + [.draw] }
    case .woken: break
    case .devices(let found, let isSearching, let problem): show(found, isSearching, problem)
    case .status(let id, let status):
      guard id == device else { return [] }
      return receive(status) + [.draw]
    case .queue(let id, let queue):
      guard id == device else { return [] }
      receive(queue)
      return readAsideAgain() + [.draw]
    case .aside(device, aside, let lines): controlled?.asideLines = Array(lines.prefix(Self.lineLimit))
    case .aside: break
    case .text(let text, let lines): receive(lines, of: text)
    case .files(let names):
      guard case .prompt(var prompt) = input else { break }
      prompt.files = Array(names.prefix(Self.fileLimit))
      input = .prompt(prompt)
    case .finished(let number): return finish(number, at: now) + [.draw]
    case .failed(let number, let words): fail(number, words)
    case .note(let words): say(words, at: now)
    case .artwork(let address, let cells):
      // One that comes late is of what played before.
      if controlled?.picture.address == address { controlled?.picture = .drawn(address, cells) }
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
      waits.append(.bounded(seconds: left / max(media.speed, 0.25)) + .milliseconds(5))
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
    choice = Choice(
      devices: found, search: isSearching ? .underWay : problem.map { .ended(problem: $0) } ?? .none)
    if view == .chooser { line = found.firstIndex { $0.id == chosen } ?? min(line, max(found.count - 1, 0)) }
  }

  private mutating func receive(_ status: RemoteStatus) -> [RemoteAction] {
    self.status = status
    if status.media != nil || status.connection == .connected {
      controlled?.lastTitle = status.media?.title
    }
    return fetchArtwork(of: status) + readAsideAgain()
  }

  /// Reads what stands beside the queue when something else plays, or more has been played.
  private mutating func readAsideAgain() -> [RemoteAction] {
    let cause = Controlled.AsideCause(
      playing: queueRows.first { $0.state == .playing }?.entry,
      ended: queueRows.reduce(0) { $0 + ($1.state.isEnded ? 1 : 0) }, title: status?.media?.title)
    guard controlled?.asideCause != cause else { return [] }
    defer { controlled?.asideCause = cause }
    return controlled?.asideCause == nil ? [] : asideReading
  }

  private mutating func fetchArtwork(of status: RemoteStatus) -> [RemoteAction] {
    guard surface.hasArtwork, let image = status.media?.image, image != controlled?.picture.address,
      let size = RemoteFrame.artworkSize(columns, rows)
    else { return [] }
    controlled?.picture = .fetching(image)
    return [.fetchArtwork(image, columns: size.columns, rows: size.rows)]
  }

  /// A text that is not on the screen any more is read again when it is.
  private mutating func receive(_ lines: [String], of text: RemoteText) {
    guard case .text(text, _, let first) = place else { return }
    place = .text(text, lines: Array(lines.prefix(Self.lineLimit)), first: first)
  }

  private mutating func receive(_ queue: RemoteQueue) {
    let isFirst = self.queue == nil
    self.queue = queue
    if isFirst, let playing = queue.rows.first(where: { $0.state == .playing }) { selected = playing.entry }
    keepSelection()
  }

  mutating func say(_ words: String, at now: Tick) {
    note = Note(text: words, isError: false, until: now + Self.noteTime)
  }

  // MARK: - Views

  mutating func open(_ view: View) {
    place =
      switch view {
      case .chooser: .chooser(line: 0)
      case .controller: .controller
      case .tracks: .tracks(line: 0)
      case .transfer: .transfer(line: 0)
      case .styles: .styles(line: 0)
      case .text(let text): .text(text, lines: nil, first: 0)
      }
  }

  /// The device's name; empty before one is chosen.
  var deviceName: String { devices.first { $0.id == device }?.name ?? "" }

  /// The device that is controlled from now on.
  mutating func choose(_ id: Int64) -> [RemoteAction] {
    open(.controller)
    guard id != device else { return [.stopSearching] }
    controlled = Controlled(id)
    note = nil
    return [.stopSearching, .follow(id)] + asideReading
  }
}
