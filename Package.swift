// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: strict concurrency comes with Swift 6 mode; imports are written deliberately.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// What castq itself needs, and users of the SDK do not: with `traits: []` on their `.package` line they resolve SwiftNIO,
/// what that needs, and swift-log.
let programs = TargetDependencyCondition.when(traits: ["Programs"])

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: programs)
let signals = Target.Dependency.product(
  name: "UnixSignals", package: "swift-service-lifecycle", condition: programs)
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift", condition: programs)
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift", condition: programs)
let subprocess = Target.Dependency.product(
  name: "Subprocess", package: "swift-subprocess", condition: programs)
let systemPackage = Target.Dependency.product(
  name: "SystemPackage", package: "swift-system", condition: programs)
let yams = Target.Dependency.product(name: "Yams", package: "Yams", condition: programs)
let coreMetrics = Target.Dependency.product(
  name: "CoreMetrics", package: "swift-metrics", condition: programs)
let hummingbird = Target.Dependency.product(
  name: "Hummingbird", package: "hummingbird", condition: programs)

let package = Package(
  name: "castq",
  products: [
    .library(name: "CastSender", targets: ["CastSender"]),
    .library(name: "CastPresentation", targets: ["CastPresentation"]),
    .library(name: "CastReceiverSim", targets: ["CastReceiverSim"]),
    .executable(name: "castq", targets: ["castq"]),
    .executable(name: "castq-web", targets: ["castq-web"]),
    .executable(name: "castq-receiver-sim", targets: ["castq-receiver-sim"]),
  ],
  traits: [
    .trait(name: "Programs", description: "castq and castq-receiver-sim, beside the SDK"),
    .default(enabledTraits: ["Programs"]),
  ],
  // Ranges, because whoever depends on this package has other packages that want the same ones. From the versions that it is
  // built and tested with; nothing older was ever tried. The documentation plug-in is no product's: others do not resolve it.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    // tier 0 and 1: rules, pure
    .target(name: "CastProtocol", swiftSettings: settings),
    .target(name: "CastqPaths", swiftSettings: settings),
    .target(name: "CastGuard", swiftSettings: settings),
    .target(
      name: "CastqCore", dependencies: ["CastGuard", "CastProtocol", "CastqPaths", yams],
      swiftSettings: settings),

    // tier 2: input and output
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .target(name: "CastTLS", dependencies: ["COpenSSL", nioCore], swiftSettings: settings),
    .target(
      name: "CastHTTP", dependencies: ["CastGuard", "CastTLS", nioCore, nioPosix, nioHTTP],
      swiftSettings: settings),
    .target(name: "CastMulticast", dependencies: [nioCore, nioPosix], swiftSettings: settings),
    .target(
      name: "CastSender",
      dependencies: [
        "CastGuard", "CastProtocol", "CastTLS", "CastHTTP", "CastMulticast", nioCore, nioPosix, logging,
      ],
      swiftSettings: settings),
    // what is to be seen, and what may be pressed
    .target(
      name: "CastPresentation", dependencies: ["CastSender", "CastProtocol"], swiftSettings: settings),
    // files that castq keeps for itself
    .target(name: "CastqFiles", swiftSettings: settings),
    .target(name: "CSchema"),
    .target(
      name: "CastqStore",
      dependencies: [
        "CSchema", "CastqCore", "CastqFiles", "CastProtocol", "CastTLS", grdb, sqlite, coreMetrics,
      ],
      swiftSettings: settings),
    .target(name: "CFileOpening"),
    .target(
      name: "CastqMediaServer",
      dependencies: [
        "CFileOpening", "CastqAccepting", "CastqPaths", nioCore, nioPosix, nioHTTP, coreMetrics,
      ],
      swiftSettings: settings),
    // how servers accept when there is no descriptor
    .systemLibrary(name: "CAllocator"),
    .target(name: "CastqAccepting", dependencies: ["CAllocator", nioCore], swiftSettings: settings),
    // what castq counts, as Prometheus reads it
    .target(
      name: "CastqMetrics", dependencies: ["CastqAccepting", nioCore, nioPosix, nioHTTP, coreMetrics],
      swiftSettings: settings),
    // what programs print; a program that feeds or serves does not wait for its reader
    .target(name: "CastqOutput", dependencies: ["CastqCore", "CastProtocol"], swiftSettings: settings),
    .target(name: "CProgramLimits"),
    .target(
      name: "CastqPrograms", dependencies: ["CProgramLimits", "CastqPaths", subprocess, systemPackage],
      swiftSettings: settings),
    .target(
      name: "CastReceiverSim",
      dependencies: ["CastProtocol", "CastTLS", "CastMulticast", nioCore, nioPosix, nioHTTP],
      swiftSettings: settings),

    // tier 3: services
    .target(name: "CSystemClock"),
    .target(
      name: "CastqDaemon",
      dependencies: [
        "CSystemClock",
        "CastGuard", "CastqCore", "CastqStore", "CastSender", "CastHTTP", "CastProtocol", "CastTLS",
        "CastqMediaServer",
        "CastqAccepting", "CastqFiles", "CastqMetrics", "CastqPaths", "CastqPrograms",
        nioCore, nioPosix, logging,
      ],
      swiftSettings: settings),

    // tier 4: what castq can do
    .target(
      name: "CastqOperations",
      dependencies: [
        "CastGuard", "CastHTTP", "CastPresentation", "CastProtocol", "CastSender", "CastqCore", "CastqDaemon",
        "CastTLS", "CastqFiles", "CastqPaths", "CastqPrograms", "CastqStore", logging,
      ],
      swiftSettings: settings),

    // tier 5: faces and programs
    .target(name: "CTerminal"),
    .target(
      name: "CastqTerminal", dependencies: ["CTerminal", "CastPresentation", "CastqCore", "CastProtocol"],
      swiftSettings: settings),
    .target(name: "CWebAssets"),
    .target(
      name: "CastqWeb",
      dependencies: [
        "CWebAssets", "CastqAccepting", "CastqOperations", "CastqDaemon", "CastqStore", "CastqFiles",
        "CastqPrograms", "CastPresentation", "CastSender", "CastGuard", "CastqCore", "CastProtocol",
        "CastTLS",
        nioCore, nioPosix, nioHTTP, logging, hummingbird,
      ],
      exclude: ["Assets"], swiftSettings: settings),
    .target(
      name: "CastqMPD", dependencies: ["CastqAccepting", "CastqCore", "CastProtocol", nioCore, nioPosix],
      swiftSettings: settings),
    .target(name: "CForeground"),
    .target(
      name: "CastqCommands",
      dependencies: [
        "CForeground", "CastqOperations",
        "CastGuard", "CastqDaemon", "CastqStore", "CastqCore", "CastSender", "CastHTTP", "CastProtocol",
        "CastqPrograms",
        "CastPresentation", "CastqTerminal", "CastqMPD", "CastqMetrics", "CastqOutput",
        "CastqFiles", "CastqPaths", arguments, logging, signals,
      ],
      swiftSettings: settings),
    .executableTarget(name: "castq", dependencies: ["CastqCommands"], swiftSettings: settings),
    .executableTarget(
      name: "castq-web", dependencies: ["CastqCommands", "CastqWeb"], swiftSettings: settings),
    .executableTarget(
      name: "castq-receiver-sim", dependencies: ["CastReceiverSim", arguments],
      swiftSettings: settings),

    // tests
    .target(
      name: "CastTestKit", dependencies: ["CastProtocol", "CastqCore", "CastReceiverSim"],
      swiftSettings: settings),
    .executableTarget(
      name: "castq-queue-mirror", dependencies: ["CastSender", "CastProtocol"],
      path: "Tests/Foreign/QueueMirror", swiftSettings: settings),
    .testTarget(
      name: "CastProtocolTests", dependencies: ["CastProtocol", "CastTestKit"],
      exclude: ["Foreign", "Transcripts"],
      swiftSettings: settings),
    .testTarget(name: "CastGuardTests", dependencies: ["CastGuard"], swiftSettings: settings),
    .testTarget(
      name: "CastTLSTests", dependencies: ["CastTLS", "CastProtocol", nioCore, nioPosix, nioEmbedded],
      swiftSettings: settings),
    .testTarget(
      name: "CastHTTPTests", dependencies: ["CastGuard", "CastHTTP", "CastTLS", nioCore, nioPosix, nioHTTP],
      swiftSettings: settings),
    .testTarget(
      name: "CastMulticastTests", dependencies: ["CastMulticast", nioCore, nioPosix],
      swiftSettings: settings),
    .testTarget(
      name: "CastqCoreTests",
      dependencies: ["CastGuard", "CastqCore", "CastqPaths", "CastProtocol", "CastTestKit"],
      exclude: ["Foreign", "Playlists/Corpus", "Probing/Documents"], swiftSettings: settings),
    .testTarget(
      name: "CastqStoreTests",
      dependencies: ["CastqStore", "CastqCore", "CastqFiles", "CastProtocol", "CastTLS", grdb],
      exclude: ["Schemas"], swiftSettings: settings),
    .testTarget(
      name: "CastqMediaServerTests",
      dependencies: ["CastqMediaServer", "CastqAccepting", "CastProtocol", nioCore, nioPosix],
      swiftSettings: settings),
    .testTarget(
      name: "CastqMetricsTests",
      dependencies: ["CastqMetrics", "CastProtocol", nioCore, nioPosix, coreMetrics],
      swiftSettings: settings),
    .testTarget(name: "CastqOutputTests", dependencies: ["CastqOutput"], swiftSettings: settings),
    .testTarget(name: "CastqProgramsTests", dependencies: ["CastqPrograms"], swiftSettings: settings),
    .testTarget(
      name: "CastReceiverSimTests",
      dependencies: [
        "CastReceiverSim", "CastTestKit", "CastProtocol", "CastTLS", "CastMulticast", nioCore, nioPosix,
      ],
      exclude: ["Recordings"], swiftSettings: settings),
    .testTarget(
      name: "PairTests",
      dependencies: [
        "CastTestKit", "CastProtocol", "CastqCore", "CastqStore", "CastqDaemon", "CastReceiverSim", "castq",
      ],
      exclude: ["Transcripts"],
      swiftSettings: settings),
    .testTarget(
      name: "CastSenderTests",
      dependencies: [
        "CastSender", "CastReceiverSim", "CastProtocol", "CastTLS", "CastMulticast", nioCore, nioPosix,
        nioEmbedded, logging,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CastqDaemonTests",
      dependencies: [
        "CastqDaemon", "CastqStore", "CastqCore", "CastSender", "CastReceiverSim", "CastTestKit",
        "CastProtocol", "CastTLS", "CastqMediaServer", "CastqMetrics", "CastqPrograms", nioCore, nioPosix,
        logging,
      ],
      exclude: ["Subtitles"], swiftSettings: settings),
    .testTarget(
      name: "CastPresentationTests",
      dependencies: [
        "CastPresentation", "CastSender", "CastReceiverSim", "CastProtocol", "CastTLS", nioCore, nioPosix,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CastqTerminalTests", dependencies: ["CastqTerminal", "CastqCore", "CastProtocol"],
      exclude: ["Screens"], swiftSettings: settings),
    .testTarget(
      name: "CastqWebTests",
      dependencies: [
        "CastqWeb", "CastqOperations", "CastqStore", "CastqCore", "CastProtocol", nioCore, nioPosix,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CastqMPDTests", dependencies: ["CastqMPD", "CastqCore", "CastProtocol", nioCore, nioPosix],
      swiftSettings: settings),
    .testTarget(
      name: "CastqOperationsTests",
      dependencies: [
        "CastqOperations", "CastqDaemon", "CastqStore", "CastqCore", "CastGuard",
        "CastReceiverSim", "CastTestKit", "CastSender", "CastTLS", "CastProtocol", nioCore, nioPosix, nioHTTP,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CastqCommandsTests", dependencies: ["CastqCommands", arguments], swiftSettings: settings),
    .testTarget(
      name: "CastqCLITests",
      dependencies: [
        "castq", "castq-web", "castq-receiver-sim", "CastqOperations", "CastqStore", "CastqCore",
        "CastReceiverSim", "CastTLS", "CastProtocol", arguments, nioPosix,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "CastSender", "CastPresentation", "CastReceiverSim", "CastProtocol", "CastTLS", "CastTestKit",
        nioCore, nioPosix, logging,
      ],
      swiftSettings: settings),
    .testTarget(name: "LayeringTests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// The parsers under Tests/Fuzz have two masters: an ordinary test replays the corpus; with CASTQ_FUZZ in the environment
// the manifest has the coverage-guided engine instead, which needs the flags of scripts/fuzz. Both see internal declarations,
// so neither is part of a release build.
let fuzzing = "Tests/Fuzz"
let parsed: [Target.Dependency] = [
  "CastProtocol", "CastqCore", "CastHTTP", "CastqMediaServer", "CastReceiverSim", "CastqMPD", nioCore,
  nioHTTP, nioEmbedded,
]
if Context.environment["CASTQ_FUZZ"] == nil {
  package.targets.append(
    .testTarget(
      name: "FuzzTests", dependencies: parsed, path: fuzzing, exclude: ["Corpus", "Engine", "Main"],
      sources: ["Parsers", "Replay"], swiftSettings: settings))
} else {
  package.targets.removeAll { $0.type == .test }
  package.targets += [
    .target(name: "CFuzzer", path: "\(fuzzing)/Engine"),
    .executableTarget(
      name: "castq-fuzz", dependencies: parsed + ["CFuzzer"], path: fuzzing,
      exclude: ["Corpus", "Engine", "Replay"], sources: ["Parsers", "Main"], swiftSettings: settings),
  ]
}

// castq-link and what it needs beyond castq: libpq and libmosquitto. The Makefile asks for it where both are installed; a plain
// `swift build` does without them.
if Context.environment["CASTQ_LINK"]?.isEmpty == false {
  package.products.append(.executable(name: "castq-link", targets: ["castq-link"]))
  package.targets += [
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "CastqPostgres", dependencies: ["CLibPQ", "CastProtocol"], swiftSettings: settings),
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .target(name: "CastqMQTT", dependencies: ["CMosquitto", "CastqLink"], swiftSettings: settings),
    .target(name: "CastqLink", dependencies: ["CastqCore", "CastProtocol"], swiftSettings: settings),
    .executableTarget(
      name: "castq-link",
      dependencies: [
        "CastqLink", "CastqPostgres", "CastqMQTT", "CastqOperations", "CastqDaemon",
        "CastqStore", "CastqCore", "CastqFiles", "CastqOutput",
        "CastqPrograms", "CastSender",
        "CastGuard", "CastHTTP", "CastTLS", "CastProtocol",
        arguments, signals,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CastqLinkTests", dependencies: ["CastqLink", "CastqPostgres", "CastqCore", "CastProtocol"],
      swiftSettings: settings),
  ]
}

// Without the index that editors read, a debug build takes three quarters of the processor time. The package manager finds the
// tests of XCTest in it: where it is not made, the tests need an entry point of their own, Tests/EntryPoint/XCTMain.swift.
if Context.environment["CASTQ_UNINDEXED"]?.isEmpty == false {
  package.targets.append(
    .testTarget(name: "EntryPointTests", path: "Tests/EntryPoint/Without", swiftSettings: settings))
}

// With CASTQ_PROGRAMS="castq castq-receiver-sim" the package has only these programs and what they need: less to fetch, less
// to build.
let programsWanted = Context.environment["CASTQ_PROGRAMS"]?.split(separator: " ").map(String.init)
if let wanted = programsWanted, !wanted.isEmpty {
  var needed = Set(wanted)
  var packages: Set<String> = []
  var open = wanted
  while let name = open.popLast() {
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      switch dependency {
      case .byNameItem(let next, _): if needed.insert(next).inserted { open.append(next) }
      case .productItem(_, let package?, _, _): packages.insert(package)
      default: break
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { !needed.contains($0.name) }
  package.dependencies.removeAll {
    guard case .sourceControl(_, let location, _) = $0.kind else { return false }
    return !packages.contains { location.hasSuffix("/\($0)") }
  }
}

// Whoever needs few test targets builds fewer: CASTQ_TESTS="CastTLSTests CastHTTPTests" swift build --build-tests.
if let wanted = Context.environment["CASTQ_TESTS"]?.split(separator: " ").map(String.init), !wanted.isEmpty {
  package.targets.removeAll { $0.type == .test && $0.name != "EntryPointTests" && !wanted.contains($0.name) }
}
