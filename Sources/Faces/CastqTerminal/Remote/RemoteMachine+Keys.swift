import CastProtocol
import CastqFeeding

extension RemoteMachine {
  /// What a key does, by what is open: a question, a line in which something is typed, or a view.
  mutating func press(_ key: TerminalKey, at now: Tick) -> [RemoteAction] {
    if note?.isError == true { note = nil }
    if key.hasControl, case .character(let letter) = key.name {
      switch letter {
      case "c": return [.quit]
      case "z": return [.suspend]
      case "l": return []
      default: break
      }
    }
    var actions: [RemoteAction] = []
    if !isIntroduced {
      isIntroduced = true
      actions.append(.rememberIntroduction)
    }
    if let question { return actions + answer(question, key, at: now) }
    if prompt != nil { return actions + type(key, at: now) }
    switch view {
    case .chooser: return actions + pressInChooser(key, at: now)
    case .controller: return actions + pressInController(key, at: now)
    case .tracks: return actions + pressInTracks(key, at: now)
    case .transfer: return actions + pressInTransfer(key, at: now)
    case .styles: return actions + pressInStyles(key, at: now)
    case .text: return actions + pressInText(key)
    }
  }

  private mutating func answer(_ question: Question, _ key: TerminalKey, at now: Tick) -> [RemoteAction] {
    input = .place
    note = nil
    guard key.name == .character("y") || key.name == .enter else { return [] }
    switch question {
    case .stopCasting: return perform(.verb(.stop(quits: true)), "stopping", at: now)
    case .clear: return clear(at: now)
    }
  }

  // MARK: - Chooser

  private mutating func pressInChooser(_ key: TerminalKey, at now: Tick) -> [RemoteAction] {
    if moveLine(key, count: devices.count) { return [] }
    switch key.name {
    case .enter:
      guard devices.indices.contains(line) else { return [] }
      return choose(devices[line].id)
    case .character("q"), .escape, .character("D"):
      guard device != nil else { return key.name == .character("D") ? [] : [.quit] }
      open(.controller)
      return [.stopSearching]
    case .character("?"):
      open(.text(.help))
      return []
    case .character(let digit):
      guard let number = digit.wholeNumberValue, devices.indices.contains(number - 1) else { return [] }
      return choose(devices[number - 1].id)
    default: return []
    }
  }

  // MARK: - Texts and tracks

  private mutating func pressInText(_ key: TerminalKey) -> [RemoteAction] {
    guard case .text(let text) = view else { return [] }
    let count = (text == .help ? RemoteKeys.lines : textLines ?? []).count
    let page = max(RemoteFrame.textRows(rows), 1)
    let last = max(count - page, 0)
    switch key.name {
    case .down, .character("j"), .enter: line = min(line + 1, last)
    case .up, .character("k"): line = max(line - 1, 0)
    case .pageDown, .character(" "): line = min(line + page, last)
    case .pageUp: line = max(line - page, 0)
    case .home, .character("g"): line = 0
    case .end, .character("G"): line = last
    case .character("q"), .escape, .character("?"), .character("P"), .character("w"), .character("L"): back()
    default: break
    }
    return []
  }

  mutating func back() { open(device == nil ? .chooser : .controller) }

  private mutating func pressInTracks(_ key: TerminalKey, at now: Tick) -> [RemoteAction] {
    let choices = trackChoices
    if moveLine(key, count: choices.count) { return [] }
    switch key.name {
    case .enter, .character(" "):
      guard choices.indices.contains(line) else { return [] }
      open(.controller)
      guard let track = choices[line] else {
        return perform(.verb(.tracks(TrackChoice(hidesText: true))), "no subtitles", at: now)
      }
      return perform(.verb(.tracks(TrackChoice(on: [track.id]))), track.label, at: now)
    case .character("q"), .escape, .character("t"): back()
    default: break
    }
    return []
  }

  /// The tracks a person can choose, audio first; nil is no text.
  var trackChoices: [RemoteMedia.Track?] {
    let tracks = status?.media?.tracks ?? []
    let text = tracks.filter { $0.kind == .text }
    return tracks.filter { $0.kind == .audio }.map { $0 } + (text.isEmpty ? [] : [nil]) + text.map { $0 }
  }

