package import CastProtocol
package import CastqPlaylists
package import CastqText

/// What a feeder or a daemon is asked over its socket.
package enum ControlCommand: Sendable, Hashable {
  /// What a person wants done with what the device plays.
  case perform(PlaybackVerb)
  /// Reads the volume of the device.
  case readVolume
  /// Reads the tracks of the media.
  case readTracks
  /// Sends a message to the running application on a custom namespace.
  case send(ChannelText)
  /// Feeds the device, even while it waits.
  case feed(FeedRequest)
  /// Rows were written: they are read now instead of within a second.
  case poke
  /// Reads the status that the device has reported; fails where it does not say what it plays.
  case status
  /// Reads what the device waits for, and until when.
  case outlook
  /// Reads which local files were fetched lately, by whom and with which outcome, from a feeder or a daemon as a whole.
  case fetches
  /// Reads the status of the device, or of all devices if the request names none, now and after each change.
  case watch
  /// Reads whether the daemon is well: what is late, and what keeps it from writing.
  case health
  /// Reads what the daemon has counted, as Prometheus reads it, in pieces.
  case metrics
}

/// What a daemon feeds, and when it replies.
package struct FeedRequest: Sendable, Hashable {
  /// The entry to start with; nil is the first that is due.
  package var first: EntryID?
  /// Start position in that entry; nil is its beginning.
  package var position: MediaTime?
  /// The queue was replaced: the new queue interrupts the current entry.
  package var isNewQueue: Bool
  /// An entry of the new queue: when it is gone, another list has replaced that in the meantime. Nil does not check.
  package var member: EntryID?
  /// The reply follows when the queue is drained; otherwise when the first entry plays or has failed.
  package var waits: Bool
  /// The queue restarts at its end, for as long as the caller waits.
  package var loops: Bool
  /// Time limit, in seconds, for reaching the device before the command fails.
  package var patience: Double
  /// Whether what a rule has on the screen is an answer, too; otherwise the reply says that a rule has it.
  package var takesRules: Bool

  /// Whether it asks for the screen. Who waits for the end of the list, or takes what rules show, does not.
  package var asksForScreen: Bool { !waits && !takesRules }

  package init(
    first: EntryID? = nil, position: MediaTime? = nil, isNewQueue: Bool = false, member: EntryID? = nil,
    waits: Bool = false, loops: Bool = false, patience: Double = 0, takesRules: Bool = false
  ) {
    self.first = first
    self.position = position
    self.isNewQueue = isNewQueue
    self.member = member
    self.waits = waits
    self.loops = loops
    self.patience = patience
    self.takesRules = takesRules
  }
}

/// Where to seek.
package enum SeekGoal: Sendable, Hashable {
  case position(MediaTime)
  /// Forward from the present position, or back when negative.
  case offset(MediaTime)
  /// A fraction of the length, 0 to 1.
  case fraction(Double)
}

/// Which tracks to show. A track replaces the shown one of its kind.
package struct TrackChoice: Sendable, Hashable {
  package var on: [Int]
  /// Hides all text first.
  package var hidesText: Bool

  package init(on: [Int] = [], hidesText: Bool = false) {
    self.on = on
    self.hidesText = hidesText
  }

  /// The active tracks after the change.
  /// - Throws: `Failure` when the media has no such track.
  package func active(from now: [Int], tracks: [MediaTrack]) throws(Failure) -> [Int] {
    func kind(_ id: Int) -> MediaTrack.Kind? { tracks.first { $0.identifier == id }?.kind }
    for id in on where kind(id) == nil {
      let known = tracks.map { "\($0.identifier)" }.joined(separator: ", ")
      throw Failure(
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

/// A message for a receiver application.
package struct ChannelText: Sendable, Hashable {
  package var namespace: String
  package var text: String
  /// Seconds to wait for the first reply on the namespace; nil does not wait.
  package var wait: Double?
  /// The application it is for; nil is any running application.
  package var application: String?

  package init(namespace: String, text: String, wait: Double? = nil, application: String? = nil) {
    self.namespace = namespace
    self.text = text
    self.wait = wait
    self.application = application
  }
}
