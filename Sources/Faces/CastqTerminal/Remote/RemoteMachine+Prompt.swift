import CastProtocol

extension RemoteMachine {
  /// Characters that one line takes; a source is rarely longer.
  static let promptLimit = 4096

  mutating func type(_ key: TerminalKey, at now: Tick) -> [RemoteAction] {
    guard var line = prompt else { return [] }
    let suggestions = self.suggestions
    switch key.name {
    case .escape:
      input = .place
      if let origin = line.origin, let index = queueRows.firstIndex(where: { $0.entry == origin }) {
        select(index)
      }
      return []
    case .enter: return submit(line, suggestions, at: now)
    case .backspace:
      if line.text.isEmpty {
        input = .place
        return []
      }
      line.text.removeLast()
      line.choice = nil
    case .down where line.kind == .find: moveMatch(1)
    case .up where line.kind == .find: moveMatch(-1)
    case .down, .tab:
      if !suggestions.isEmpty { line.choice = min((line.choice ?? -1) + 1, suggestions.count - 1) }
    case .up: line.choice = line.choice.flatMap { $0 > 0 ? $0 - 1 : nil }
    case .character(let character):
      guard !key.hasAlt else { return [] }
      if key.hasControl {
        if character == "u" { line.text = "" }
      } else if line.text.count < Self.promptLimit {
        line.text.append(character)
      }
      line.choice = nil
    case .left, .right, .home, .end, .pageUp, .pageDown, .delete, .insert, .function: return []
    }
    input = .prompt(line)
    if case .find = line.kind, key.name != .up, key.name != .down { find(line.text, from: selectedIndex) }
    return []
  }

  /// The rows whose titles have what is typed, while something is being found; nil shows all.
  var matches: [Int]? {
    guard let prompt, prompt.kind == .find, !prompt.text.isEmpty else { return nil }
    let wanted = prompt.text.lowercased()
    return queueRows.indices.filter { queueRows[$0].title.lowercased().contains(wanted) }
  }

  private mutating func moveMatch(_ step: Int) {
    guard let matches else { return moveSelection(step) }
    let next =
      step > 0 ? matches.first { $0 > selectedIndex } : matches.last { $0 < selectedIndex }
    if let next { select(next) }
  }

  /// What could be meant: the playable files here whose names have what was typed.
  var suggestions: [String] {
    guard let prompt, prompt.kind != .find else { return [] }
    let typed = prompt.text.lowercased()
    return typed.isEmpty ? prompt.files : prompt.files.filter { $0.lowercased().contains(typed) }
  }

  private mutating func submit(_ line: Prompt, _ suggestions: [String], at now: Tick) -> [RemoteAction] {
    input = .place
    switch line.kind {
    case .find:
      find(line.text, from: selectedIndex)
      return []
    case .add, .announce:
      var source = line.text
      if let choice = line.choice, suggestions.indices.contains(choice) {
        source = suggestions[choice]
      } else if source.isEmpty {
        // Enter alone takes what stands first.
        guard let first = suggestions.first else { return [] }
        source = first
      }
      guard case .add(let isNext) = line.kind else {
        return perform(.announce(source), "announcing \(source)", at: now)
      }
      return perform(.add(source, isNext: isNext), "adding \(source)", at: now)
    }
  }

  mutating func paste(_ text: String) -> [RemoteAction] {
    let first = text.split(separator: "\n").first.map(String.init) ?? ""
    guard !first.isEmpty else { return [] }
    if var line = prompt {
      line.text += String(first.prefix(max(Self.promptLimit - line.text.count, 0)))
      line.choice = nil
      input = .prompt(line)
      return []
    }
    guard view == .controller, question == nil else { return [] }
    input = .prompt(Prompt(kind: .add(isNext: false), text: String(first.prefix(Self.promptLimit))))
    return [.listFiles]
  }

  mutating func click(_ mouse: TerminalMouse, at now: Tick) -> [RemoteAction] {
    switch mouse.act {
    case .wheelUp: return press(TerminalKey(.up), at: now)
    case .wheelDown: return press(TerminalKey(.down), at: now)
    case .release, .drag: return []
    case .press: break
    }
    guard let touch = RemoteFrame(self, at: now).touch(row: mouse.row, column: mouse.column) else {
      return []
    }
    switch touch {
    case .key(let name): return press(TerminalKey(name), at: now)
    case .seek(let fraction): return seek(toFraction: fraction, at: now)
    case .volume(let level): return setVolume(level, at: now)
    case .row(let index):
      // The second press plays it.
      if index == selectedIndex { return startSelected(at: now) }
      select(index)
    case .line(let index):
      line = index
      return press(TerminalKey(.enter), at: now)
    case .suggestion(let index):
      guard case .prompt(var prompt) = input else { return [] }
      prompt.choice = index
      input = .prompt(prompt)
      return press(TerminalKey(.enter), at: now)
    }
    return []
  }
}
