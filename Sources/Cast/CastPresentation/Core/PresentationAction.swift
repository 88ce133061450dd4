public import CastProtocol

/// What a presentation needs done.
public enum PresentationAction: Sendable, Equatable {
  /// Carry out a command, and report `PresentationEvent.finished` or `.superseded` with the same number.
  case perform(PresentationCommand, for: IntentID)
  /// The list of devices is on the screen, or no more: search often, or as before.
  case showDeviceList(Bool)
  /// Record that the introduction is shown, if it never was; answer with `PresentationEvent.introductionClaimed`.
  case claimIntroduction
  /// Select one of the images for a use, fetch it, and report `PresentationEvent.artwork`, also when it is loading.
  case loadArtwork([Image], ArtworkUse)
  /// Report `PresentationEvent.timerFired` after this time; replaces a running timer.
  case startTimer(Duration)
  /// Stop the timer.
  case stopTimer
}

/// A command to a device, its application or its media. It has been checked against everything that is known.
public enum PresentationCommand: Sendable, Hashable {
  /// Start a session with a device, and end the open one first, if there is one; its device plays on.
  case connect(Device)
  /// Stop the attempt to connect.
  case cancelConnecting
  /// Reconnect a suspended session now.
  case reconnect
  /// End the session; the device plays on.
  case disconnect
  /// Stop the application, and end the session.
  case stopCasting
  /// Move what plays to a device, where the session continues (protocol 14.7).
  case transfer(to: Device)
  /// Resume playback.
  case play
  /// Pause playback.
  case pause
  /// Stop the media.
  case stop
  /// Seek to a position, in seconds from the start.
  case seek(to: MediaTime)
  /// Seek by an offset in seconds, where the position is unknown.
  case skip(by: MediaTime)
  /// Seek to the live edge.
  case seekToLiveEdge
  /// Play the next item.
  case skipToNext
  /// Play the previous item.
  case skipToPrevious
  /// Skip the ad clip.
  case skipAd
  /// Set the speed, 0.5 to 2; 1 is normal.
  case setPlaybackRate(Double)
  /// Set the repeat mode.
  case setRepeatMode(MediaRepeatMode)
  /// Turn the shuffle mode on or off.
  case setShuffled(Bool)
  /// Mute or unmute the stream.
  case setStreamMuted(Bool)
  /// Set the volume of the stream, 0 to 1.
  case setStreamVolume(Double)
  /// Make exactly these tracks active: text and audio together (protocol 10.2).
  case setActiveTracks([Int])
  /// Set the style of subtitles.
  case setTextTrackStyle(MediaTextTrackStyle)
  /// Set the volume of the device, 0 to 1.
  /// - Parameter unmuting: whether to unmute the device as well, because not all do so when they are turned up (protocol 5.7).
  case setDeviceVolume(Double, unmuting: Bool = false)
  /// Mute or unmute the device.
  case setDeviceMuted(Bool)
  /// Set the volume of a member of the group, 0 to 1 (protocol 5.9).
  case setMemberVolume(Double, of: MultizoneDevice)
  /// Mute or unmute a member of the group.
  case setMemberMuted(Bool, of: MultizoneDevice)
  /// A button of the program's own was pressed.
  case custom(String)
}
