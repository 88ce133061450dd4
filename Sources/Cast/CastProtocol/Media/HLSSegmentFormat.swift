/// The format of the audio segments of an HLS stream (protocol 12.3). Without it receivers that cannot detect it assume packed
/// transport streams: set `fmp4` for CMAF.
public enum HLSSegmentFormat: WireWord {
  /// Bare AAC.
  case aac
  /// Bare AC-3.
  case ac3
  /// Bare MP3.
  case mp3
  /// MPEG-2 transport stream.
  case ts
  /// AAC in an MPEG-2 transport stream.
  case tsAAC
  /// Bare E-AC-3.
  case eac3
  /// Fragmented MP4, as in CMAF.
  case fmp4
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("aac", .aac), ("ac3", .ac3), ("mp3", .mp3), ("ts", .ts), ("ts_aac", .tsAAC), ("e_ac3", .eac3),
    ("fmp4", .fmp4),
  ]
}

/// The format of the video segments of an HLS stream (protocol 12.3). Without it receivers that cannot detect it assume MPEG-2
/// transport streams.
public enum HLSVideoSegmentFormat: WireWord {
  /// MPEG-2 transport stream.
  case mpeg2TS
  /// Fragmented MP4, as in CMAF.
  case fmp4
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [("mpeg2_ts", .mpeg2TS), ("fmp4", .fmp4)]
}
