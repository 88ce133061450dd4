package import CastqFeeding
package import CastqMediaServer
import Glibc

extension GuestShares {
  /// Those of this process, by its limit as it is now.
  package static var ofProcess: GuestShares {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return GuestShares(descriptors: least)
    }
    return GuestShares(descriptors: Int(clamping: limit.rlim_cur))
  }

  /// How many this process has open; nil where the system does not say.
  package static var openDescriptors: Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // The folder itself, and the two names that every folder has.
    return max(count - 3, 0)
  }
}

extension MediaServerLimits {
  /// - Parameter shares: those of the process that serves.
  package init(_ shares: GuestShares) {
    self.init()
    (connections, connectionsPerAddress) = (shares.mediaConnections, shares.mediaConnectionsOfAddress)
  }
}
