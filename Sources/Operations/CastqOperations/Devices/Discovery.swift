package import CastqDaemon
import CastqFeeding
import CastqText
import Glibc

/// Device discovery settings of this program.
package enum Discovery {
  /// How long to search the network for an unknown name.
  static let lookup = Duration.seconds(3)

  /// Searches all multicast interfaces, or those in `CASTQ_INTERFACES`; `none` disables discovery.
  package static func finder() -> any DeviceFinder {
    guard let names = Environment.value("CASTQ_INTERFACES") else { return NetworkFinder() }
    if names == "none" {
      return AbsentFinder(
        DeviceScan.Problem(
          code: "switched_off", message: "discovery is switched off: CASTQ_INTERFACES is none"))
    }
    return NetworkFinder(interfaces: Set(names.split(separator: ",").map(String.init)))
  }

  /// Why no device was found and what to do, in one line without the program's name.
  package static func words(for problems: [DeviceScan.Problem]) -> String {
    let byHand = MulticastFinding.byHand.typed
    guard problems.isEmpty else {
      return problems.map { problem in
        problem.advice.map { "\(problem.message): \($0)" } ?? problem.message
      }.joined(separator: "; ") + "; \(byHand)"
    }
    let suspicion =
      isInOwnNetwork
      ? "a container's own network passes no multicast: run it with network_mode: host"
      : "multicast may be blocked (VLANs, guest networks), or UDP port 5353 by a firewall"
    return "nothing answered; is the device on, and in this network? If so, \(suspicion); \(byHand)"
  }

  /// Whether this is a container with a network of its own, in which nothing is heard of the computer's.
  static var isInOwnNetwork: Bool {
    guard isInContainer, Environment.value("CASTQ_INTERFACES") == nil else { return false }
    let interfaces = names(in: "/sys/class/net").filter { $0 != "lo" }
    return !interfaces.isEmpty && interfaces.allSatisfy(leadsToComputer)
  }

  /// Docker and Podman create these files.
  private static var isInContainer: Bool {
    access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0
  }

  /// Whether the other end of an interface is on the computer around the container: a pair (veth), or a tunnel of rootless Podman. A macvlan,
  /// which has its type in `uevent`, leads to the network itself.
  private static func leadsToComputer(_ name: String) -> Bool {
    let folder = "/sys/class/net/\(name)"
    if access("\(folder)/tun_flags", F_OK) == 0 { return true }
    return text(of: "\(folder)/iflink") != text(of: "\(folder)/ifindex")
      && !text(of: "\(folder)/uevent").contains("DEVTYPE=")
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func text(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return String(decoding: ConfigurationFile.bytes(of: descriptor, limit: 4096) ?? [], as: UTF8.self)
  }
}
