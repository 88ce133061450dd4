package import CastProtocol

/// What a person can ask of a device that is playing.
package enum ControlCommand: Sendable, Hashable {
  /// Goes on playing; with an entry, plays that one and what follows it.
  case play(EntryID?)
  case pause
  /// Pauses what plays, and plays what is paused.
  case toggle
  /// Stops the media and keeps the queue; `quits` also stops the application.
  case stop(quits: Bool)
  case next
  case previous
  case seek(SeekGoal)
  /// Speed, 0.5 to 2.
  case setRate(Double)
  /// Asks for the loudness of the device.
  case volume
  case setVolume(VolumeText)
  case setMuted(Bool)
  /// Asks for the tracks of what plays.
  case tracks
  case chooseTracks(TrackChoice)
  /// Lays these properties over the present style of text; nil properties stay.
  case setTextStyle(MediaTextTrackStyle)
  case skipAd
  /// Says something to the running application on a namespace of its own.
  case send(ChannelText)
  /// The queue was replaced: starts over with what it holds now. Answered when the first entry plays or has failed, and
  /// when `waits`, once the queue is drained.
  case restart(waits: Bool)
  /// For a daemon: feeds the device, whatever it waits for.
  case feed(FeedRequest)
  /// Somebody has written rows: they are looked at now, and not only within a second.
  case poke
  /// Asks what the device waits for, and until when.
  case outlook
}

/// What a daemon is asked to feed, and what is waited for.
package struct FeedRequest: Sendable, Hashable {
  /// The entry to begin with; nil is the first that is due.
  package var first: EntryID?
  /// Where that entry begins; nil is its beginning.
  package var position: MediaTime?
  /// The queue was replaced: what plays gives way to it.
  package var isNewQueue: Bool
  /// The answer comes when the queue is drained; else when the first entry plays or has failed.
  package var waits: Bool
  /// The queue starts over at its end, for as long as the caller waits.
  package var loops: Bool
  /// How long to try to reach the device before the command fails, in seconds.
  package var patience: Double

  package init(
    first: EntryID? = nil, position: MediaTime? = nil, isNewQueue: Bool = false, waits: Bool = false,
    loops: Bool = false, patience: Double = 0
  ) {
    self.first = first
    self.position = position
    self.isNewQueue = isNewQueue
    self.waits = waits
    self.loops = loops
    self.patience = patience
  }
}

/// Where to seek.
package enum SeekGoal: Sendable, Hashable {
  case position(MediaTime)
  /// Forward from where playback is, or back when negative.
  case offset(MediaTime)
  /// A part of the length, 0 to 1.
  case fraction(Double)
}

/// Which tracks to show. A track takes the place of the one of its kind that is shown.
package struct TrackChoice: Sendable, Hashable {
  package var on: [Int]
  /// Hides all text first.
  package var hidesText: Bool

  package init(on: [Int] = [], hidesText: Bool = false) {
    self.on = on
    self.hidesText = hidesText
  }

  /// The tracks to be active: what is active now, changed as it was asked for.
  /// - Throws: when the media has no such track.
  package func active(from now: [Int], tracks: [MediaTrack]) throws(ControlFailure) -> [Int] {
    func kind(_ id: Int) -> MediaTrack.Kind? { tracks.first { $0.identifier == id }?.kind }
    for id in on where kind(id) == nil {
      let known = tracks.map { "\($0.identifier)" }.joined(separator: ", ")
      throw ControlFailure(
        "track_unknown",
        "there is no track \(id): \(known.isEmpty ? "the media has none" : "there are \(known)")",
        exit: .badData)
    }
    let replaced = Set(on.compactMap(kind))
    let kept = now.filter { id in
      guard let kind = kind(id) else { return false }
      return !replaced.contains(kind) && !(hidesText && kind == .text)
    }
    return kept + on.filter { !kept.contains($0) }
  }
}

/// A text for a receiver application.
package struct ChannelText: Sendable, Hashable {
  package var namespace: String
  package var text: String
  /// Seconds to wait for the first answer on the namespace; nil does not wait.
  package var wait: Double?
  /// The application that is meant; nil is whichever runs.
  package var application: String?

  package init(namespace: String, text: String, wait: Double? = nil, application: String? = nil) {
    self.namespace = namespace
    self.text = text
    self.wait = wait
    self.application = application
  }
}
