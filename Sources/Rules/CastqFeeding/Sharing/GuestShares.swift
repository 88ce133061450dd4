/// How much of a process each kind of guest may use, by the number of descriptors that it may have: open files and sockets.
///
/// This is the one place that says so. What is no guest's is the reserve: sessions with devices, the database, other programs. A guest
/// too many is closed or refused; the oldest that does nothing goes before one that does something.
package struct GuestShares: Sendable, Hashable {
  /// The fewest for which shares are made.
  package static let least = 64

  /// What the process may have open.
  package let descriptors: Int

  /// - Parameter descriptors: the limit of the process; fewer than `least` count as `least`.
  package init(descriptors: Int) { self.descriptors = max(descriptors, Self.least) }

  // MARK: - The daemon

  /// Connections that fetch local files. Each may take a second descriptor, for its file: together they have at most half.
  package var mediaConnections: Int { min(descriptors / 4, 8192) }
  /// Those of one address, for each device that is fed there.
  package var mediaConnectionsOfAddress: Int { min(64, mediaConnections) }
  /// Clients of the control socket.
  package var controlClients: Int { min(descriptors / 8, 256) }
  /// Connections of those who read `/metrics` and whether castq is well.
  package var watchers: Int { min(descriptors / 16, 64) }
  /// What no guest of the daemon can take.
  package var reserve: Int { descriptors - 2 * mediaConnections - controlClients - watchers }

  // MARK: - The page and MPD, processes of their own

  /// Connections of the page.
  package var pageConnections: Int { min(descriptors / 2, 512) }
  /// Those of them that follow events.
  package var pageStreams: Int { pageConnections / 2 }
  /// Questions of the page that devices are asked at a time.
  package var deviceQuestions: Int { min(max(descriptors / 32, 2), 8) }
  /// Clients of the Music Player Daemon.
  package var mpdClients: Int { descriptors / 4 }

  // MARK: - Devices

  /// Descriptors of the process itself: its loops, its database, its log.
  private static let own = 40
  /// Those of a device that is fed: its session, the one that replaces it, and twice what it fetches with.
  private static let ofDevice = 8

  /// What should be allowed for this many devices.
  package static func wanted(forDevices count: Int) -> Int {
    max(least, (min(max(count, 0), 1_000_000) * ofDevice + own) * 2)
  }
}
