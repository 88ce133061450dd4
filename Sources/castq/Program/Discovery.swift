import CastqDaemon
import Glibc

/// How this program looks for devices on the network.
enum Discovery {
  /// How long a name that nobody knows is looked for.
  static let lookup = Duration.seconds(3)

  /// On all interfaces that can do multicast, or on those that `CASTQ_INTERFACES` names; `none` is none.
  static func finder() -> any DeviceFinder {
    guard let names = Environment.value("CASTQ_INTERFACES") else { return NetworkFinder() }
    if names == "none" {
      return AbsentFinder(
        DeviceScan.Problem(
          code: "switched_off", message: "looking for devices is switched off: CASTQ_INTERFACES is none"))
    }
    return NetworkFinder(interfaces: Set(names.split(separator: ",").map(String.init)))
  }

  /// Why nothing was heard, and what to do, in one line without the program's name.
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
      : "multicast may be blocked between here and there (docker, VLANs, guest networks), or UDP port 5353 by a firewall"
    return "nothing answered; \(suspicion); \(byHand)"
  }

  /// Docker and Podman leave these marks.
  private static var isInContainer: Bool {
    access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0
  }
}
