import CastProtocol

/// What `castq daemon` goes by.
package struct DaemonConfiguration: Sendable, Hashable {
  /// What becomes of the screens when the daemon ends.
  package var onExit = RunnerEnding.leave
  /// For devices that are not named.
  package var standard = DeviceRules()
  /// By the names the file uses, in its order; what a device leaves open is filled in from `standard` already.
  package var devices: [Named] = []

  /// A device of the file.
  package struct Named: Sendable, Hashable {
    /// Alias, name, UUID or address.
    package var name: String
    package var rules: DeviceRules

    package init(name: String, rules: DeviceRules) {
      self.name = name
      self.rules = rules
    }
  }

  /// What holds where nobody wrote anything.
  package init() {}

  /// The rules of a device that goes by these names; the first entry of the file that fits counts.
  package func rules(for names: [String]) -> DeviceRules {
    devices.first { $0.isMeant(by: names) }?.rules ?? standard
  }
}

extension DaemonConfiguration.Named {
  /// Whether one of these names is the one in the file; a UUID may be written in any way.
  package func isMeant(by names: [String]) -> Bool {
    let wanted = name.lowercased()
    let id = Device.normalizedID(name)
    return names.contains { $0.lowercased() == wanted || (id != nil && $0 == id) }
  }
}
