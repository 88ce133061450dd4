package import CastProtocol
package import CastqPlaylists
package import CastqText

/// What a person can do with what a device plays: for the command line, the page, the API and clients of the Music Player Daemon.
/// What is asked of a feeder beside it is in `ControlCommand`.
package enum PlaybackVerb: Sendable, Hashable {
  /// Resumes, or starts what is due; with an entry, plays it and what follows it.
  case play(EntryID?)
  case pause
  /// Pauses or resumes.
  case toggle
  /// Stops the media and keeps the queue; `quits` also stops the application.
  case stop(quits: Bool)
  case next
  case previous
  case seek(SeekGoal)
  /// Speed, 0.5 to 2.
  case rate(Double)
  case volume(VolumeText)
  case mute(Bool)
  case tracks(TrackChoice)
  /// Merges these properties into the present text style; nil properties stay.
  case style(MediaTextTrackStyle)
  case skipAd
  case setRepeat(QueueRepeat)
  case shuffle(Bool)
  /// Empties the queue; `stops` also stops what plays.
  case clear(stops: Bool)
  /// Moves playback to another device, by any of its names.
  case transfer(to: String)
}

extension PlaybackVerb {
  /// The names of the verbs in JSON: the one table of them. The command line writes `skip-ad`.
  package enum Name: String, Sendable, Hashable, CaseIterable {
    case play, pause, toggle, stop, next, prev, seek, rate, volume, mute, unmute, tracks, style
    case skipAd = "skip_ad"
    case `repeat`, shuffle, clear, transfer
  }

  package var name: Name {
    switch self {
    case .play: .play
    case .pause: .pause
    case .toggle: .toggle
    case .stop: .stop
    case .next: .next
    case .previous: .prev
    case .seek: .seek
    case .rate: .rate
    case .volume: .volume
    case .mute(let isMuted): isMuted ? .mute : .unmute
    case .tracks: .tracks
    case .style: .style
    case .skipAd: .skipAd
    case .setRepeat: .repeat
    case .shuffle: .shuffle
    case .clear: .clear
    case .transfer: .transfer
    }
  }
}

extension PlaybackVerb {
  /// What a verb is for, and so who carries it out: the one table of it.
  package enum Reach: Sendable, Hashable {
    /// What is on the screen: the receiver's media.
    case media
    /// The device, whatever is on its screen.
    case device
    /// The list that is being fed; without a feeder, the receiver's queue.
    case list
    /// The rows of the queue: no device is asked.
    case rows
    /// Two devices.
    case transfer
  }

  package var reach: Reach {
    switch self {
    case .play(nil), .pause, .toggle, .seek, .rate, .tracks, .style, .skipAd: .media
    case .volume, .mute: .device
    case .play, .stop, .next, .previous: .list
    case .setRepeat, .shuffle, .clear: .rows
    case .transfer: .transfer
    }
  }
}
