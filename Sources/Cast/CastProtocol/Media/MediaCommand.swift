/// Commands that a receiver application supports for its media (protocol 6.7). They are hints: some applications support more.
public struct MediaCommand: OptionSet, Sendable, Hashable {
  /// The bits on the wire; bits this version does not know stay set.
  public let rawValue: Int
  /// Wraps the bits of a status.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Pausing (1).
  public static let pause = MediaCommand(rawValue: 1)
  /// Seeking (2).
  public static let seek = MediaCommand(rawValue: 2)
  /// Setting the stream's volume (4).
  public static let setVolume = MediaCommand(rawValue: 4)
  /// Muting the stream (8).
  public static let toggleMute = MediaCommand(rawValue: 8)
  /// Skipping forward (16); old receivers only.
  public static let skipForward = MediaCommand(rawValue: 16)
  /// Skipping backward (32); old receivers only.
  public static let skipBackward = MediaCommand(rawValue: 32)
  /// Going to the next item of the queue (64).
  public static let queueNext = MediaCommand(rawValue: 64)
  /// Going to the previous item of the queue (128).
  public static let queuePrevious = MediaCommand(rawValue: 128)
  /// Shuffling the queue (256).
  public static let queueShuffle = MediaCommand(rawValue: 256)
  /// Skipping the clip of an ad break (512), now.
  public static let skipAd = MediaCommand(rawValue: 512)
  /// Repeating the whole queue (1024).
  public static let queueRepeatAll = MediaCommand(rawValue: 1024)
  /// Repeating one item (2048).
  public static let queueRepeatOne = MediaCommand(rawValue: 2048)
  /// Repeating the queue or one item (1024 and 2048).
  public static let queueRepeat: MediaCommand = [.queueRepeatAll, .queueRepeatOne]
  /// Selecting tracks and their style (4096).
  public static let editTracks = MediaCommand(rawValue: 4096)
  /// Setting the playback rate (8192).
  public static let setPlaybackRate = MediaCommand(rawValue: 8192)
  /// Liking (16384).
  public static let like = MediaCommand(rawValue: 16_384)
  /// Disliking (32768).
  public static let dislike = MediaCommand(rawValue: 32_768)
  /// Following (65536).
  public static let follow = MediaCommand(rawValue: 65_536)
  /// Unfollowing (131072).
  public static let unfollow = MediaCommand(rawValue: 131_072)
  /// Transfer to another device (262144): STORE_SESSION and RESUME_SESSION (protocol 6.9).
  public static let streamTransfer = MediaCommand(rawValue: 262_144)
  /// The commands that every current receiver supports with one item: pause, seek, volume, mute, tracks and rate (12303).
  public static let allBasicMedia: MediaCommand = [
    .pause, .seek, .setVolume, .toggleMute, .editTracks, .setPlaybackRate,
  ]
}
