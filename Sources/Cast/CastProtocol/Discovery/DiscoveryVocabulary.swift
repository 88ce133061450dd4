/// A network interface and an address family. A packet that is sent on a link is received on that link only.
package struct DiscoveryLink: Sendable, Hashable {
  package enum Family: Sendable, Hashable {
    case v4
    case v6
  }

  /// The interface's name, such as `wlan0`.
  package let interface: String
  package let family: Family
  /// Whether it is the loopback interface.
  package let isLoopback: Bool

  package init(interface: String, family: Family, isLoopback: Bool = false) {
    self.interface = interface
    self.family = family
    self.isLoopback = isLoopback
  }

  /// By interface name, IPv4 first.
  var order: (String, Int) { (interface, family == .v4 ? 0 : 1) }
}

/// How often to query (protocol 13.5).
package enum DiscoveryPace: Sendable, Hashable {
  /// For a displayed list: after the first seconds every ten.
  case active
  /// For later use: at growing intervals, up to one hour.
  case passive
  /// Three queries, without repetition.
  case once

  /// Maximum interval between two queries; nil when they end after `onceCount`.
  var longestInterval: Duration? {
    switch self {
    case .active: .seconds(10)
    case .passive: .seconds(3600)
    case .once: nil
    }
  }

  /// Number of queries of `.once`.
  static let onceCount = 3
}

extension DiscoveryMachine {
  package enum Event: Sendable {
    /// Start to search for these names: the service type, or subtypes of it (protocol 13.4). Restarts a running search.
    case start(services: [DNSName], pace: DiscoveryPace)
    case stop
    /// The complete set of usable links.
    case linksChanged([DiscoveryLink])
    /// A packet was received.
    case received([UInt8], on: DiscoveryLink)
    /// A caller waits for a device: query now, including all of its known records.
    case lookFor(uniqueID: String)
    case timerFired
  }

  package enum Action: Sendable, Equatable {
    /// Send a packet to the group.
    case send([UInt8], on: DiscoveryLink)
    /// Start the timer; replaces a running one.
    case startTimer(Duration)
    case stopTimer
    case found(Device)
    /// A property of a device changed: its endpoint, its name, its status.
    case changed(Device)
    case lost(Device)
    /// A device with a waiting caller has announced its endpoint, changed or not.
    case heard(Device)
    /// An observation for the log.
    case note(Note)
  }

  /// An observation without an effect.
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
