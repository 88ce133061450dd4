import CastProtocol

/// A request under way, and what the screen shows of it before the device has confirmed it.
struct RemoteWish: Sendable, Hashable {
  /// What is shown as if it were so.
  enum Change: Sendable, Hashable {
    case paused(Bool)
    case position(Double)
    case volume(Int)
    case muted(Bool)
    case rate(Double)
    /// Playback is on another device, which is controlled then.
    case moved(to: Int64)
    case nothing
  }

  /// How long a wish is shown as if it were true; after that the status counts, and the wish is shown as pending.
  static let optimism = Duration.milliseconds(300)

  var number: Int
  var change: Change
  /// What is pending, in words.
  var words: String
  var at: Tick
  var isDone = false
}

/// How a change of the queue is undone.
struct RemoteUndo: Sendable, Hashable {
  var edit: RemoteEdit
  /// What comes back, in words.
  var words: String

  static let limit = 50
}

extension RemoteMachine {
  /// The status with what was wished a moment ago.
  func shownStatus(at now: Tick) -> RemoteStatus? {
    guard var status else { return nil }
    for wish in wishes where now - wish.at < RemoteWish.optimism {
      switch wish.change {
      case .paused(let isPaused):
        guard let media = status.media else { continue }
        let position = media.position(at: now)
        status.media?.state = isPaused ? .paused : .playing
        status.media?.position = position
        status.media?.at = now
      case .position(let seconds):
        status.media?.position = seconds
        status.media?.at = now
      case .volume(let level): status.volume?.level = level
      case .muted(let isMuted): status.volume?.isMuted = isMuted
      case .rate(let rate): status.media?.rate = rate
      case .moved, .nothing: continue
      }
    }
    return status
  }

  /// What has not been confirmed, in words; nil when everything is.
  var pending: String? { wishes.last { !$0.isDone }?.words }

  mutating func perform(_ command: RemoteRequest, _ words: String, at now: Tick) -> [RemoteAction] {
    perform(command, .nothing, words, at: now)
  }

  mutating func perform(
    _ command: RemoteRequest, _ change: RemoteWish.Change, _ words: String, at now: Tick
  ) -> [RemoteAction] {
    lastNumber += 1
    // A stuck device must not make the list of wishes grow.
    if wishes.count >= 64 { wishes.removeFirst() }
    wishes.append(RemoteWish(number: lastNumber, change: change, words: words, at: now))
    return [.perform(lastNumber, command)]
  }

  mutating func edit(_ edit: RemoteEdit, undo: RemoteUndo?, at now: Tick) -> [RemoteAction] {
    lastNumber += 1
    if let undo {
      if self.undo.count >= RemoteUndo.limit { self.undo.removeFirst() }
      self.undo.append(undo)
    }
    return [.edit(lastNumber, edit)]
  }

  mutating func finish(_ number: Int, at now: Tick) -> [RemoteAction] {
    guard let index = wishes.firstIndex(where: { $0.number == number }) else { return [] }
    if case .moved(let id) = wishes[index].change {
      wishes.remove(at: index)
      return choose(id)
    }
    wishes[index].isDone = true
    if now - wishes[index].at >= RemoteWish.optimism { wishes.remove(at: index) }
    return []
  }

  mutating func fail(_ number: Int, _ words: String) {
    wishes.removeAll { $0.number == number }
    note = Note(text: words, isError: true, until: nil)
  }
}
