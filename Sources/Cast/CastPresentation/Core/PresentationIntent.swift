public import CastProtocol

/// What a person wants: the press of a button, the choice of a device, a position.
public enum PresentationIntent: Sendable, Hashable {
  // The Cast button and its dialogs.

  /// The Cast button was pressed; `CastButtonModel.press` is what follows.
  case pressCastButton
  /// Close the chooser, or the dialog about the connected device.
  case closeChooser
  /// The introduction was read.
  case dismissIntroduction
  /// Cast to the device with this `Device.presentedID`. A session with another device is left first.
  case chooseDevice(String)
  /// Stop the attempt to connect.
  case cancelConnecting
  /// Reconnect a suspended session now.
  case reconnect
  /// Leave the device; it plays on.
  case disconnect
  /// Stop the application on the device, and leave.
  case stopCasting
  /// Move what plays to the device with this `Device.presentedID`; the session continues there (protocol
  /// 14.7).
  case transfer(to: String)

  // The controllers.

  /// Open the expanded controller.
  case openExpandedController
  /// Close it.
  case closeExpandedController
  /// Enable or disable the mini controller.
  case setMiniControllerEnabled(Bool)
  /// Hide what plays next, and wait for it.
  case waitForNext
  /// Remove a notice, by its number.
  case dismissNotice(Int)

  // The media.

  /// Resume playback.
  case play
  /// Pause playback.
  case pause
  /// What `MediaController.playbackAction` is now: play, pause, or stop for a live stream.
  case togglePlayback
  /// Stop the media; the application keeps running.
  case stop
  /// Seek to a position, in seconds from the start of the content.
  case seek(to: MediaTime)
  /// Seek forward, or back when negative, in seconds.
  case skip(by: MediaTime)
  /// Seek to the edge of a live stream (protocol 12.5).
  case seekToLiveEdge
  /// Play the next item of the queue.
  case skipToNext
  /// Play the previous item of the queue.
  case skipToPrevious
  /// Skip the clip of an ad break.
  case skipAd
  /// Set the speed; 1 is normal.
  case setPlaybackRate(Double)
  /// Repeat the queue, one item, or nothing (protocol 7.4).
  case setRepeatMode(MediaRepeatMode)
  /// The next mode of off, all, single.
  case cycleRepeatMode
  /// Play the queue in random order, or in its own.
  case setShuffled(Bool)
  /// Mute or unmute the stream, not the device.
  case setStreamMuted(Bool)
  /// Set the volume of the stream, 0 to 1; not that of the device.
  case setStreamVolume(Double)

  // Tracks.

  /// Play the audio track with this identifier; nil leaves it to the receiver.
  case selectAudioTrack(Int?)
  /// Show the text track with this identifier; nil hides all text.
  case selectTextTrack(Int?)
  /// Show or hide the text: the captions button.
  case toggleCaptions
  /// Set the style of subtitles (protocol 10.3).
  case setTextTrackStyle(MediaTextTrackStyle)

  // The device.

  /// Set the volume of the device, 0 to 1; values outside are clamped.
  case setDeviceVolume(Double)
  /// Change the volume of the device by this number of its steps; negative is down.
  case stepDeviceVolume(Int)
  /// The same by a key of the computer: obeyed if `PresentationOptions.volumeControlsDriveDevice`.
  case pressVolumeKey(Int)
  /// Mute or unmute the device.
  case setDeviceMuted(Bool)
  /// Set the volume of the group's member with this `GroupMemberRow.id`, 0 to 1; values outside are clamped
  /// (protocol 5.9).
  case setMemberVolume(Double, of: String)
  /// Mute or unmute the group's member with this `GroupMemberRow.id`.
  case setMemberMuted(Bool, of: String)

  /// A button of the program's own, by its name.
  case custom(String)
}

extension PresentationIntent {
  /// Intents of which a newer one replaces a pending older one.
  enum Kind: Hashable { case seek, deviceVolume, deviceMute, streamVolume }

  var kind: Kind? {
    switch self {
    case .seek, .skip, .seekToLiveEdge: .seek
    case .setDeviceVolume, .stepDeviceVolume, .pressVolumeKey: .deviceVolume
    case .setDeviceMuted: .deviceMute
    case .setStreamVolume: .streamVolume
    default: nil
    }
  }
}
