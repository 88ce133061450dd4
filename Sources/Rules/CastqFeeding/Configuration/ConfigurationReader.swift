import CastGuard
package import CastProtocol
import CastqPlaylists
import CastqSchedule
package import CastqText

/// Reads the configuration file, which is YAML or JSON. Every mistake in it is reported with its place. A file with a mistake is
/// rejected as a whole.
package struct ConfigurationReader {
  /// Largest size of a configuration, in bytes.
  package static let longest = 1 << 20

  private let file: String
  let zone: (String) throws(TextError) -> TimeZoneRules
  /// Returns what is wrong with a style of the faces; nil when nothing is.
  let checkStyle: (JSONValue) -> String?
  private var issues: [PlaylistIssue] = []

  /// The configuration, or every issue in the order of the file when anything is wrong.
  /// - Parameters:
  ///   - file: the file name for messages.
  ///   - zone: returns the rules of a time zone by its name, such as `Europe/Berlin`, or says why there is none.
  ///   - checkStyle: returns what is wrong with a style of the faces; nil when nothing is.
  package static func read(
    _ bytes: [UInt8], file: String, zone: @escaping (String) throws(TextError) -> TimeZoneRules = noZone,
    checkStyle: @escaping (JSONValue) -> String? = { _ in nil }
  ) -> Result<DaemonConfiguration, ConfigurationError> {
    var reader = ConfigurationReader(file: file, zone: zone, checkStyle: checkStyle)
    var limits = DocumentLimits()
    limits.bytes = longest
    limits.errors = 100
    if let error = excess(bytes, file: file) { return .failure(error) }
    let document = YAMLReader.read(bytes, limits: limits)
    for error in document.errors {
      reader.report(DocumentPlace(line: error.line, column: error.column), error.value)
    }
    let configuration = document.root.map { reader.configuration($0) } ?? DaemonConfiguration()
    guard reader.issues.isEmpty else { return .failure(ConfigurationError(issues: reader.issues)) }
    return .success(configuration)
  }

  /// The error of a configuration that is too large; nil for others.
  private static func excess(_ bytes: [UInt8], file: String) -> ConfigurationError? {
    guard bytes.count > longest else { return nil }
    let words = "the configuration is larger than \(longest) bytes"
    return ConfigurationError(issues: [PlaylistIssue(.error, .limit, file: file, message: words)])
  }

  /// Knows no zone: for what is read without one.
  package static func noZone(_ name: String) throws(TextError) -> TimeZoneRules {
    throw TextError("no time zone is known")
  }

  /// One key of the file; nil without it.
  static func read<Value>(
    _ key: RootKey, of bytes: [UInt8], file: String,
    zone: @escaping (String) throws(TextError) -> TimeZoneRules = noZone,
    _ value: (inout Self, DocumentNode) -> Value
  ) -> Result<Value?, ConfigurationError> {
    var reader = ConfigurationReader(file: file, zone: zone, checkStyle: { _ in nil })
    var limits = DocumentLimits()
    limits.bytes = longest
    limits.errors = 100
    if let error = excess(bytes, file: file) { return .failure(error) }
    let document = YAMLReader.read(bytes, limits: limits)
    for error in document.errors {
      reader.report(DocumentPlace(line: error.line, column: error.column), error.value)
    }
    let node = document.root?.mapping?.first { $0.key == key.rawValue }?.value
    let result = node.map { value(&reader, $0) }
    guard reader.issues.isEmpty else { return .failure(ConfigurationError(issues: reader.issues)) }
    return .success(result)
  }

  mutating func report(_ place: DocumentPlace, _ error: TextError) {
    issues.append(PlaylistIssue(.error, file: file, at: place, error))
  }

  /// What is read of a node; nil, and an issue, where that fails.
  mutating func value<Value>(_ node: DocumentNode, _ read: () throws(TextError) -> Value) -> Value? {
    do throws(TextError) { return try read() } catch {
      report(node.place, error)
      return nil
    }
  }

  // MARK: - The file

  enum RootKey: String, CaseIterable {
    case daemon, defaults, devices, resolvers
    case mediaPort = "media_port"
    /// These apply to every device, as in `defaults`.
    case advertise
    case subtitles
    case subtitleStyle = "subtitle_style"
    case receiverApplication = "receiver_application"
    case programs
    case prepare
    case allowLocal = "allow_local"
    case timezone, refresh, library, web, mpd, metrics, hooks
    case defaultDevice = "default_device"
    /// How the page and the terminal look, and what they do by themselves.
    case style, introduction
    case openController = "open_controller"
    /// For `castq-link`; the daemon leaves it alone.
    case link
  }
  private enum ProgramKey: String, CaseIterable { case ffprobe, ffmpeg }
  private enum DaemonKey: String, CaseIterable { case onExit = "on_exit" }
  private enum RuleKey: String, CaseIterable {
    case list, address, guests, volume, advertise, subtitles
    case quietHours = "quiet_hours"
    case quietVolume = "quiet_volume"
    case subtitleStyle = "subtitle_style"
    case timeZone = "time_zone"
    case pageApplication = "page_application"
    case receiverApplication = "receiver_application"
    case onError = "on_error"
    case playsAs = "plays_as"
  }

  private mutating func configuration(_ root: DocumentNode) -> DaemonConfiguration {
    var configuration = DaemonConfiguration()
    if case .scalar(.null, _) = root.content { return configuration }
    var devices: DocumentNode?
    var application: String?
    var advertised: AdvertisedAddress?
    var subtitles: SubtitleChoice?
    var style: MediaTextTrackStyle?
    // Quiet hours go by the clocks of the site, wherever those stand in the file.
    let own = root.mapping?.first { $0.key == RootKey.timezone.rawValue }?.value.string
    configuration.standard.zone = own.flatMap { $0 == "local" ? nil : try? zone($0) }
    for (key, value) in fields(root, of: "a configuration", as: RootKey.self) {
      switch key {
      case .daemon:
        for (key, value) in fields(value, of: "`daemon`", as: DaemonKey.self) {
          switch key {
          case .onExit: configuration.onExit = ending(value) ?? configuration.onExit
          }
        }
      case .defaults:
        configuration.standard = rules(value, over: configuration.standard, of: "`defaults`")
        refuseDefault(of: value)
      case .devices: devices = value
      case .resolvers: configuration.resolvers = resolvers(value)
      case .allowLocal: configuration.allowedLocal = allowedLocal(value)
      case .mediaPort: configuration.mediaPort = mediaPort(value)
      case .advertise: advertised = advertisedAddress(value) ?? nil
      case .receiverApplication: application = self.application(value)
      case .subtitles: subtitles = self.subtitles(value)
      case .subtitleStyle: style = self.style(value)
      case .programs: configuration.programs = programs(value)
      case .prepare: configuration.preparation = preparation(value)
      case .refresh: configuration.refresh = refresh(value) ?? configuration.refresh
      case .web: configuration.web = web(value)
      case .library: configuration.library = library(value)
      case .mpd: configuration.mpd = mpd(value)
      case .defaultDevice: configuration.defaultDevice = deviceName(value)
      case .style: configuration.face.style = faceStyle(value)
      case .introduction:
        configuration.face.showsIntroduction =
          showsIntroduction(value) ?? configuration.face.showsIntroduction
      case .openController:
        configuration.face.opensController = opensController(value) ?? configuration.face.opensController
      case .metrics: configuration.metrics = metrics(value)
      case .hooks: configuration.hooks = hooks(value)
      case .timezone: configuration.siteZone = siteZone(value)
      case .link: break
      }
    }
    if configuration.standard.subtitles == .first, let subtitles {
      configuration.standard.subtitles = subtitles
    }
    configuration.standard.subtitleStyle = configuration.standard.subtitleStyle ?? style
    let standard = configuration.standard.receiverApplication
    configuration.standard.receiverApplication = standard ?? application
    configuration.standard.advertised = configuration.standard.advertised ?? advertised
    // The devices override the defaults, wherever those stand in the file.
    if let devices { configuration.devices = named(devices, over: configuration.standard) }
    return configuration
  }

  private mutating func named(
    _ node: DocumentNode, over standard: DeviceRules
  ) -> [DaemonConfiguration.Named] {
    if case .scalar(.null, _) = node.content { return [] }
    guard let members = node.mapping else {
      report(
        node.place,
        TextError(
          "expected devices, found \(node.kindName)", hint: "write them as in {lobby: {guests: never}}"))
      return []
    }
    return members.map { member in
      let rules = rules(member.value, over: standard, of: "a device")
      // Without an address the key is what the network calls the device, or what somebody else has.
      if rules.address != nil { checkName(member.key, at: member.place) }
      return DaemonConfiguration.Named(name: member.key, rules: rules)
    }
  }

  /// The devices that have an address, with no other rule of theirs.
  mutating func addressed(_ node: DocumentNode) -> [DaemonConfiguration.Named] {
    (node.mapping ?? []).compactMap { member in
      guard let value = member.value.mapping?.first(where: { $0.key == RuleKey.address.rawValue })?.value,
        let address = address(value)
      else { return nil }
      checkName(member.key, at: member.place)
      var rules = DeviceRules()
      rules.address = address
      return DaemonConfiguration.Named(name: member.key, rules: rules)
    }
  }

  private mutating func checkName(_ name: String, at place: DocumentPlace) {
    guard !GivenName.isName(name) else { return }
    report(
      place,
      TextError(
        "`\(TerminalText.excerpt(name))` is no name for a device",
        hint:
          "write 1 to \(GivenName.mostBytes) bytes without control characters, blanks at the ends, and - at the beginning"
      ))
  }

  private mutating func rules(
    _ node: DocumentNode, over standard: DeviceRules, of whole: String
  ) -> DeviceRules {
    var rules = standard
    for (key, value) in fields(node, of: whole, as: RuleKey.self) {
      switch key {
      case .list: rules.list = list(value) ?? rules.list
      case .address: rules.address = address(value) ?? rules.address
      case .guests: rules.guests = guests(value) ?? rules.guests
      case .volume: rules.volume = volume(value, or: "keep") ?? rules.volume
      case .quietHours: readQuietHours(value, into: &rules)
      case .quietVolume: rules.quietVolume = volume(value, or: "off") ?? rules.quietVolume
      case .receiverApplication:
        rules.receiverApplication = application(value) ?? rules.receiverApplication
      case .advertise: rules.advertised = advertisedAddress(value) ?? rules.advertised
      case .pageApplication: rules.pageApplication = application(value) ?? rules.pageApplication
      case .playsAs: rules.playsAs = model(value) ?? rules.playsAs
      case .onError: rules.onError = errorPolicy(value) ?? rules.onError
      case .subtitleStyle: rules.subtitleStyle = style(value) ?? rules.subtitleStyle
      case .subtitles: rules.subtitles = subtitles(value) ?? rules.subtitles
      case .timeZone: rules.zone = zone(value) ?? rules.zone
      }
    }
    return rules
  }

  // MARK: - Values

  mutating func fields<Key: RawRepresentable & CaseIterable>(
    _ node: DocumentNode, of whole: String, as keys: Key.Type
  ) -> [(Key, DocumentNode)] where Key.RawValue == String {
    if case .scalar(.null, _) = node.content { return [] }
    guard let members = node.mapping else {
      report(node.place, TextError("expected \(whole), found \(node.kindName)", hint: "write key: value"))
      return []
    }
    return members.compactMap { member in
      if let key = Key(rawValue: member.key) { return (key, member.value) }
      let names = Key.allCases.map(\.rawValue)
      let near =
        Self.misplacedZone(member.key, names)
        ?? Spelling.nearest(to: member.key, in: names).map { "did you mean `\($0)`?" }
      report(
        member.place,
        TextError(
          "`\(TerminalText.excerpt(member.key))` is not a key of \(whole)",
          hint: FaceWords(near ?? "the keys are \(names.joined(separator: ", "))")))
      return nil
    }
  }

  private mutating func ending(_ node: DocumentNode) -> RunnerEnding? {
    switch node.string {
    case "leave": return .leave
    case "stop": return .stop
    default:
      report(node.place, TextError("\(node.shown) is not valid here", hint: "write leave or stop"))
      return nil
    }
  }

  private mutating func guests(_ node: DocumentNode) -> GuestPolicy? {
    // A bare number is a lease in seconds.
    value(node) { () throws(TextError) in
      try GuestPolicy(node.plainText("a guest policy", hint: "write never, always or lease 10m"))
    }
  }

  private mutating func errorPolicy(_ node: DocumentNode) -> EntryErrorPolicy? {
    guard case .scalar(_, let text) = node.content, let policy = EntryErrorPolicy(text) else {
      report(
        node.place, TextError("\(node.shown) is not an error policy", hint: "write skip, stop or retry 3"))
      return nil
    }
    return policy
  }

  private mutating func programs(_ node: DocumentNode) -> ProgramChoices {
    var choices = ProgramChoices()
    for (key, value) in fields(node, of: "`programs`", as: ProgramKey.self) {
      switch key {
      case .ffprobe: choices.ffprobe = program(value) ?? choices.ffprobe
      case .ffmpeg: choices.ffmpeg = program(value) ?? choices.ffmpeg
      }
    }
    return choices
  }

  private mutating func program(_ node: DocumentNode) -> ProgramChoice? {
    value(node) { () throws(TextError) in
      guard let text = node.string else {
        throw TextError(
          "\(node.shown) is not the path of a program", hint: "write it as in /usr/local/bin/ffprobe, or off")
      }
      return try ProgramChoice(text)
    }
  }

  private mutating func style(_ node: DocumentNode) -> MediaTextTrackStyle? {
    let (style, issues) = NativePlaylistParser.style(node, file: file)
    self.issues += issues
    return style
  }

  private mutating func subtitles(_ node: DocumentNode) -> SubtitleChoice? {
    value(node) { () throws(TextError) in
      guard let text = node.string else {
        throw TextError(
          "\(node.shown) is not a choice of subtitles", hint: "write a language such as en, or off")
      }
      return try SubtitleChoice(text)
    }
  }

  /// Whether a text has the form of an application ID (protocol 15).
  package static func isApplicationID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || "-_".utf8.contains($0) }
  }

  private mutating func application(_ node: DocumentNode) -> String? {
    guard case .scalar(let value, let text) = node.content, value != .null, Self.isApplicationID(text)
    else {
      report(
        node.place, TextError("\(node.shown) is not an application ID", hint: "write one such as 5C517DAC"))
      return nil
    }
    return text.uppercased()
  }

  /// An address, or an inner nil for `auto`; nil, and an issue, for anything else.
  private mutating func advertisedAddress(_ node: DocumentNode) -> AdvertisedAddress?? {
    if node.string == "auto" { return .some(nil) }
    return value(node) { () throws(TextError) -> AdvertisedAddress? in
      try AdvertisedAddress(node.plainText("an address", hint: "write it as in 192.0.2.10:8011, or auto"))
    }
  }

  private mutating func mediaPort(_ node: DocumentNode) -> Int? {
    guard case .scalar(_, let text) = node.content, let port = try? AdvertisedAddress.port(text) else {
      report(node.place, TextError("\(node.shown) is not a port", hint: "write 1 to 65535"))
      return nil
    }
    return port
  }

  /// A level, or an inner nil for the word in `none`; nil, and an issue, for anything else.
  private mutating func volume(_ node: DocumentNode, or none: String) -> Double?? {
    let hint: FaceWords = "write 0 to 100, or \(none)"
    return value(node) { () throws(TextError) -> Double? in
      let text = try node.plainText("a volume", hint: hint)
      if text == none { return nil }
      guard case .scalar(let value, _) = node.content,
        value.double != nil || text.hasPrefix("+") || text.hasPrefix("-")
      else { throw TextError("\(node.shown) is not a volume", hint: hint) }
      guard case .level(let level) = try VolumeText(text) else {
        throw TextError("\(node.shown) is a change, not a volume", hint: hint)
      }
      return level
    }
  }

  mutating func hours(_ node: DocumentNode) -> [QuietHours]? {
    // One part of the day needs no list.
    let nodes = node.list ?? [node]
    let count = issues.count
    let hours = nodes.compactMap { node -> QuietHours? in
      value(node) { () throws(TextError) in
        guard let text = node.string else {
          throw TextError("\(node.shown) is not a time range", hint: "write it as in \"22:00-07:00\"")
        }
        return try QuietHours(text)
      }
    }
    return issues.count == count ? hours : nil
  }
}

extension DocumentNode {
  /// What a message calls it.
  var shown: String {
    guard case .scalar(let value, let text) = content, value != .null else { return kindName }
    return "`\(TerminalText.excerpt(text))`"
  }

  /// What was written: without quotes YAML may read an address with a port, or a length of time, as a number.
  func plainText(_ meaning: String, hint: FaceWords) throws(TextError) -> String {
    guard case .scalar(let value, let text) = content, value != .null, value.bool == nil else {
      throw TextError("\(shown) is not \(meaning)", hint: hint)
    }
    return text
  }
}
