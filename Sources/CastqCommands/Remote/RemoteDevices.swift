import CastProtocol
import CastqCore
import CastSender
import CastqDaemon
import CastqStore
import CastqTerminal

/// Looks for devices as long as the chooser is open, and stores those that answer.
struct RemoteDevices: Sendable {
  let workspace: Workspace
  let send: AsyncStream<RemoteEvent>.Continuation

  /// After so long without an answer, why there may be none is said; the search continues.
  private static let patience = Duration.seconds(5)

  /// - Parameter device: one that is shown though the database has it not.
  func run(besides device: KnownDevice?) async {
    show(isSearching: true, nil, device)
    var problems: [DeviceScan.Problem] = []
    while !Task.isCancelled {
      let scan = await Discovery.finder().scan(for: Self.patience) { devices in
        keep(devices)
        show(isSearching: true, nil, device)
        return false
      }
      guard !Task.isCancelled else { return }
      keep(scan.devices)
      problems = scan.problems
      show(isSearching: false, Discovery.words(for: problems), device)
      // Discovery that cannot work returns at once.
      if !problems.isEmpty { try? await TimeSource.continuous.sleep(Self.patience) }
    }
  }

  private func keep(_ devices: [Device]) {
    let shown = devices.filter { $0.capabilities?.contains(.multichannelMember) != true }
    _ = try? workspace.devices.found(shown, adding: true, at: .now)
  }

  private func show(isSearching: Bool, _ problem: String?, _ device: KnownDevice?) {
    let devices = (try? workspace.devices.all()) ?? []
    send.yield(.devices(Self.rows(devices, besides: device), isSearching: isSearching, problem: problem))
  }

  /// The devices by their names.
  static func rows(_ devices: [KnownDevice], besides device: KnownDevice?) -> [RemoteDevice] {
    let others = device.map { device in devices.contains { $0.id == device.id } ? [] : [device] } ?? []
    return (devices + others).sorted { ($0.label.lowercased(), $0.id) < ($1.label.lowercased(), $1.id) }.map {
      RemoteDevice(
        id: $0.id.rawValue, name: $0.label, status: $0.statusText.flatMap { $0.isEmpty ? nil : $0 },
        isGroup: $0.isGroup)
    }
  }
}
