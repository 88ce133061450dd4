package import CastProtocol
package import CastqFeeding
import CastqMediaServer
package import CastqPlaylists
package import CastqText

/// The media server of a running feeder or daemon, as its access log shows it.
package struct RunningServer: Sendable {
  private let client: ControlClient
  private let device: String
  private let log: JSONValue
  /// The port that it listens on; nil while it has served nothing.
  package var port: Int? { log["port"]?.int }

  /// What it says of its open files; nil for one that says nothing.
  package var openFiles: JSONValue? { log["open_files"] }

  /// Why it is not connected to the device, and what to do; nil when it is.
  package var connectionProblem: String? { log["connection_problem"]?.string }

  /// Asks for the access log; nil if nothing answers at the socket.
  /// - Parameters:
  ///   - device: the device's IP address, or its name.
  package init?(socket: String, id: DeviceID, device: String) async {
    client = ControlClient(socket: socket, device: id)
    self.device = await HostLookup.address(of: device)
    guard let log = try? await client.ask(.fetches, timeout: .seconds(2)) else { return nil }
    self.log = log
  }

  /// What the device fetched last.
  package func lately(now: WallTime) -> MediaFinding.DeviceFetch {
    let host = device.prefix { $0 != "%" }
    let last = log["fetches"]?.array?.last { $0["client"]?.string == String(host) }
    guard let last, let url = last["url"]?.string,
      let began = last["started_at"]?.string.flatMap({ try? RFC3339.parse($0) })
    else { return .nothingLately }
    let path = (try? FilePath.path(url: url)) ?? url
    return .lately(file: FilePath.name(of: path), seconds: now - began)
  }

  /// The address that devices are given: host and port; nil without a port, or an address that leads to the device.
  package func address(_ advertised: AdvertisedAddress?) -> String? {
    guard let port, let host = try? advertised?.host ?? LocalAddress.reaching(device).literal else {
      return nil
    }
    return "\(LocalAddress.urlHost(of: host)):\(advertised?.port ?? port)"
  }

  /// Requests nothing in particular from it from another process of this computer. Its access log shows whether it was the one that
  /// answered.
  package func fetchBack(at address: String) async -> MediaFinding.Server {
    let before = refusals(log)
    do throws(FetchBack.Failure) {
      let fetched = try await FetchBack(of: "http://\(address)/castq-doctor")
      guard let status = fetched.status else { return .notFetched(fetched.problem ?? "no answer") }
      guard status == 404, let after = try? await client.ask(.fetches, timeout: .seconds(2)) else {
        return .otherContent
      }
      return refusals(after) == before ? .otherContent : .fetchedBack
    } catch {
      return .notTried("\(error)")
    }
  }

  /// The refused requests, newest last.
  private func refusals(_ log: JSONValue) -> [JSONValue] { log["refused"]?.array ?? [] }
}
