import CastProtocol

extension RemoteMachine {
  /// What the remote is drawn on.
  struct Surface: Sendable {
    var columns: Int
    var rows: Int
    let signs: RemoteGlyphs
    /// Whether pictures can be drawn.
    let hasArtwork: Bool
  }

  /// The devices that can be chosen, and the search for them.
  struct Choice: Sendable {
    enum Search: Sendable, Hashable {
      /// None is under way, and none has ended in vain.
      case none
      case underWay
      /// Why there may be devices that were not found.
      case ended(problem: String)
    }

    var devices: [RemoteDevice]
    var search = Search.none
  }

  /// The device that is controlled, with all that is known of it and under way for it: another device begins with nothing of it.
  struct Controlled: Sendable {
    let id: Int64
    /// Nil before the first status.
    var status: RemoteStatus?
    /// Nil before it was read.
    var queue: RemoteQueue?
    /// The selected row of the queue, by its entry, and where it was when it is gone.
    var selected: Int64?
    var selectedIndex = 0
    var picture = Picture.none
    var wishes: [RemoteWish] = []
    /// How the last changes of the queue are undone, the newest last.
    var undo: [RemoteUndo] = []
    /// What was on the screen when the device was heard last; nil for nothing.
    var lastTitle: String?
    /// The lines beside the queue; nil until they are read.
    var asideLines: [String]?
    /// What those lines depend on, as it was when they were asked for.
    var asideCause: AsideCause?

    init(_ id: Int64) { self.id = id }

    /// With another one of these there is more to read beside the queue.
    struct AsideCause: Hashable {
      /// The entry that plays; nil for none.
      var playing: Int64?
      /// How many entries have been played.
      var ended: Int
      /// What is on the screen, whoever plays it.
      var title: String?
    }
  }

  /// The picture of what plays, by its address.
  enum Picture: Sendable {
    case none
    case fetching(String)
    case drawn(String, [[Screen.Cell]])

    var address: String? {
      switch self {
      case .none: nil
      case .fetching(let address), .drawn(let address, _): address
      }
    }
  }

  /// What fills the screen, with what belongs to it alone.
  enum Place: Sendable {
    /// With the selected line.
    case chooser(line: Int)
    case controller
    case tracks(line: Int)
    /// The devices to which what plays can be moved.
    case transfer(line: Int)
    case styles(line: Int)
    /// With its lines, nil until they are read, and the first one that is shown.
    case text(RemoteText, lines: [String]?, first: Int)
  }

  /// What the next key is for.
  enum Input: Sendable {
    /// What fills the screen.
    case place
    case prompt(Prompt)
    case question(Question)
  }
}

// MARK: - Parts of the state by their names

extension RemoteMachine {
  /// What fills the screen.
  package var view: View {
    switch place {
    case .chooser: .chooser
    case .controller: .controller
    case .tracks: .tracks
    case .transfer: .transfer
    case .styles: .styles
    case .text(let text, _, _): .text(text)
    }
  }

  /// The device that is controlled; nil before one is chosen.
  // The optimiser of Swift 6.3.1 ends with an error of its own where it puts this into a comparison.
  @inline(never) package var device: Int64? { controlled?.id }

  var devices: [RemoteDevice] { choice.devices }
  var isSearching: Bool { choice.search == .underWay }
  var searchProblem: String? { if case .ended(let problem) = choice.search { problem } else { nil } }

  var columns: Int { surface.columns }
  var rows: Int { surface.rows }
  var signs: RemoteGlyphs { surface.signs }

  var status: RemoteStatus? {
    get { controlled?.status }
    set { controlled?.status = newValue }
  }
  var queue: RemoteQueue? {
    get { controlled?.queue }
    set { controlled?.queue = newValue }
  }
  var selected: Int64? {
    get { controlled?.selected }
    set { controlled?.selected = newValue }
  }
  var selectedIndex: Int {
    get { controlled?.selectedIndex ?? 0 }
    set { controlled?.selectedIndex = newValue }
  }
  var wishes: [RemoteWish] {
    get { controlled?.wishes ?? [] }
    set { controlled?.wishes = newValue }
  }
  var undo: [RemoteUndo] {
    get { controlled?.undo ?? [] }
    set { controlled?.undo = newValue }
  }

  /// The picture that can be drawn; nil while there is none.
  var artwork: (address: String, cells: [[Screen.Cell]])? {
    guard case .drawn(let address, let cells)? = controlled?.picture else { return nil }
    return (address, cells)
  }

  /// The selected line of a list, or the first one of a text; 0 elsewhere.
  var line: Int {
    get {
      switch place {
      case .chooser(let line), .tracks(let line), .transfer(let line), .styles(let line): line
      case .text(_, _, let first): first
      case .controller: 0
      }
    }
    set {
      switch place {
      case .chooser: place = .chooser(line: newValue)
      case .tracks: place = .tracks(line: newValue)
      case .transfer: place = .transfer(line: newValue)
      case .styles: place = .styles(line: newValue)
      case .text(let text, let lines, _): place = .text(text, lines: lines, first: newValue)
      case .controller: break
      }
    }
  }

  /// The lines of the text that fills the screen; nil until they are read.
  var textLines: [String]? { if case .text(_, let lines, _) = place { lines } else { nil } }

  var prompt: Prompt? { if case .prompt(let prompt) = input { prompt } else { nil } }
  var question: Question? { if case .question(let question) = input { question } else { nil } }
}
