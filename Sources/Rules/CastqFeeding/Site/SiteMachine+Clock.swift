import CastProtocol
import CastqPlaylists
import CastqSchedule
import CastqText

/// What the configuration says, and when: rules of devices, quiet hours.
extension SiteMachine {
  /// Follows another configuration.
  mutating func configure(_ new: DaemonConfiguration, _ times: SiteTimes) {
    (configuration, self.times) = (new, times)
    if scope == .service { actions.append(.serveMetrics(configuration.metrics)) }
    followBesideFeeding()
    // Rules may be read in another zone.
    pokeAll()
    followHooks()
    actions.append(.ask(.devices))
  }

  /// Follows the configuration in what castq does beside feeding. What feeds until its end changes nothing for others.
  mutating func followBesideFeeding() {
    if scope.device == nil { actions.append(.renewPreparation(configuration)) }
    guard scope == .service else { return }
    actions += [.followHooks(configuration.hooks), .writeConfiguration(configuration)]
  }

  mutating func followHooks() {
    guard scope == .service else { return }
    darkness.thresholds = configuration.hooks.thresholds
    watch(.timer)
  }

  /// Looks up the configured rules of each device.
  mutating func receive(_ names: [SiteName]) {
    let known = Set(names.map(\.id))
    let before = Set(devices.filter { $0.value.rules != nil }.keys)
    for id in known.symmetricDifference(before).sorted() { changed(id) }
    for id in before.subtracting(known) { devices[id]?.rules = nil }
    for name in names {
      let rules = configuration.rules(for: name.names)
      update(name.id) { device in
        device.rules = rules
        device.label = name.label
      }
    }
    followLists()
    supervise(
      .guests(
        standard: configuration.standard.guests, devices.compactMapValues { $0.rules?.guests }))
    followClock()
    startLate()
    readWork()
  }

  // MARK: - Quiet hours

  /// The civil time that a device's quiet hours use.
  func clock(of rules: DeviceRules) -> CivilTime { rules.clock(at: wall, localOffset: localOffset) }

  /// Starts and ends quiet hours. The wall clock may jump, so it is checked every minute while any device has quiet hours.
  mutating func followClock() {
    let rules = devices.compactMapValues(\.rules)
    supervise(.quiet(rules.filter { $0.value.isSilent(at: clock(of: $0.value)) }.mapValues(\.quietShow)))
    for (id, rules) in rules.sorted(by: { $0.key < $1.key }) where !rules.quietHours.isEmpty { changed(id) }
    for id in fed {
      guard let rules = rules[id] else { continue }
      let volume = rules.volume(at: clock(of: rules))
      guard devices[id]?.run?.volume != volume else { continue }
      devices[id]?.run?.volume = volume
      actions.append(.tell(id, .keepVolume(volume)))
    }
    prepare()
    guard rules.values.contains(where: { !$0.quietHours.isEmpty }) || !configuration.preparation.hours.isEmpty
    else {
      actions.append(.cancelTimer(.minute))
      return
    }
    // Zone offsets are whole minutes.
    let passed = (wall.milliseconds % 60_000 + 60_000) % 60_000
    actions.append(.startTimer(.minute, after: .milliseconds(Int64(60_000 - passed))))
  }

  /// Media are converted ahead of time for devices that are quiet by their own rules, or for all of them in the hours that are given for
  /// it.
  private mutating func prepare() {
    guard scope.device == nil, configuration.preparation.allow != .off else { return }
    let hours = configuration.preparation.hours
    let isTime = hours.contains { $0.contains(clock(of: configuration.standard)) }
    let quiet = devices.compactMapValues(\.rules).filter { _, rules in
      hours.isEmpty ? rules.isQuiet(at: clock(of: rules)) : isTime
    }
    actions.append(.prepare(Set(quiet.keys)))
  }

  /// Whether the device has quiet hours now in which nothing plays.
  func isSilent(_ id: DeviceID) -> Bool {
    guard let rules = devices[id]?.rules else { return false }
    return rules.isSilent(at: clock(of: rules))
  }

  /// Why nothing is shown on the device now.
  func quietHours(_ id: DeviceID) -> Failure {
    let until = endOfQuietHours(id).map { " until \(times.text($0))" } ?? ""
    return Failure(
      "quiet_hours", "quiet hours\(until): it plays then", hint: .playNow(devices[id]?.label ?? ""),
      exit: .tryAgain)
  }

  /// When quiet hours end; nil if not within 26 hours.
  func endOfQuietHours(_ id: DeviceID) -> WallTime? {
    guard let rules = devices[id]?.rules else { return nil }
    let minute = wall.milliseconds / 60_000
    return (1...26 * 60).lazy.map { WallTime(milliseconds: (minute + $0) * 60_000) }.first {
      !rules.isSilent(at: rules.clock(at: $0, localOffset: self.localOffset))
    }
  }
}
