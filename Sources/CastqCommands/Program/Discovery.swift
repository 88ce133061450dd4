import CastqDaemon
import Glibc

/// Device discovery settings of this program.
enum Discovery {
  /// How long to search the network for an unknown name.
  static let lookup = Duration.seconds(3)

  /// Searches all multicast interfaces, or those in `CASTQ_INTERFACES`; `none` disables discovery.
  static func finder() -> any DeviceFinder {
    guard let names = Environment.value("CASTQ_INTERFACES") else { return NetworkFinder() }
    if names == "none" {
      return AbsentFinder(
        DeviceScan.Problem(
          code: "switched_off", message: "discovery is switched off: CASTQ_INTERFACES is none"))
    }
    return NetworkFinder(interfaces: Set(names.split(separator: ",").map(String.init)))
  }

  /// Why no device was found and what to do, in one line without the program's name.
  static func words(for problems: [DeviceScan.Problem]) -> String {
    let byHand = "'castq device add NAME HOST' needs no discovery"
    guard problems.isEmpty else {
      return problems.map { problem in
        problem.advice.map { "\(problem.message): \($0)" } ?? problem.message
      }.joined(separator: "; ") + "; \(byHand)"
    }
    let suspicion =
      isInContainer
      ? "a container's own network passes no multicast, so run it with network_mode: host"
      : "multicast may be blocked on the way (docker, VLANs, guest networks), or UDP port 5353 by a firewall"
    return "nothing answered; \(suspicion); \(byHand)"
  }

  /// Docker and Podman create these files.
  static var isInContainer: Bool {
    access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0
  }
}
