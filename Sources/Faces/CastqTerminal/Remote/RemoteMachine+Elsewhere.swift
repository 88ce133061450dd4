import CastProtocol
import CastqFeeding

/// What leads to other screens, and what is seen beside the queue.
extension RemoteMachine {
  /// The devices to which what plays can be moved.
  var otherDevices: [RemoteDevice] { devices.filter { $0.id != device } }

  mutating func openTransfer(at now: Tick) {
    guard status?.media != nil else { return say("nothing is playing that could be moved", at: now) }
    guard !otherDevices.isEmpty else {
      return say("no other device is known; D looks for devices", at: now)
    }
    open(.transfer)
  }

  mutating func pressInTransfer(_ key: TerminalKey, at now: Tick) -> [RemoteAction] {
    let others = otherDevices
    if moveLine(key, count: others.count) { return [] }
    switch key.name {
    case .enter:
      guard others.indices.contains(line) else { return [] }
      let goal = others[line]
      open(.controller)
      return perform(.transfer(to: goal.id), .moved(to: goal.id), "moving to \(goal.name)", at: now)
    case .character("q"), .escape, .character("T"): back()
    default: break
    }
    return []
  }

  mutating func openStyles(at now: Tick) {
    guard status?.media != nil else { return say("nothing is playing that has subtitles", at: now) }
    open(.styles)
  }

  /// The list stays open: a size and colours are chosen one after the other.
  mutating func pressInStyles(_ key: TerminalKey, at now: Tick) -> [RemoteAction] {
    let styles = RemoteTextStyle.all
    if moveLine(key, count: styles.count) { return [] }
    switch key.name {
    case .enter, .character(" "):
      guard styles.indices.contains(line) else { return [] }
      return perform(.verb(.style(styles[line].style)), styles[line].name, at: now)
    case .character("q"), .escape, .character("y"): back()
    default: break
    }
    return []
  }

  /// The plan beside the queue, then the log, then nothing.
  mutating func turnAside(at now: Tick) -> [RemoteAction] {
    guard RemoteFrame.asideStart(columns, rows) != nil else {
      say("beside the queue is no room; P and L show the plan and the log", at: now)
      return []
    }
    aside = aside == nil ? .plan : aside == .plan ? .log : nil
    controlled?.asideLines = nil
    return asideReading
  }
}
