/// What the player of a receiver does (protocol 8).
public enum MediaPlayerState: WireWord {
  /// Nothing loaded, or something is being loaded (then `MediaStatus.isLoading`).
  case idle
  /// Playing.
  case playing
  /// Paused, or an image on the screen (protocol 21.7).
  case paused
  /// Loaded, waiting for data; counts as active.
  case buffering
  /// Loading; only found in an extended status.
  case loading
  /// A word this version does not know.
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
  /// Another load or a jump took its place.
  case interrupted
  /// It could not be loaded or played.
  case error
  /// A word this version does not know.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("FINISHED", .finished), ("CANCELLED", .cancelled), ("INTERRUPTED", .interrupted), ("ERROR", .error),
  ]
}

/// What a queue does at its end (protocol 7.4).
public enum MediaRepeatMode: WireWord {
  /// The media session ends after the last item.
  case off
  /// Starts again with the first item.
  case all
  /// The current item starts again for ever.
  case single
  /// Shuffles, then starts again.
  case allAndShuffle
  /// A word this version does not know.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("REPEAT_OFF", .off), ("REPEAT_ALL", .all), ("REPEAT_SINGLE", .single),
    ("REPEAT_ALL_AND_SHUFFLE", .allAndShuffle),
  ]
}

/// How the media arrives (protocol 6.8).
public enum MediaStreamType: WireWord {
  /// Neither stream nor file, such as an image.
  case none
  /// A file with an end; the default.
  case buffered
  /// A live stream without an end.
  case live
  /// A word this version does not know.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("BUFFERED", .buffered), ("LIVE", .live), ("NONE", .none),
  ]
}

/// What a seek does afterwards (protocol 6.3).
public enum MediaResumeState: WireWord {
  /// Plays after the seek.
  case play
  /// Pauses after the seek.
  case pause
  /// A word this version does not know.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("PLAYBACK_START", .play), ("PLAYBACK_PAUSE", .pause),
  ]
}

/// What kind of list a queue is (protocol 7.2).
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
  /// A word this version does not know.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("ALBUM", .album), ("PLAYLIST", .playlist), ("AUDIOBOOK", .audiobook), ("RADIO_STATION", .radioStation),
    ("PODCAST_SERIES", .podcastSeries), ("TV_SERIES", .tvSeries), ("VIDEO_PLAYLIST", .videoPlaylist),
    ("LIVE_TV", .liveTV), ("MOVIE", .movie),
  ]
}
