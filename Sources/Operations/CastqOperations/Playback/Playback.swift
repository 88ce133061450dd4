package import CastProtocol
import CastqDaemon
package import CastqFeeding
package import CastqStore
package import CastqText

/// What a verb says when it is done.
package struct PlaybackReply {
  package let device: KnownDevice
  /// What the device told: its volume, or the tracks of its media; nil for verbs that tell nothing.
  package var told: (name: String, value: JSONValue)?
  /// What plays on though its queue was emptied.
  package var plays: String?

  package init(device: KnownDevice, told: (name: String, value: JSONValue)? = nil, plays: String? = nil) {
    self.device = device
    self.told = told
    self.plays = plays
  }

  /// The document, empty for verbs that tell nothing.
  package var json: JSONValue {
    guard let told else { return [:] }
    return .object(["device": .string(device.label), told.name: told.value])
  }
}

/// Playback: one function for every face.
extension LiveControl {
  @discardableResult
  package func perform(_ verb: PlaybackVerb) async throws(Failure) -> PlaybackReply {
    var reply = PlaybackReply(device: device)
    if verb.reach == .rows { try workspace.requireQueue(of: device) }
    switch verb {
    case .play(let entry): try await playNamed(entry.map(EntryArgument.entry))
    case .toggle: try await toggle()
    case .stop(let quits): try await stop(quits: quits)
    case .volume: reply.told = try await told("volume", .perform(verb))
    case .tracks: reply.told = try await told("tracks", .perform(verb))
    case .setRepeat(let mode):
      try workspace.ask { (here) throws(StoreError) in try here.queue.setRepeat(mode, for: device.id) }
    case .shuffle(let isOn):
      try workspace.ask { (here) throws(StoreError) in
        try here.queue.setShuffle(isOn, seed: .random(in: 0...UInt64.max), for: device.id)
      }
    case .clear(let stops): reply.plays = try await clear(stops: stops)
    case .transfer(let target): try await transfer(to: target)
    default: try await ask(.perform(verb))
    }
    return reply
  }

  /// Plays an entry by its number or its position; nil is what is due.
  package func playNamed(_ entry: EntryArgument?) async throws(Failure) {
    try await workspace.naming(entry.map { [$0] } ?? [], on: device) { entries throws(Failure) in
      try await play(entries.first)
    }
  }

  /// A member of the answer to a command.
  package func told(
    _ name: String, _ command: ControlCommand
  ) async throws(Failure) -> (name: String, value: JSONValue)? {
    try await ask(command)[name].map { (name, $0) }
  }

  /// Empties the queue.
  /// - Returns: the title of what plays on.
  private func clear(stops: Bool) async throws(Failure) -> String? {
    let (playing, isShowing) = try workspace.ask { (here) throws(StoreError) in
      let playing = try here.queue.playing(on: device.id)
      let isShowing = try here.isShowing(on: device)
      try here.queue.clear(for: device.id)
      return (playing, isShowing)
    }
    guard stops else { return playing?.title }
    guard isShowing else { return nil }
    do throws(Failure) { try await ask(.perform(.stop(quits: false))) } catch {
      // What has ended in the same moment needs no stop.
      guard error.exit == .no else { throw error }
    }
    return nil
  }
}

extension Workspace {
  /// Whether the receiver shows something of castq, or has been asked to: also what has left the queue, of which history has an open play.
  fileprivate func isShowing(on device: KnownDevice) throws(StoreError) -> Bool {
    let counts = try queue.counts(for: device.id)
    if [.offered, .queued, .playing].contains(where: { (counts[$0] ?? 0) > 0 }) { return true }
    var newest = HistoryStore.Filter()
    newest.device = device.id
    (newest.limit, newest.order) = (1, .written)
    guard let play = try history.plays(matching: newest).first else { return false }
    return play.endedAt == nil
  }
}
