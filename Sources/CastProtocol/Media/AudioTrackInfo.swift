/// What a receiver knows of the sound of an audio track (protocol 10.1). Only newer receivers tell.
public struct AudioTrackInfo: Sendable, Hashable {
  /// Codec, such as `mp4a.40.2`; nil when not told.
  public var audioCodec: String?
  /// 2 is stereo; nil when not told.
  public var numAudioChannels: Int?
  /// Whether sound comes from all around; nil when not told.
  public var isSpatialAudio: Bool?
  /// Members this version does not know.
  public var unknownMembers: [String: JSONValue] = [:]

  /// Information of which any part may be left out.
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
