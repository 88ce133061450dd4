import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import Glibc

/// What the doctor serves, and what another process got of it.
struct ServedFiles {
  /// Nil where it could not start, or another castq serves.
  var own: DoctorServer?
  var finding: MediaFinding
  var subtitles: SubtitleFinding
}

extension Examination {
  /// The server of the castq that feeds the device, or may begin to at any time; nil if there is none.
  func runningServer() async -> RunningServer? {
    guard let device, device.id != DeviceID(0), !global.noDaemon,
      let socket = workspace.controlSocket(for: device)
    else { return nil }
    return await RunningServer(socket: socket, id: device.id, device: device.endpoint.host)
  }

  /// Serves a test sound and a test subtitle, and has another process fetch them. Where another castq serves the device, its port is
  /// left alone: that is tried as it is, and only the subtitle is served here.
  func served(beside running: RunningServer?) async -> ServedFiles {
    let folder = Environment.value("TMPDIR") ?? "/tmp"
    guard let running else {
      do throws(DoctorServer.Refusal) {
        let server = try await DoctorServer.start(
          for: device?.endpoint.host, advertised: rules.advertised, port: mediaPort,
          database: workspace.database,
          folder: folder)
        return await tried(server)
      } catch {
        return ServedFiles(finding: finding(error.server), subtitles: .notTried)
      }
    }
    var finding = finding(.idle)
    finding.deviceFetch = running.lately(now: .now)
    (finding.port, finding.origin) = (running.port, .running)
    if let address = running.address(rules.advertised) {
      finding.address = address
      finding.server = await running.fetchBack(at: address)
    }
    guard
      let other = try? await DoctorServer.start(
        for: nil, advertised: nil, port: nil, database: nil, folder: folder)
    else { return ServedFiles(finding: finding, subtitles: .notTried) }
    let subtitles = await other.fetchSubtitles()
    await other.end()
    return ServedFiles(finding: finding, subtitles: subtitles)
  }

  private func finding(_ server: MediaFinding.Server) -> MediaFinding {
    MediaFinding(
      isAdvertised: rules.advertised != nil, deviceHost: device?.endpoint.host, server: server)
  }

  private func tried(_ server: DoctorServer) async -> ServedFiles {
    async let subtitles = server.fetchSubtitles()
    var finding = finding(await server.fetchBack())
    (finding.address, finding.port, finding.origin) = (server.address, server.port, server.origin)
    // A wrong address is named once.
    return ServedFiles(
      own: server, finding: finding,
      subtitles: finding.server == .fetchedBack ? await subtitles : .notTried)
  }
}
