package import CastProtocol
package import CastqFeeding
package import CastqPlaylists

/// A device in the chooser.
package struct RemoteDevice: Sendable, Hashable {
  package var id: Int64
  package var name: String
  /// What it shows or runs; nil when it is idle or nobody knows.
  package var status: String?
  /// Whether it is known not to answer.
  package var isLost = false
  /// Whether it is a group of speakers.
  package var isGroup: Bool

  package init(id: Int64, name: String, status: String? = nil, isGroup: Bool = false) {
    self.id = id
    self.name = name
    self.status = status
    self.isGroup = isGroup
  }
}

/// What a device was last heard to do.
package struct RemoteStatus: Sendable, Hashable {
  package enum Connection: String, Sendable, Hashable, CaseIterable {
    case connecting, connected, offline
  }

  package struct Volume: Sendable, Hashable {
    /// 0 to 100.
    package var level: Int
    package var isMuted: Bool
    /// Whether the device takes no other level.
    package var isFixed: Bool
    /// What the configuration sets before something is played, 0 to 100; nil leaves the device's level.
    package var configured: Int?

    package init(level: Int, isMuted: Bool = false, isFixed: Bool = false, configured: Int? = nil) {
      self.level = level
      self.isMuted = isMuted
      self.isFixed = isFixed
      self.configured = configured
    }
  }

  package var connection: Connection
  /// The name of the running application; nil on the idle screen.
  package var application: String?
  package var volume: Volume?
  /// What is on the screen; nil when nothing is.
  package var media: RemoteMedia?
  /// Why no entry of the queue is on the screen, in words; nil when nothing prevents it.
  package var waiting: String?

  package init(
    _ connection: Connection, application: String? = nil, volume: Volume? = nil, media: RemoteMedia? = nil,
    waiting: String? = nil
  ) {
    self.connection = connection
    self.application = application
    self.volume = volume
    self.media = media
    self.waiting = waiting
  }
}

/// What is on the screen.
package struct RemoteMedia: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable {
    case playing, paused, buffering, loading
    /// A picture, or a page of the web.
    case showing
  }

  package struct Track: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable { case audio, text, video, other }
    package var id: Int
    package var kind: Kind
    /// Its name and language, for a person.
    package var label: String
    package var isActive: Bool

    package init(id: Int, kind: Kind, label: String, isActive: Bool = false) {
      self.id = id
      self.kind = kind
      self.label = label
      self.isActive = isActive
    }
  }

  package struct Ad: Sendable, Hashable {
    /// `Ad 1/2`, without the time.
    package var label: String
    /// Seconds until it may be skipped, at the time of the status; nil when never.
    package var skippableIn: Double?

    package init(label: String, skippableIn: Double?) {
      self.label = label
      self.skippableIn = skippableIn
    }
  }

  package var state: State
  package var title: String
  package var subtitle: String?
  package var isLive = false
  /// Seconds, at the time of the status; nil when unknown.
  package var position: Double?
  /// Seconds; nil when unknown.
  package var duration: Double?
  package var rate = 1.0
  /// Seconds of it by which the position goes on a second; 0 while it stands.
  package var speed = 0.0
  /// When the position was that.
  package var at: Tick
  package var canPause = true
  package var canSeek = true
  package var canChangeRate = true
  package var tracks: [Track] = []
  package var ad: Ad?
  /// Where ads interrupt it, in seconds.
  package var adMarks: [Double] = []
  /// The entry of the queue that this is; nil when somebody else plays it.
  package var entry: Int64?
  /// The address of its picture; nil when it has none.
  package var image: String?

  package init(_ state: State, title: String, at: Tick) {
    self.state = state
    self.title = title
    self.at = at
  }

  /// Whether its position moves by itself.
  package var isMoving: Bool { speed != 0 }

  /// Seconds at a moment, counted on from the status; nil when unknown.
  package func position(at now: Tick) -> Double? {
    position.map { base in
      let moved = (now - at).seconds * speed
      return max(min(base + moved, duration ?? .infinity), 0)
    }
  }

  /// Seconds until the end; nil when that is unknown, and for what has none.
  package func remaining(at now: Tick) -> Double? {
    guard !isLive, let duration, let position = position(at: now) else { return nil }
    return (duration - position) / max(rate, 0.1)
  }
}

/// One row of the queue.
package struct RemoteRow: Sendable, Hashable {
  package var entry: Int64
  package var title: String
  package var state: EntryState
  /// Seconds; nil when unknown.
  package var length: Double?
  /// Why it was given up; nil for one that was not.
  package var problem: String?

  package init(
    entry: Int64, title: String, state: EntryState = .pending, length: Double? = nil, problem: String? = nil
  ) {
    self.entry = entry
    self.title = title
    self.state = state
    self.length = length
    self.problem = problem
  }
}

/// The queue of a device.
package struct RemoteQueue: Sendable, Hashable {
  package var rows: [RemoteRow] { didSet { length = Self.length(of: rows) } }
  /// Seconds of all rows; nil when that of one is unknown. Kept, since it is drawn each second, and there may be thousands of rows.
  package private(set) var length: Double?
  package var repeatMode: QueueRepeat
  package var isShuffled: Bool
  /// What plays after the current entry; nil when nothing does.
  package var next: Int64?

  package init(
    rows: [RemoteRow] = [], repeatMode: QueueRepeat = .off, isShuffled: Bool = false, next: Int64? = nil
  ) {
    self.rows = rows
    self.repeatMode = repeatMode
    self.isShuffled = isShuffled
    self.next = next
    length = Self.length(of: rows)
  }

  private static func length(of rows: [RemoteRow]) -> Double? {
    var sum = 0.0
    for row in rows {
      guard let length = row.length else { return nil }
      sum += length
    }
    return sum
  }
}
