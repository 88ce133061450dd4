/// The state of a receiver's player (protocol 8).
public enum MediaPlayerState: WireWord {
  /// Nothing is loaded, or a load is in progress (then `MediaStatus.isLoading`).
  case idle
  /// Playing.
  case playing
  /// Paused, or an image on the screen (protocol 21.7).
  case paused
  /// Loaded, waiting for data; counts as active.
  case buffering
  /// Loading; only found in an extended status.
  case loading
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("IDLE", .idle), ("PLAYING", .playing), ("PAUSED", .paused), ("BUFFERING", .buffering),
    ("LOADING", .loading),
  ]
}

/// Why a player is idle (protocol 8).
public enum MediaPlayerIdleReason: WireWord {
  /// Played to the end.
  case finished
  /// Stopped by a sender or by the receiver.
  case cancelled
  /// Another load or a jump replaced it.
  case interrupted
  /// It could not be loaded or played.
  case error
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("FINISHED", .finished), ("CANCELLED", .cancelled), ("INTERRUPTED", .interrupted), ("ERROR", .error),
  ]
}

/// What happens at the end of a queue (protocol 7.4).
public enum MediaRepeatMode: WireWord {
  /// The media session ends after the last item.
  case off
  /// Starts again with the first item.
  case all
  /// The current item starts again for ever.
  case single
  /// Shuffles, then starts again.
  case allAndShuffle
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("REPEAT_OFF", .off), ("REPEAT_ALL", .all), ("REPEAT_SINGLE", .single),
    ("REPEAT_ALL_AND_SHUFFLE", .allAndShuffle),
  ]
}

/// The type of a stream (protocol 6.8).
public enum MediaStreamType: WireWord {
  /// Neither stream nor file, such as an image.
  case none
  /// A file with an end; the default.
  case buffered
  /// A live stream without an end.
  case live
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("BUFFERED", .buffered), ("LIVE", .live), ("NONE", .none),
  ]
}

/// The player state after a seek (protocol 6.3).
public enum MediaResumeState: WireWord {
  /// Plays after the seek.
  case play
  /// Pauses after the seek.
  case pause
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("PLAYBACK_START", .play), ("PLAYBACK_PAUSE", .pause),
  ]
}

/// The type of a queue (protocol 7.2).
public enum MediaQueueType: WireWord {
  /// A music album.
  case album
  /// A list of tracks.
  case playlist
  /// An audiobook.
  case audiobook
  /// A radio station.
  case radioStation
  /// A podcast series.
  case podcastSeries
  /// A television series.
  case tvSeries
  /// A list of videos.
  case videoPlaylist
  /// Live television.
  case liveTV
  /// A movie.
  case movie
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("ALBUM", .album), ("PLAYLIST", .playlist), ("AUDIOBOOK", .audiobook), ("RADIO_STATION", .radioStation),
    ("PODCAST_SERIES", .podcastSeries), ("TV_SERIES", .tvSeries), ("VIDEO_PLAYLIST", .videoPlaylist),
    ("LIVE_TV", .liveTV), ("MOVIE", .movie),
  ]
}
