import CastProtocol

/// How a file is converted while a device plays it.
///
/// The device gets a manifest (HLS) of all pieces of the film, and asks for those that it is about to show. Its positions are therefore those of
/// the film, wherever it begins: a seek, and the way back after a loss, ask for another piece, and the conversion restarts at that second.
package struct LiveConversion: Sendable, Hashable {
  /// Seconds of a piece, but for the last one: 375 frames of AAC, so that the sound of two pieces joins without a gap.
  package static let pieceSeconds = 8
  /// The type of the manifest.
  package static let contentType = ContentTypes.hls
  /// The type of a piece.
  package static let pieceType = "video/mp2t"
  /// The most bytes of a piece: three times what the encoder may make of it.
  package static let pieceBytes = 32 << 20

  /// Seconds of the film, more than 0.
  package let duration: Double
  private let demuxers: [String]
  private let picture: Picture?
  /// The number of the stream.
  private let sound: Int?

  private struct Picture: Sendable, Hashable {
    var stream: Int
    var target: PreparationRecipe.PictureTarget
  }

  /// - Parameters:
  ///   - recipe: encodes all that it keeps: only an encoder begins a piece at any second.
  ///   - duration: seconds; a film of unknown length has no manifest. At most a day.
  /// - Returns: nil when nothing is encoded, or the length is none.
  init?(_ recipe: PreparationRecipe, duration: Double) {
    guard duration.isFinite, duration >= 0.1, duration <= 86_400 else { return nil }
    self.duration = duration
    demuxers = recipe.demuxers
    switch recipe.picture {
    case .none: picture = nil
    case .encoded(let stream, let target): picture = Picture(stream: stream, target: target)
    case .copied: return nil
    }
    switch recipe.sound {
    case .none: sound = nil
    case .encoded(let stream, _): sound = stream
    case .copied: return nil
    }
    guard picture != nil || sound != nil else { return nil }
  }

  /// What has to be done with the file.
  package var way: PlayDecision.Way { picture == nil ? .audio : .video }

  /// How many pieces there are, at least one. The last one is as short as half a second, or that much longer than the others: a shorter one may
  /// hold no picture.
  package var pieceCount: Int {
    max(1, Int(bounded: ((duration - 0.5) / Double(Self.pieceSeconds)).rounded(.up)))
  }

  /// The manifest. The addresses of pieces are relative to its own.
  package var manifest: String {
    var text = """
      #EXTM3U
      #EXT-X-VERSION:3
      #EXT-X-TARGETDURATION:\(Self.pieceSeconds + 1)
      #EXT-X-MEDIA-SEQUENCE:0
      #EXT-X-PLAYLIST-TYPE:VOD

      """
    for piece in 0..<pieceCount {
      text += "#EXTINF:\(Self.text(milliseconds(of: piece))),\n\(piece).ts\n"
    }
    return text + "#EXT-X-ENDLIST\n"
  }

  /// The number of a piece; nil for a name that the manifest does not have.
  package func piece(named name: String) -> Int? {
    guard name.hasSuffix(".ts"), name.utf8.count <= 9, let piece = Int(name.dropLast(3)),
      (0..<pieceCount).contains(piece), name == "\(piece).ts"
    else { return nil }
    return piece
  }

  /// The same conversion has the same text.
  package var fingerprint: String {
    arguments(piece: 0, from: "<").joined(separator: "\n") + "\n\(Int(bounded: duration * 1000))"
  }

  /// The arguments of `ffmpeg` for a piece, which it writes to its standard output.
  ///
  /// - Parameters:
  ///   - piece: 0 is the first one.
  ///   - input: the path of the file. It cannot be taken for an option or an address.
  package func arguments(piece: Int, from input: String) -> [String] {
    let start = min(max(piece, 0), pieceCount) * Self.pieceSeconds * 1000
    let length = milliseconds(of: piece)
    let isLast = piece >= pieceCount - 1
    // A frame of sound is heard as it was meant only beside its neighbours, so a few more are encoded on both sides.
    let leadFrames = sound == nil || start == 0 ? 0 : Self.leadFrames
    let soundStart = start - Self.milliseconds(ofFrames: leadFrames)
    // Where a container has no index, decoding begins at a picture that refers to one before it. What comes of that is cut off.
    let beginning = isIndexed ? soundStart : max(soundStart - Self.leadOfPictures, 0)
    // Some demuxers find the beginning only when they are not asked to go there.
    let seek = beginning > 0 ? ["-ss", Self.text(beginning)] : []
    let input =
      [
        "-fflags", "+genpts", "-protocol_whitelist", "file", "-format_whitelist",
        demuxers.joined(separator: ","),
      ]
      + seek + ["-t", Self.text(start + length + 1000 - beginning), "-i", "file:\(input)"]
    var outputs: [String] = []
    if let picture {
      // Without pictures that refer to later ones, times begin at that of the piece, and no piece is moved against the others.
      let end = isLast ? "" : ":end=\(Self.text(start + length))"
      let cut = ["trim=start=\(Self.text(start))\(end)", "setpts=PTS-\(Self.text(start))/TB"]
      outputs += ["-map", "0:\(picture.stream)"] + picture.target.encoding(after: cut) + ["-bf", "0"]
    }
    if let sound {
      // Containers round the times of frames, or leave some out: here each sample has its own, and silence is what is missing.
      // `first_pts` counts what comes in, so the rate is that of the result by then.
      let samples = "aresample=48000,aresample=async=1:first_pts=\(soundStart * 48)"
      outputs += ["-map", "0:\(sound)"] + PreparationRecipe.stereo
      outputs += [
        "-af", "atrim=start=\(Self.text(soundStart)),\(samples),asetpts=PTS-\(Self.text(start))/TB",
      ]
      // What is too much is left out again, by its numbers: the encoder begins with a frame of silence. Positive is left out.
      outputs += ["-bsf:a", "noise=drop=abs(floor((n-\(leadFrames + 1))/\(frames(of: piece))))"]
    }
    // Times are those of the film, whatever was sought, and one for both streams: they are read together, since each by itself would begin at
    // its own first time.
    return ["-nostdin", "-hide_banner", "-v", "error", "-copyts", "-start_at_zero"] + input
      + ["-sn", "-dn", "-map_chapters", "-1", "-map_metadata", "-1"] + outputs
      + [
        "-avoid_negative_ts", "disabled", "-muxdelay", "0", "-muxpreload", "0", "-output_ts_offset",
        Self.text(start), "-f", "mpegts", "pipe:1",
      ]
  }

  /// Milliseconds; broadcasters begin a group of pictures at least that often.
  private static let leadOfPictures = 3000

  /// Whether the container says where its key frames are. Others are searched, which may end behind the second that is sought.
  private var isIndexed: Bool {
    demuxers.contains { ["mov", "mp4", "matroska", "webm", "avi"].contains($0) }
  }

  /// A whole number of milliseconds.
  private static let leadFrames = 3

  /// Of 1,024 samples each.
  private static func milliseconds(ofFrames frames: Int) -> Int { frames * 1024 / 48 }

  /// Frames of sound of a piece; those of the last one end with the film.
  private func frames(of piece: Int) -> Int {
    (milliseconds(of: piece) * 48 + 1023) / 1024 + (piece == pieceCount - 1 ? 8 : 0)
  }

  private func milliseconds(of piece: Int) -> Int {
    guard piece == pieceCount - 1 else { return Self.pieceSeconds * 1000 }
    return max(Int(bounded: duration * 1000) - piece * Self.pieceSeconds * 1000, 1)
  }

  /// Seconds with three digits after the point.
  private static func text(_ milliseconds: Int) -> String {
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return "\(whole).\(String(repeating: "0", count: 3 - "\(rest)".utf8.count))\(rest)"
  }
}

extension PlayRules {
  /// How a file is converted while the device plays it; nil where its length is unknown, or it has nothing that the device could show.
  package func live(_ probe: MediaProbe) -> LiveConversion? {
    let demuxers = probe.formats.filter(MediaDemuxers.areSafe)
    guard !demuxers.isEmpty, let duration = probe.duration else { return nil }
    let recipe = RecipeWriter(abilities: abilities, demuxers: demuxers).recipe(
      picture: abilities.hasScreen ? probe.picture : nil, copiesPicture: false, sound: probe.sound,
      copiesSound: false)
    return LiveConversion(recipe, duration: duration)
  }
}
