import CastProtocol
import CastqFeeding
import CastqOperations
import CastqOutput
import CastqStore
import CastqText
import Synchronization

/// The table of `castq devices` and the details of `castq device show`.
struct DeviceTable {
  let devices: [KnownDevice]
  let now: WallTime
  /// When the network scan started; nil without a scan.
  let scannedSince: WallTime?

  func lines(on terminal: OutputTerminal?) -> [String] {
    var table = Table([
      .init("NAME", .flexible, least: 12), .init("ALIAS", .flexible), .init("MODEL", .flexible, leaves: 0),
      .init("ADDRESS", .left), .init("SEEN", .left), .init("STATUS", .flexible, least: 30),
      .init("", .flexible),
    ])
    let claims = NameClaim.all(in: devices)
    for device in devices {
      let notes =
        (device.isDefault ? ["default"] : []) + claims.filter { $0.device == device.id }.map(\.description)
      table.add([
        device.name, device.alias ?? "-", device.model ?? "-", "\(device.endpoint)", seen(device),
        device.statusText.map { TerminalText.excerpt($0, limit: 40) } ?? "-",
        notes.joined(separator: "; "),
      ])
    }
    return table.lines(on: terminal)
  }

  private func seen(_ device: KnownDevice) -> String {
    guard let seen = device.lastSeenAt else { return "never" }
    if let scannedSince, seen >= scannedSince { return "now" }
    return AgeText.ago(now - seen)
  }

  /// Everything known about one device.
  /// - Parameter claims: names announced for a device other than the one that has the name.
  static func details(
    _ device: KnownDevice, _ gaps: GapMeter, claims: [NameClaim] = [], now: WallTime
  ) -> [String] {
    var rows: [(String, String?)] = [
      ("name", device.name), ("alias", device.alias),
      ("own name", device.friendlyName == device.name ? nil : device.friendlyName),
      ("uuid", device.uuid.map(JSONOutput.dashed)), ("model", device.model),
      ("address", "\(device.endpoint)"),
      ("given address", device.staticEndpoint.flatMap { $0 == device.endpoint ? nil : "\($0)" }),
      ("capabilities", device.capabilities?.words.joined(separator: ", ")),
      ("group", device.isGroup ? "yes" : nil), ("default", device.isDefault ? "yes" : nil),
    ]
    let how = device.seenBy.map { $0 == .mdns ? ", on the network" : ", by a connection" } ?? ""
    rows.append(("seen", device.lastSeenAt.map { AgeText.ago(now - $0) + how } ?? "never"))
    rows.append(("status", device.statusText))
    rows.append(("gaps", words(gaps)))
    rows.append(("trust", trust(device)))
    rows.append(("key", device.pinnedKey.map { grouped($0) }))
    for claim in claims where claim.device == device.id { rows.append(("note", "\(claim)")) }
    if device.announcedName != nil {
      rows.append(
        ("", "'castq device pin \(device.typedLabel)' reads its name, once it has proved its key"))
    }
    let width = rows.filter { $0.1 != nil }.map(\.0.count).max() ?? 0
    return rows.compactMap { title, value in
      value.map {
        TerminalText.sanitized(title + String(repeating: " ", count: width - title.count + 2) + $0)
      }
    }
  }

  /// The dark gaps between items; nil if two items never played in a row.
  private static func words(_ gaps: GapMeter) -> String? {
    guard let half = gaps.p50, let most = gaps.p95, let nearlyAll = gaps.p99 else { return nil }
    func text(_ seconds: Double) -> String {
      seconds < 1 ? "\(Int(bounded: (seconds * 1000).rounded())) ms" : "\((seconds * 10).rounded() / 10) s"
    }
    return
      "median \(text(half)), 95th percentile \(text(most)), 99th \(text(nearlyAll)), of the last \(gaps.count)"
  }

  private static func trust(_ device: KnownDevice) -> String {
    let cannot =
      device.canProve == false ? "; it cannot prove who it is: it has no certificate of a Cast device" : ""
    return switch device.trust {
    case .off: "off: any device at its address is accepted"
    case .roots(let file): "roots: its certificate must chain to one in \(file)\(cannot)"
    case .pin where device.isPinned: "pin: it must prove the key below\(cannot)"
    case .pin where device.isGroup:
      "a group cannot be pinned: it proves the key of its current leader"
    case .pin where device.silentAt != nil:
      "pin: its key is pinned at first contact; it did not answer the request for its key"
    case .pin: "pin: its key is pinned at first contact\(cannot)"
    }
  }

  /// A fingerprint in groups of four, for comparing by eye.
  static func grouped(_ hex: String) -> String {
    var rest = Substring(hex)
    var groups: [Substring] = []
    while !rest.isEmpty {
      groups.append(rest.prefix(4))
      rest = rest.dropFirst(4)
    }
    return groups.joined(separator: " ")
  }
}

/// Lines on a terminal that are redrawn in place.
final class LivePicture: Sendable {
  private let height = Mutex(0)

  /// Replaces the last lines with these, as many as fit the terminal.
  func show(_ lines: [String]) {
    let room = max(Console.height - 2, 1)
    var shown = lines.prefix(room).map { DisplayWidth.fitted($0, columns: Console.width - 1) }
    if lines.count > room { shown[room - 1] = "… and \(lines.count - room + 1) more" }
    height.withLock { height in
      Console.printLines(Self.up(height) + shown.map { $0 + "\n" }.joined())
      height = shown.count
    }
  }

  /// Erases the lines.
  func clear() {
    height.withLock { height in
      if height > 0 { Console.printLines(Self.up(height)) }
      height = 0
    }
  }

  private static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A\u{1B}[J" : "" }
}
