/// One way to the neighbours: a network interface and a family of addresses. What is said on a link is heard there alone.
package struct DiscoveryLink: Sendable, Hashable {
  package enum Family: Sendable, Hashable {
    case v4
    case v6
  }

  /// The interface's name, such as `wlan0`.
  package let interface: String
  package let family: Family
  /// Whether it leads to this computer alone.
  package let isLoopback: Bool

  package init(interface: String, family: Family, isLoopback: Bool = false) {
    self.interface = interface
    self.family = family
    self.isLoopback = isLoopback
  }

  /// By interface, IPv4 first.
  var order: (String, Int) { (interface, family == .v4 ? 0 : 1) }
}

/// How often devices are asked for (protocol 13.5).
package enum DiscoveryPace: Sendable, Hashable {
  /// Somebody looks at the list: after the first seconds every ten.
  case active
  /// The list is kept for later: less and less often, at last once an hour.
  case passive
  /// Three times, and never again.
  case once

  /// The longest time between two questions; nil when they end after `onceCount`.
  var longestInterval: Duration? {
    switch self {
    case .active: .seconds(10)
    case .passive: .seconds(3600)
    case .once: nil
    }
  }

  /// Questions of `.once`.
  static let onceCount = 3
}

extension DiscoveryMachine {
  package enum Event: Sendable {
    /// Look for what these names stand for: the service type, or subtypes of it (protocol 13.4). Begins anew when it runs.
    case start(services: [DNSName], pace: DiscoveryPace)
    case stop
    /// These links can be used now, and no others.
    case linksChanged([DiscoveryLink])
    /// A packet was heard.
    case received([UInt8], on: DiscoveryLink)
    /// Somebody waits for a device: ask now, and for everything that is known of it.
    case lookFor(uniqueID: String)
    case timerFired
  }

  package enum Action: Sendable, Equatable {
    /// Send a packet to the group.
    case send([UInt8], on: DiscoveryLink)
    /// Wake the machine after this long; takes the place of an earlier request.
    case startTimer(Duration)
    case stopTimer
    case found(Device)
    /// Something about a device changed: its place, its name, its state.
    case changed(Device)
    case lost(Device)
    /// A device that somebody waits for has told where it is, changed or not.
    case heard(Device)
    /// Something for the log.
    case note(Note)
  }

  /// What was noticed, and changes nothing.
  package enum Note: Sendable, Hashable, CustomStringConvertible {
    case unreadable(DNSError, on: DiscoveryLink)
    case noDevice(DNSName, CastServiceRecord.Flaw)
    case tooManyDevices
    case unsendable(DNSError)

    package var description: String {
      switch self {
      case .unreadable(let error, let link): "ignored a message on \(link.interface): \(error)"
      case .noDevice(let name, let flaw): "ignored ‘\(name)’: \(flaw)"
      case .tooManyDevices:
        "more than \(DiscoveredRecords.instanceLimit) devices are announced; further ones are ignored"
      case .unsendable(let error): "sent no query for devices: \(error)"
      }
    }
  }
}
