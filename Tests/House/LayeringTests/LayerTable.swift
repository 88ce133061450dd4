/// A neighbourhood of `Sources/`: what it is for, what its targets may see, and the targets, each with what it imports.
struct Neighbourhood {
  let name: String
  /// The other neighbourhoods whose targets may be imported here; its own may always be.
  let sees: Set<String>
  let targets: [String: Set<String>]
}

/// What each target of `Sources/` may import: the one place where the project's layers are written down.
///
/// The compiler does not reject an import of a sibling target that the manifest leaves out, so this table is
/// what keeps the layers apart. It is read from the top down; an arrow that is missing here is missing on purpose:
/// rules never see input and output, and the sender never learns about queue entries.
enum LayerTable {
  /// Modules of the platform that a target with input and output may use.
  private static let platform: Set = ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"]
  private static let nio: Set = ["NIOConcurrencyHelpers", "NIOCore", "NIOPosix"]
  private static let rules: Set = ["CastqFeeding", "CastqPlaylists", "CastqSchedule", "CastqText"]

  static let neighbourhoods = [
    // the sender: it knows no queue and no database
    Neighbourhood(
      name: "Cast", sees: ["C"],
      targets: [
        "CastProtocol": ["FoundationEssentials"],
        "CastGuard": [],
        "CastXML": [],
        "CastTLS": platform.union(nio).union(["COpenSSL"]),
        "CastHTTP": platform.union(nio).union(["CastGuard", "CastTLS", "NIOHTTP1"]),
        "CastMulticast": platform.union(nio),
        "CastSender": platform.union(nio).union([
          "CastGuard", "CastHTTP", "CastMulticast", "CastProtocol", "CastTLS", "Logging",
        ]),
        "CastPresentation": platform.union(["CastProtocol", "CastSender"]),
      ]),

    // the simulated receiver
    Neighbourhood(
      name: "Receiver", sees: ["Cast"],
      targets: [
        "CastReceiverSim": platform.union(nio).union([
          "CastMulticast", "CastProtocol", "CastTLS", "CastXML", "NIOHTTP1",
        ]),
        "castq-receiver-sim": platform.union(["ArgumentParser", "CastReceiverSim"]),
      ]),

    // pure: no clock, no file, no socket, no thread
    Neighbourhood(
      name: "Rules", sees: ["Cast"],
      targets: [
        "CastqPaths": [],
        "CastqText": ["CYaml", "CastGuard", "CastProtocol", "CastXML", "CastqPaths", "FoundationEssentials"],
        "CastqPlaylists": [
          "CastGuard", "CastProtocol", "CastXML", "CastqPaths", "CastqText", "FoundationEssentials",
        ],
        "CastqSchedule": ["CastProtocol", "CastqPaths", "CastqText", "FoundationEssentials"],
        "CastqFeeding": [
          "CastGuard", "CastProtocol", "CastqPaths", "CastqPlaylists", "CastqSchedule", "CastqText",
          "FoundationEssentials",
        ],
      ]),

    // input and output, and the services that feed devices
    Neighbourhood(
      name: "Engine", sees: ["C", "Cast", "Rules"],
      targets: [
        "CastqFiles": ["Glibc"],
        "CastqOutput": platform.union(["CastProtocol", "CastqText"]),
        "CastqStore": platform.union(rules).union([
          "CSchema", "CastProtocol", "CastSender", "CastTLS", "CastqFiles", "CoreMetrics", "GRDB",
          "GRDBSQLite",
        ]),
        "CastqAccepting": ["CAllocator", "Glibc", "NIOCore"],
        "CastqGzip": ["NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOHTTPCompression"],
        "CastqMediaServer": platform.union(nio).union([
          "CFileOpening", "CastProtocol", "CastqAccepting", "CastqPaths", "CoreMetrics", "NIOHTTP1",
        ]),
        "CastqMetrics": platform.union(nio).union([
          "CastGuard", "CastqAccepting", "CoreMetrics", "NIOHTTP1",
        ]),
        "CastqPrograms": platform.union([
          "CProgramLimits", "CastSender", "CastqPaths", "Subprocess", "SystemPackage",
        ]),
        "CastqDaemon": platform.union(nio).union(rules).union([
          "CSystemClock", "CastGuard", "CastHTTP", "CastProtocol", "CastSender", "CastTLS", "CastqAccepting",
          "CastqFiles", "CastqMediaServer", "CastqMetrics", "CastqPaths", "CastqPrograms", "CastqStore",
          "Logging",
        ]),
      ]),

    // what castq can do; no parser of arguments, no terminal, no signals
    Neighbourhood(
      name: "Operations", sees: ["Cast", "Rules", "Engine"],
      targets: [
        "CastqOperations": platform.union(rules).union([
          "CastGuard", "CastHTTP", "CastPresentation", "CastProtocol", "CastSender", "CastTLS", "CastqDaemon",
          "CastqFiles", "CastqPaths", "CastqPrograms", "CastqStore", "Logging",
        ])
      ]),

    // what people see: they parse and draw, and nothing else
    Neighbourhood(
      name: "Faces", sees: ["C", "Cast", "Rules", "Engine", "Operations"],
      targets: [
        "CastqTerminal": platform.union([
          "CTerminal", "CastPresentation", "CastProtocol", "CastqFeeding", "CastqPlaylists", "CastqText",
        ]),
        "CastqWeb": platform.union(nio).union(rules).union([
          "CWebAssets", "CastGuard", "CastPresentation", "CastProtocol", "CastSender", "CastTLS",
          "CastqAccepting", "CastqDaemon", "CastqFiles", "CastqGzip", "CastqOperations", "CastqPrograms",
          "CastqStore", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging", "NIOHTTP1", "NIOHTTPTypes",
        ]),
        "CastqMPD": platform.union(nio).union([
          "CastProtocol", "CastqAccepting", "CastqFeeding", "CastqPlaylists", "CastqText",
        ]),
        "CastqCommands": platform.union(rules).union([
          "ArgumentParser", "CForeground", "CastGuard", "CastHTTP", "CastPresentation", "CastProtocol",
          "CastSender", "CastqDaemon", "CastqFiles", "CastqMPD", "CastqMetrics", "CastqOperations",
          "CastqOutput", "CastqPaths", "CastqPrograms", "CastqStore", "CastqTerminal", "Logging",
          "UnixSignals",
        ]),
        "castq": ["CastqCommands"],
        "castq-web": ["CastqCommands", "CastqWeb"],
      ]),

    // many sites: rules, what wraps a library, and the program
    Neighbourhood(
      name: "Link", sees: ["C", "Cast", "Rules", "Engine", "Operations"],
      targets: [
        "CastqLink": rules.union(["CastProtocol"]),
        "CastqPostgres": platform.union(["CLibPQ", "CastProtocol"]),
        "CastqMQTT": platform.union(["CMosquitto", "CastqLink"]),
        "castq-link": platform.union(rules).union([
          "ArgumentParser", "CastGuard", "CastHTTP", "CastProtocol", "CastSender", "CastTLS", "CastqDaemon",
          "CastqFiles", "CastqLink", "CastqMQTT", "CastqOperations", "CastqOutput", "CastqPostgres",
          "CastqPrograms", "CastqStore", "UnixSignals",
        ]),
      ]),

    // a system library has a module map, and C no Swift to look into
    Neighbourhood(
      name: "C", sees: [],
      targets: [
        "CAllocator": [], "CFileOpening": [], "CForeground": [], "CLibPQ": [], "CMosquitto": [],
        "COpenSSL": [], "CProgramLimits": [], "CSchema": [], "CSystemClock": [], "CTerminal": [],
        "CWebAssets": [],
      ]),
  ]

