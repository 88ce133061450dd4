import CastProtocol
import CastqText

/// Decides what a device plays, and what makes it play the rest (protocol 12.1).
package struct PlayRules: Sendable, Hashable {
  package var abilities: DeviceAbilities
  /// What messages call the device.
  package var deviceName: String

  package init(_ abilities: DeviceAbilities, deviceName: String) {
    self.abilities = abilities
    self.deviceName = deviceName
  }

  /// The decision for a file.
  ///
  /// - Parameters:
  ///   - probe: what the file is made of.
  ///   - declaredType: the type by its name or its list; nil when there is none.
  package func decision(_ probe: MediaProbe, declaredType: String?) -> PlayDecision {
    let declared = declaredType.map(Self.essence)
    if let declared, !Self.isFilm(declared) || Self.isPicture(probe) { return .direct(as: declared) }
    let container = MediaContainer(probe, declaredType: declared)
    let picture = abilities.hasScreen ? probe.picture : nil
    let sound = probe.sound
    guard picture != nil || sound != nil else {
      return .impossible(emptiness(probe), contentType: declared)
    }
    var reasons: [String] = []
    if !abilities.hasScreen, probe.picture != nil {
      reasons.append("\(deviceName) has no display and plays the sound alone")
    }
    let pictureProblem = picture.flatMap(problem(picture:))
    let soundProblem = sound.flatMap(problem(sound:))
    reasons += [pictureProblem, soundProblem].compactMap(\.self)
    if let problem = problem(of: container, picture, sound, declared: declared, hasOther: !reasons.isEmpty) {
      reasons.append(problem)
    }
    guard !reasons.isEmpty else {
      return .direct(as: container.contentType(hasPicture: picture != nil, declared: declared))
    }
    let demuxers = probe.formats.filter(MediaDemuxers.areSafe)
    guard !demuxers.isEmpty else {
      return .impossible(
        "\(reasons.joined(separator: "; ")); castq does not convert such files", contentType: declared)
    }
    let recipe = RecipeWriter(abilities: abilities, demuxers: demuxers).recipe(
      picture: picture, copiesPicture: pictureProblem == nil, sound: sound, copiesSound: soundProblem == nil)
    if recipe.way == .audio, soundProblem == nil, let codec = sound?.codec {
      reasons.append(
        "the sound is \(MediaNames.codec(codec)), which is not kept in \(recipe.container.words)")
    }
    return PlayDecision(
      way: recipe.way, reasons: reasons, contentType: recipe.contentType, recipe: recipe,
      isCertain: isPlayedNowhere(container, picture, sound))
  }

  /// Whether no Cast device plays it: no player of a device reads the container, or decodes what is in it.
  private func isPlayedNowhere(
    _ container: MediaContainer, _ picture: MediaProbe.Stream?, _ sound: MediaProbe.Stream?
  ) -> Bool {
    if case .foreign(let name) = container, MediaContainer.unreadable.contains(name) { return true }
    if let picture, let codec = picture.codec {
      guard let known = VideoCodec(rawValue: codec) else { return true }
      if let profile = picture.profile, !known.profiles.contains(profile) { return true }
      if let format = picture.pixelFormat, !Self.isDecoded(format, known) { return true }
    }
    guard let codec = sound?.codec else { return false }
    return !DeviceAbilities.audioCodecs.contains(codec) && !MediaContainer.wave.holds(audio: codec)
      && !Self.passedThrough.contains(codec)
  }

  /// Sound that a television may decode itself.
  private static let passedThrough = ["ac3", "eac3"]

  /// The decision by a name alone, where nothing can be read from the file; nil where the name does not tell either.
  package func decision(byType declaredType: String?) -> (way: PlayDecision.Way, reason: String)? {
    guard let type = declaredType.map(Self.essence) else { return nil }
    if type.hasPrefix("video/"), !abilities.hasScreen {
      return (.remux, "\(deviceName) has no display and plays the sound alone")
    }
    guard let name = MediaDemuxers.foreignTypes[type] else { return nil }
    return (.remux, "\(name) is not among the documented containers")
  }

  // MARK: - Parts

  private func emptiness(_ probe: MediaProbe) -> String {
    if probe.picture != nil { return "it has no sound, and \(deviceName) has no display" }
    return "it has neither pictures that move nor sound"
  }

  /// Why a stream of pictures is not played; nil when it is. What the file does not tell is not held against it.
  private func problem(picture: MediaProbe.Stream) -> String? {
    let name = MediaNames.codec(picture.codec)
    guard let codec = picture.codec.flatMap(VideoCodec.init(rawValue:)) else {
      return "the picture is \(name), which no Cast device plays"
    }
    guard let limits = abilities.video[codec] else {
      return "the picture is \(name), which \(codec.audience); \(deviceName) is \(abilities.words)"
    }
    if let profile = picture.profile, !codec.profiles.contains(profile) {
      return
        "the picture is \(name) \(TerminalText.excerpt(profile, limit: 40)), which no Cast device decodes"
    }
    if let format = picture.pixelFormat, !Self.isDecoded(format, codec) {
      return "the picture is \(name) with points as \(TerminalText.excerpt(format, limit: 40)), "
        + "which no Cast device decodes"
    }
    if let level = picture.level, let most = limits.level, level > most, let words = codec.levelWords(level) {
      return "the picture is \(name) at level \(words), and \(deviceName) decodes level "
        + "\(codec.levelWords(most) ?? "\(most)") at most"
    }
    return problem(size: picture, limits)
  }

  private func problem(size picture: MediaProbe.Stream, _ limits: VideoLimits) -> String? {
    guard let width = picture.width, let height = picture.height else { return nil }
    guard limits.size.contains(width: width, height: height) else {
      return "the picture has \(width)×\(height) points, and \(deviceName) shows \(limits.size.words) at most"
    }
    let most = limits.rate(width: width, height: height)
    // 59.94 is written as 60 by some, and measured rates are not exact.
    guard let rate = picture.frameRate, rate > most * 1.02 else { return nil }
    return "it has \(DecimalWords.rounded(rate)) pictures a second, and \(deviceName) shows "
      + "\(DecimalWords.rounded(most)) of \(width)×\(height) points at most"
  }

  private func problem(sound: MediaProbe.Stream) -> String? {
    let name = MediaNames.codec(sound.codec)
    let codec = sound.codec ?? ""
    guard DeviceAbilities.audioCodecs.contains(codec) || MediaContainer.wave.holds(audio: codec) else {
      let isPassedThrough = Self.passedThrough.contains(codec)
      return "the sound is \(name), which "
        + (isPassedThrough ? "plays only where the television accepts it" : "no Cast device plays")
    }
    if let channels = sound.channels, channels > DeviceAbilities.mostChannels {
      return "the sound has \(channels) channels, and devices play \(DeviceAbilities.mostChannels) at most"
    }
    if let rate = sound.sampleRate, rate > DeviceAbilities.highestSampleRate {
      return "the sound has \(rate) samples a second, and devices play "
        + "\(DeviceAbilities.highestSampleRate) at most"
    }
    return nil
  }

  /// Why streams that are played elsewhere are not played in this container.
  private func problem(
    of container: MediaContainer, _ picture: MediaProbe.Stream?, _ sound: MediaProbe.Stream?,
    declared: String?,
    hasOther: Bool
  ) -> String? {
    let name = MediaNames.container(container)
    guard container.isDocumented else { return "\(name) is not among the documented containers" }
    guard !hasOther else { return nil }
    if let codec = picture?.codec.flatMap(VideoCodec.init(rawValue:)), !container.videoCodecs.contains(codec)
    {
      return "the picture is \(codec.words), which devices do not find in \(name)"
    }
    if let codec = sound?.codec, !container.holds(audio: codec) {
      return "the sound is \(MediaNames.codec(codec)), which devices do not find in \(name)"
    }
    return nil
  }

  private static func isDecoded(_ format: String, _ codec: VideoCodec) -> Bool {
    switch codec {
    case .h264, .vp8: ["yuv420p", "yuvj420p"].contains(format)
    case .hevc, .vp9, .av1: ["yuv420p", "yuvj420p", "yuv420p10le"].contains(format)
    }
  }

  /// The type without parameters, in lower case.
  private static func essence(_ type: String) -> String {
    (type.split(separator: ";").first.map(String.init) ?? type).filter { $0 != " " }.lowercased()
  }

  /// Whether a type is film or sound in one file. Pictures, pages and manifests are not converted.
  static func isFilm(_ type: String) -> Bool {
    let type = essence(type)
    guard !["audio/mpegurl", "audio/x-mpegurl"].contains(type) else { return false }
    return ["video", "audio"].contains(ContentTypes.family(of: type)) || type == "application/ogg"
  }

  /// Whether it is a still picture, whatever its name.
  private static func isPicture(_ probe: MediaProbe) -> Bool {
    probe.formats.contains { $0 == "image2" || $0.hasSuffix("_pipe") }
  }
}

extension MediaProbe {
  /// The pictures a player shows: the default stream, else the first. Covers are none.
  var picture: Stream? { preferred(.video) }

  /// The sound a player plays: the default stream, else the first.
  var sound: Stream? { preferred(.audio) }

  private func preferred(_ kind: Stream.Kind) -> Stream? {
    let all = streams.filter { $0.kind == kind }
    return all.first(where: \.isDefault) ?? all.first
  }
}

/// Numbers in messages.
enum DecimalWords {
  /// With two digits after the point at most: `29.97`, `60`.
  static func rounded(_ value: Double) -> String {
    let hundredths = Int(bounded: (value * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    let digits = rest < 10 ? "0\(rest)" : "\(rest)"
    return "\(whole).\(rest.isMultiple(of: 10) ? String(digits.dropLast()) : digits)"
  }
}