  /// Moves the selected line of a list; false for other keys.
  mutating func moveLine(_ key: TerminalKey, count: Int) -> Bool {
    let last = max(count - 1, 0)
    switch key.name {
    case .down, .character("j"): line = min(line + 1, last)
    case .up, .character("k"): line = max(line - 1, 0)
    case .home, .character("g"): line = 0
    case .end, .character("G"): line = last
    default: return false
    }
    return true
  }

  // MARK: - Controller

  private mutating func pressInController(_ key: TerminalKey, at now: Tick) -> [RemoteAction] {
    switch key.name {
    case .left: return skip(-10, at: now)
    case .right: return skip(10, at: now)
    case .up: moveSelection(-1)
    case .down: moveSelection(1)
    case .pageUp: moveSelection(-max(RemoteFrame.queueRows(self), 1))
    case .pageDown: moveSelection(max(RemoteFrame.queueRows(self), 1))
    case .home: moveSelection(-RemoteMachine.far)
    case .end: moveSelection(RemoteMachine.far)
    case .enter: return startSelected(at: now)
    case .delete: return removeSelected(at: now)
    case .escape: note = nil
    case .character(let letter): return pressLetter(letter, key, at: now)
    case .tab, .backspace, .insert, .function: break
    }
    return []
  }

  /// Farther than any queue is long.
  static let far = 1 << 30

  private mutating func pressLetter(_ letter: Character, _ key: TerminalKey, at now: Tick) -> [RemoteAction] {
    switch letter {
    case " ": return toggle(at: now)
    case "n": return perform(.verb(.next), "next", at: now)
    case "p": return perform(.verb(.previous), "previous", at: now)
    case "[": return changeRate(-1, at: now)
    case "]": return changeRate(1, at: now)
    case "=": return setRate(1, at: now)
    case "-", "_": return changeVolume(-5, at: now)
    case "+": return changeVolume(5, at: now)
    case "m": return toggleMute(at: now)
    case "s": return perform(.verb(.stop(quits: false)), "stopping", at: now)
    case "S":
      input = .question(.stopCasting)
      note = Note(text: "Stop casting to \(deviceName)? y/n", isError: false, until: nil)
    case "x": return skipAd(at: now)
    case "j": moveSelection(1)
    case "k": moveSelection(-1)
    case "g": moveSelection(-RemoteMachine.far)
    case "G": moveSelection(RemoteMachine.far)
    case "J": return moveEntry(1, at: now)
    case "K": return moveEntry(-1, at: now)
    case ".": selectCurrent()
    case "d": return removeSelected(at: now)
    case "c": askToClear()
    case "u": return undoLast(at: now)
    case "r": return cycleRepeat(at: now)
    case "z": return toggleShuffle(at: now)
    case "/": input = .prompt(Prompt(kind: .find, origin: selected))
    case "!":
      input = .prompt(Prompt(kind: .announce))
      return [.listFiles]
    case "T": openTransfer(at: now)
    case "y": openStyles(at: now)
    case "v": return turnAside(at: now)
    case "a", "A":
      input = .prompt(Prompt(kind: .add(isNext: letter == "A")))
      return [.listFiles]
    case "t": return openTracks(at: now)
    case "D":
      open(.chooser)
      line = devices.firstIndex { $0.id == device } ?? 0
      return [.search]
    case "P": return read(.plan)
    case "w": return read(.why)
    case "L": return read(.log)
    case "?": open(.text(.help))
    case "q": return [.quit]
    default: break
    }
    return []
  }

  private mutating func openTracks(at now: Tick) -> [RemoteAction] {
    guard !trackChoices.isEmpty else {
      say("there are no audio or text tracks to choose from", at: now)
      return []
    }
    open(.tracks)
    line = trackChoices.firstIndex { $0?.isActive == true } ?? 0
    return []
  }

  private mutating func read(_ text: RemoteText) -> [RemoteAction] {
    open(.text(text))
    return [.read(text)]
  }
}