  /// What tests share, which lies beside them.
  static let kit: Set = rules.union([
    "CastProtocol", "CastReceiverSim", "Foundation", "FoundationEssentials", "Glibc",
  ])

  /// What each target may import.
  static let allowed = neighbourhoods.reduce(into: [:]) { $0.merge($1.targets) { one, _ in one } }

  /// Libraries that one target wraps for all the others; only its own tests see them, too.
  static let owners = [
    "CForeground": "CastqCommands", "COpenSSL": "CastTLS", "GRDB": "CastqStore", "CSchema": "CastqStore",
    "CYaml": "CastqText",
    "CProgramLimits": "CastqPrograms", "CFileOpening": "CastqMediaServer", "CSystemClock": "CastqDaemon",
    "CTerminal": "CastqTerminal", "CAllocator": "CastqAccepting",
    "CLibPQ": "CastqPostgres", "CMosquitto": "CastqMQTT",
    "CWebAssets": "CastqWeb", "Hummingbird": "CastqWeb", "HummingbirdCore": "CastqWeb",
    "Subprocess": "CastqPrograms",
    "SystemPackage": "CastqPrograms",
  ]

  /// The targets below the purity line: no clock, no files, no sockets.
  static let pure = rules.union(["CastGuard", "CastProtocol", "CastXML", "CastqPaths", "CastqLink"])

  /// Where time enters. Beside it stand clocks that mean something else: the time since the start of the machine, which a lease and systemd
  /// count in, and the waits that have the runtime open its descriptors.
  static let clocks: Set<String> = [
    "Sources/Cast/CastSender/Time/TimeSource.swift", "Sources/Engine/CastqDaemon/Service/LeaseLine.swift",
    "Sources/Engine/CastqDaemon/Service/ServiceNotice.swift",
    "Sources/Engine/CastqDaemon/Running/EarlyDescriptors.swift",
  ]

  /// The one target that holds SQL of SQLite; that of PostgreSQL is the centre's.
  static let sql = "CastqStore"
  static let centreSQL = "CastqPostgres"
}
