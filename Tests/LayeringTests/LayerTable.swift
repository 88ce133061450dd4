/// What each target of `Sources/` may import: the one place where the project's layers are written down.
///
/// The compiler does not reject an import of a sibling target that the manifest leaves out, so this table is
/// what keeps the layers apart. It is read from the bottom up; an arrow that is missing here is missing on purpose:
/// rules never see input and output, and the sender never learns about queue entries.
enum LayerTable {
  /// Modules of the platform that a target with input and output may use.
  private static let platform: Set = ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"]
  private static let nio: Set = ["NIOConcurrencyHelpers", "NIOCore", "NIOPosix"]

  static let allowed: [String: Set<String>] = [
    // tiers 0 and 1: rules, pure
    "CastProtocol": ["FoundationEssentials"],
    "CastqPaths": [],
    "CastGuard": [],
    "CastqCore": ["CYaml", "CastGuard", "CastProtocol", "CastqPaths", "FoundationEssentials"],

    // tier 2: input and output
    "CastTLS": platform.union(nio).union(["COpenSSL"]),
    "CastHTTP": platform.union(nio).union(["CastGuard", "CastTLS", "NIOHTTP1"]),
    "CastMulticast": platform.union(nio),
    "CastSender": platform.union(nio).union([
      "CastGuard", "CastHTTP", "CastMulticast", "CastProtocol", "CastTLS", "Logging",
    ]),
    "CastPresentation": platform.union(["CastProtocol", "CastSender"]),
    "CastqFiles": ["Glibc"],
    "CastqStore": platform.union([
      "CSchema", "CastProtocol", "CastTLS", "CastqCore", "CastqFiles", "CoreMetrics", "GRDB", "GRDBSQLite",
    ]),
    "CastqAccepting": ["CAllocator", "Glibc", "NIOCore"],
    "CastqMediaServer": platform.union(nio).union([
      "CFileOpening", "CastqAccepting", "CastqPaths", "CoreMetrics", "NIOHTTP1",
    ]),
    "CastqMetrics": platform.union(nio).union(["CastqAccepting", "CoreMetrics", "NIOHTTP1"]),
    "CastqOutput": platform.union(["CastProtocol", "CastqCore"]),
    "CastqPrograms": platform.union(["CProgramLimits", "CastqPaths", "Subprocess", "SystemPackage"]),
    "CastReceiverSim": platform.union(nio).union(["CastMulticast", "CastProtocol", "CastTLS", "NIOHTTP1"]),

    // tier 3: services
    "CastqDaemon": platform.union(nio).union([
      "CastGuard", "CastHTTP", "CastProtocol", "CastSender", "CastTLS", "CastqAccepting", "CastqCore",
      "CastqMediaServer",
      "CastqFiles", "CastqMetrics", "CastqPaths", "CastqPrograms", "CastqStore", "CSystemClock", "Logging",
    ]),

    // tier 4: what castq can do; no parser of arguments, no terminal, no signals
    "CastqOperations": platform.union([
      "CastGuard", "CastHTTP", "CastPresentation", "CastProtocol", "CastSender", "CastqCore", "CastqDaemon",
      "CastTLS", "CastqFiles", "CastqPaths", "CastqPrograms", "CastqStore", "Logging",
    ]),

    // tier 5: faces and programs
    "CastqTerminal": platform.union(["CastPresentation", "CastProtocol", "CastqCore", "CTerminal"]),
    "CastqWeb": platform.union(nio).union([
      "CWebAssets", "CastGuard", "CastPresentation", "CastProtocol", "CastSender", "CastTLS",
      "CastqAccepting", "CastqCore", "CastqDaemon", "CastqFiles", "CastqOperations", "CastqPrograms",
      "CastqStore", "HTTPTypes",
      "Hummingbird",
      "Logging", "HummingbirdCore", "NIOHTTP1", "NIOHTTPTypes",
    ]),
    "CastqMPD": platform.union(nio).union(["CastqAccepting", "CastProtocol", "CastqCore"]),
    "CastqCommands": platform.union([
      "ArgumentParser", "CForeground", "CastGuard", "CastHTTP", "CastPresentation", "CastProtocol",
      "CastSender", "CastqCore", "CastqDaemon", "CastqFiles", "CastqMPD", "CastqMetrics",
      "CastqOperations", "CastqOutput", "CastqPaths", "CastqPrograms", "CastqStore", "CastqTerminal",
      "Logging", "UnixSignals",
    ]),
    "castq": ["CastqCommands"],
    "castq-web": ["CastqCommands", "CastqWeb"],
    "castq-receiver-sim": platform.union(["ArgumentParser", "CastReceiverSim"]),

    // castq-link, beside the rest: rules, what wraps a library, and the program
    "CastqLink": ["CastProtocol", "CastqCore"],
    "CastqPostgres": platform.union(["CLibPQ", "CastProtocol"]),
    "CastqMQTT": platform.union(["CMosquitto", "CastqLink"]),
    "castq-link": platform.union([
      "ArgumentParser", "CastGuard", "CastHTTP", "CastProtocol", "CastSender", "CastTLS", "CastqCore",
      "CastqDaemon", "CastqFiles", "CastqLink", "CastqMQTT", "CastqOperations",
      "CastqOutput", "CastqPostgres", "CastqPrograms", "CastqStore", "UnixSignals",
    ]),

    // what tests share
    "CastTestKit": [
      "CastProtocol", "CastReceiverSim", "CastqCore", "Foundation", "FoundationEssentials", "Glibc",
    ],
  ]

  /// Libraries that one target wraps for all the others; only its own tests see them, too.
  static let owners = [
    "CForeground": "CastqCommands", "COpenSSL": "CastTLS", "GRDB": "CastqStore", "CSchema": "CastqStore",
    "CYaml": "CastqCore",
    "CProgramLimits": "CastqPrograms", "CFileOpening": "CastqMediaServer", "CSystemClock": "CastqDaemon",
    "CTerminal": "CastqTerminal", "CAllocator": "CastqAccepting",
    "CLibPQ": "CastqPostgres", "CMosquitto": "CastqMQTT",
    "CWebAssets": "CastqWeb", "Hummingbird": "CastqWeb", "HummingbirdCore": "CastqWeb",
    "Subprocess": "CastqPrograms",
    "SystemPackage": "CastqPrograms",
  ]

  /// The targets below the purity line: no clock, no files, no sockets.
  static let pure: Set = ["CastGuard", "CastProtocol", "CastqPaths", "CastqCore", "CastqLink"]

  /// The one target that holds SQL of SQLite; that of PostgreSQL is the centre's.
  static let sql = "CastqStore"
  static let centreSQL = "CastqPostgres"
}
