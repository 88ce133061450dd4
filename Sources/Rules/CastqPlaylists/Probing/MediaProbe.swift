/// What a media file is made of, as `ffprobe` reads it. Each fact is nil where the file does not tell.
public struct MediaProbe: Sendable, Hashable {
  /// The names of the container, as `ffprobe` gives them in `format_name`: `["mov", "mp4", "m4a", …]`, `["matroska", "webm"]`.
  public var formats: [String]
  /// Seconds; nil for one without end or of unknown length.
  public var duration: Double?
  /// Bits a second of everything together.
  public var bitRate: Int?
  /// The streams in the file's order.
  public var streams: [Stream]
  /// The tags of the container, by their lowercase names (`title`, `artist`, `album`, `date`, `track`).
  public var tags: [String: String]

  /// One stream of a file.
  public struct Stream: Sendable, Hashable {
    /// What a stream holds.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      case video, audio, subtitle
      /// A cover, which containers keep as a video stream of one picture (`disposition.attached_pic`).
      case cover
      /// Data, attachments and whatever a later version names.
      case other
    }

    /// What it holds.
    public var kind: Kind
    /// Its number in the file, from 0, as `ffmpeg -map 0:N` takes it.
    public var index: Int
    /// As `ffprobe` names it: `h264`, `hevc`, `aac`, `ac3`, `subrip`; nil for one it does not know.
    public var codec: String?
    /// As `ffprobe` names it: `High`, `Main 10`, `LC`.
    public var profile: String?
    /// The codec's own number: 41 of H.264 is level 4.1, 120 of HEVC is level 4.
    public var level: Int?
    /// Pixels.
    public var width: Int?
    /// Pixels.
    public var height: Int?
    /// `yuv420p`, `yuv420p10le`.
    public var pixelFormat: String?
    /// Pictures a second.
    public var frameRate: Double?
    /// Of sound: 2 is stereo, 6 is 5.1.
    public var channels: Int?
    /// Of sound: samples a second.
    public var sampleRate: Int?
    /// RFC 5646 or ISO 639-2, as the file says it.
    public var language: String?
    /// What people call the stream.
    public var title: String?
    /// Whether players begin with it.
    public var isDefault: Bool

    /// A stream of which only these facts are known.
    public init(_ kind: Kind, index: Int, codec: String? = nil, isDefault: Bool = false) {
      self.kind = kind
      self.index = index
      self.codec = codec
      self.isDefault = isDefault
    }
  }

  /// What is known of a file of which nothing else is known.
  public init(
    formats: [String] = [], duration: Double? = nil, streams: [Stream] = [], tags: [String: String] = [:]
  ) {
    self.formats = formats
    self.duration = duration
    self.streams = streams
    self.tags = tags
  }
}
