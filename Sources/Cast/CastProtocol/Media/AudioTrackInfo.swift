/// Properties of an audio track reported by a receiver (protocol 10.1). Only newer receivers report them.
public struct AudioTrackInfo: Sendable, Hashable {
  /// Codec, such as `mp4a.40.2`; nil when not reported.
  public var audioCodec: String?
  /// 2 is stereo; nil when not reported.
  public var numAudioChannels: Int?
  /// Whether it is spatial audio; nil when not reported.
  public var isSpatialAudio: Bool?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// Creates information; all parts are optional.
  public init(audioCodec: String? = nil, numAudioChannels: Int? = nil, isSpatialAudio: Bool? = nil) {
    self.audioCodec = audioCodec
    self.numAudioChannels = numAudioChannels
    self.isSpatialAudio = isSpatialAudio
  }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    self.init(
      audioCodec: members.take("audioCodec")?.string,
      numAudioChannels: members.take("numAudioChannels")?.integer(.count),
      isSpatialAudio: members.take("isSpatialAudio")?.bool)
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "audioCodec": JSONValue(audioCodec), "numAudioChannels": JSONValue(numAudioChannels),
      "isSpatialAudio": JSONValue(isSpatialAudio),
    ]).keeping(unknownMembers)
  }
}
