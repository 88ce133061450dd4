// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Where targets lie: `Sources/` and `Tests/` have the same neighbourhoods, and the tests of a target lie in its own.
let neighbourhoods = [
  "Cast": [
    "CastProtocol", "CastGuard", "CastTLS", "CastHTTP", "CastMulticast", "CastSender",
    "CastPresentation", "CastXML",
  ],
  "Receiver": ["CastReceiverSim", "castq-receiver-sim"],
  "Rules": ["CastqPaths", "CastqText", "CastqPlaylists", "CastqSchedule", "CastqFeeding", "CastqRulesTests"],
  "Engine": [
    "CastqFiles", "CastqOutput", "CastqStore", "CastqAccepting", "CastqGzip", "CastqMediaServer",
    "CastqMetrics",
    "CastqPrograms", "CastqDaemon", "PairTests",
  ],
  "Operations": ["CastqOperations"],
  "Faces": [
    "CastqCommands", "CastqTerminal", "CastqWeb", "CastqMPD", "castq", "castq-web", "CastqCLITests",
  ],
  "Link": ["CastqLink", "CastqPostgres", "CastqMQTT", "castq-link"],
  "C": [
    "CAllocator", "CFileOpening", "CForeground", "CLibPQ", "CMosquitto", "COpenSSL", "CProgramLimits",
    "CSchema", "CSystemClock", "CTerminal", "CWebAssets",
  ],
  "House": ["LayeringTests", "DocumentationTests"],
]

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

/// The rules, and what else a target depends on.
func rules(and others: Target.Dependency...) -> [Target.Dependency] {
  ["CastqText", "CastqPlaylists", "CastqSchedule", "CastqFeeding"] + others
}

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
    // Exactly this one: of Yams the target CYaml is used, which is no product of it (record 9).
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    // pure: rules, and what they stand on
    .target(name: "CastProtocol"),
    .target(name: "CastqPaths"),
    .target(name: "CastGuard"),
    .target(name: "CastXML"),
    .target(name: "CastqText", dependencies: ["CastGuard", "CastProtocol", "CastXML", "CastqPaths", yams]),
    .target(
      name: "CastqPlaylists",
      dependencies: ["CastGuard", "CastProtocol", "CastXML", "CastqPaths", "CastqText"]),
    .target(name: "CastqSchedule", dependencies: ["CastProtocol", "CastqPaths", "CastqText"]),
    .target(
      name: "CastqFeeding",
      dependencies: [
        "CastGuard", "CastProtocol", "CastqPaths", "CastqText", "CastqPlaylists", "CastqSchedule",
      ]),

    // input and output
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .target(name: "CastTLS", dependencies: ["COpenSSL", nioCore]),
    .target(
      name: "CastHTTP", dependencies: ["CastGuard", "CastTLS", nioCore, nioPosix, nioHTTP]),
    .target(name: "CastMulticast", dependencies: [nioCore, nioPosix]),
    .target(
      name: "CastSender",
      dependencies: [
        "CastGuard", "CastProtocol", "CastTLS", "CastHTTP", "CastMulticast", nioCore, nioPosix, logging,
      ]),
    // what is to be seen, and what may be pressed
    .target(
      name: "CastPresentation", dependencies: ["CastSender", "CastProtocol"]),
    // files that castq keeps for itself
    .target(name: "CastqFiles"),
    .target(name: "CSchema"),
    .target(
      name: "CastqStore",
      dependencies: rules(
        and: "CSchema", "CastqFiles", "CastProtocol", "CastSender", "CastTLS", grdb, sqlite, coreMetrics)),
    .target(name: "CFileOpening"),
    .target(
      name: "CastqMediaServer",
      dependencies: [
        "CFileOpening", "CastProtocol", "CastqAccepting", "CastqPaths", nioCore, nioPosix, nioHTTP,
        coreMetrics,
      ]),
    // how servers accept when there is no descriptor
    .systemLibrary(name: "CAllocator"),
    .target(name: "CastqAccepting", dependencies: ["CAllocator", nioCore]),
    .target(name: "CastqGzip", dependencies: [nioCore]),
    // what castq counts, as Prometheus reads it
    .target(
      name: "CastqMetrics",
      dependencies: ["CastGuard", "CastqAccepting", nioCore, nioPosix, nioHTTP, coreMetrics]),
    // what programs print; a program that feeds or serves does not wait for its reader
    .target(name: "CastqOutput", dependencies: ["CastqText", "CastProtocol"]),
    .target(name: "CProgramLimits"),
    .target(
      name: "CastqPrograms",
      dependencies: ["CProgramLimits", "CastSender", "CastqPaths", subprocess, systemPackage]),
    .target(
      name: "CastReceiverSim",
      dependencies: ["CastProtocol", "CastTLS", "CastMulticast", "CastXML", nioCore, nioPosix, nioHTTP]),

    // services
    .target(name: "CSystemClock"),
    .target(
      name: "CastqDaemon",
      dependencies: rules(
        and: "CSystemClock", "CastGuard", "CastqStore", "CastSender", "CastHTTP", "CastProtocol", "CastTLS",
        "CastqMediaServer", "CastqAccepting", "CastqFiles", "CastqMetrics", "CastqPaths", "CastqPrograms",
        nioCore, nioPosix, logging)),

    // what castq can do
    .target(
      name: "CastqOperations",
      dependencies: rules(
        and: "CastGuard", "CastHTTP", "CastPresentation", "CastProtocol", "CastSender", "CastqDaemon",
        "CastTLS", "CastqFiles", "CastqPaths", "CastqPrograms", "CastqStore", logging)),

    // faces and programs
    .target(name: "CTerminal"),
    .target(
      name: "CastqTerminal",
      dependencies: [
        "CTerminal", "CastPresentation", "CastqText", "CastqPlaylists", "CastqFeeding", "CastProtocol",
      ]),
    .target(name: "CWebAssets"),
    .target(
      name: "CastqWeb",
      dependencies: rules(
        and: "CWebAssets", "CastqAccepting", "CastqGzip", "CastqOperations", "CastqDaemon", "CastqStore",
        "CastqFiles", "CastqPrograms", "CastPresentation", "CastSender", "CastGuard", "CastProtocol",
        "CastTLS",
        nioCore, nioPosix, nioHTTP, logging, hummingbird),
      exclude: ["Assets"]),
    .target(
      name: "CastqMPD",
      dependencies: [
        "CastqAccepting", "CastqText", "CastqPlaylists", "CastqFeeding", "CastProtocol", nioCore, nioPosix,
      ]),
    .target(name: "CForeground"),
    .target(
      name: "CastqCommands",
      dependencies: rules(
        and: "CForeground", "CastqOperations", "CastGuard", "CastqDaemon", "CastqStore", "CastSender",
        "CastHTTP", "CastProtocol", "CastqPrograms", "CastPresentation", "CastqTerminal", "CastqMPD",
        "CastqMetrics", "CastqOutput", "CastqFiles", "CastqPaths", arguments, logging, signals)),
    .executableTarget(name: "castq", dependencies: ["CastqCommands"]),
    .executableTarget(
      name: "castq-web", dependencies: ["CastqCommands", "CastqWeb"]),
    .executableTarget(
      name: "castq-receiver-sim", dependencies: ["CastReceiverSim", arguments]),

    // tests
    .target(
      name: "CastTestKit",
      dependencies: rules(and: "CastProtocol", "CastReceiverSim"),
      path: "Tests/Kit/CastTestKit"),
    .executableTarget(
      name: "castq-queue-mirror", dependencies: ["CastSender", "CastProtocol"],
      path: "Tests/Foreign/QueueMirror"),
    .testTarget(
      name: "CastProtocolTests", dependencies: ["CastProtocol", "CastTestKit"],
      exclude: ["Foreign", "Transcripts"]),
    .testTarget(name: "CastGuardTests", dependencies: ["CastGuard"]),
    .testTarget(
      name: "CastTLSTests", dependencies: ["CastTLS", "CastProtocol", nioCore, nioPosix, nioEmbedded]),
    .testTarget(
      name: "CastHTTPTests", dependencies: ["CastGuard", "CastHTTP", "CastTLS", nioCore, nioPosix, nioHTTP]),
    .testTarget(
      name: "CastMulticastTests", dependencies: ["CastMulticast", nioCore, nioPosix]),
    .testTarget(
      name: "CastqRulesTests",
      dependencies: rules(and: "CastGuard", "CastqPaths", "CastProtocol", "CastXML", "CastTestKit"),
      exclude: ["Foreign", "Playlists/Corpus", "Probing/Documents"]),
    .testTarget(
      name: "CastqStoreTests",
      dependencies: rules(and: "CastqStore", "CastqFiles", "CastProtocol", "CastTLS", "CastTestKit", grdb),
      exclude: ["Schemas"]),
    .testTarget(
      name: "CastqMediaServerTests",
      dependencies: ["CastqMediaServer", "CastqAccepting", "CastProtocol", nioCore, nioPosix]),
    .testTarget(
      name: "CastqMetricsTests",
      dependencies: ["CastqMetrics", "CastGuard", "CastProtocol", nioCore, nioPosix, coreMetrics]),
    .testTarget(name: "CastqOutputTests", dependencies: ["CastqOutput"]),
    .testTarget(name: "CastqProgramsTests", dependencies: ["CastqPrograms", "CastSender"]),
    .testTarget(
      name: "CastReceiverSimTests",
      dependencies: [
        "CastReceiverSim", "CastTestKit", "CastProtocol", "CastTLS", "CastMulticast", nioCore, nioPosix,
      ],
      exclude: ["Recordings"]),
    .testTarget(
      name: "PairTests",
      dependencies: rules(
        and: "CastTestKit", "CastProtocol", "CastqStore", "CastqDaemon", "CastReceiverSim", "castq"),
      exclude: ["Transcripts"]),
    .testTarget(
      name: "CastSenderTests",
      dependencies: [
        "CastSender", "CastReceiverSim", "CastProtocol", "CastTLS", "CastMulticast", nioCore, nioPosix,
        nioEmbedded, logging,
      ]),
    .testTarget(
      name: "CastqDaemonTests",
      dependencies: rules(
        and: "CastqDaemon", "CastqStore", "CastSender", "CastReceiverSim", "CastTestKit", "CastProtocol",
        "CastTLS", "CastqMediaServer", "CastqMetrics", "CastqPrograms", nioCore, nioPosix, logging),
      exclude: ["Subtitles"]),
    .testTarget(
      name: "CastPresentationTests",
      dependencies: [
        "CastPresentation", "CastSender", "CastReceiverSim", "CastProtocol", "CastTLS", nioCore, nioPosix,
      ]),
    .testTarget(
      name: "CastqTerminalTests",
      dependencies: ["CastqTerminal", "CastqText", "CastqPlaylists", "CastqFeeding", "CastProtocol"],
      exclude: ["Screens"]),
    .testTarget(
      name: "CastqWebTests",
      dependencies: [
        "CastqWeb", "CastqGzip", "CastqOperations", "CastqStore", "CastqText", "CastqPlaylists",
        "CastqFeeding",
        "CastProtocol", nioCore, nioPosix,
      ]),
    .testTarget(
      name: "CastqMPDTests",
      dependencies: [
        "CastqMPD", "CastqText", "CastqPlaylists", "CastqFeeding", "CastProtocol", nioCore, nioPosix,
      ]),
    .testTarget(
      name: "CastqOperationsTests",
      dependencies: rules(
        and: "CastqOperations", "CastqDaemon", "CastqStore", "CastGuard", "CastReceiverSim", "CastTestKit",
        "CastSender", "CastTLS", "CastProtocol", nioCore, nioPosix, nioHTTP)),
    .testTarget(
      name: "CastqCommandsTests", dependencies: ["CastqCommands", arguments]),
    .testTarget(
      name: "CastqCLITests",
      dependencies: [
        "castq", "castq-web", "castq-receiver-sim", "CastqOperations", "CastqStore",
        "CastReceiverSim", "CastTestKit", "CastTLS", "CastProtocol", arguments, nioPosix,
      ]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "CastSender", "CastPresentation", "CastReceiverSim", "CastProtocol", "CastTLS", "CastTestKit",
        nioCore, nioPosix, logging,
      ]),
    .testTarget(name: "LayeringTests"),
  ],
  swiftLanguageModes: [.v6]
)

// The parsers under Tests/Fuzz have two masters: an ordinary test replays the corpus; with CASTQ_FUZZ in the environment
// the manifest has the coverage-guided engine instead, which needs the flags of scripts/fuzz. Both see internal declarations,
// so neither is part of a release build.
let fuzzing = "Tests/Fuzz"
let parsed = rules(
  and: "CastProtocol", "CastHTTP", "CastqMediaServer", "CastReceiverSim", "CastqMPD", nioCore, nioHTTP,
  nioEmbedded)
if Context.environment["CASTQ_FUZZ"] == nil {
  package.targets.append(
    .testTarget(
      name: "FuzzTests", dependencies: parsed, path: fuzzing, exclude: ["Corpus", "Engine", "Main"],
      sources: ["Parsers", "Replay"]))
} else {
  package.targets.removeAll { $0.type == .test }
  package.targets += [
    .target(name: "CFuzzer", path: "\(fuzzing)/Engine"),
    .executableTarget(
      name: "castq-fuzz", dependencies: parsed + ["CFuzzer"], path: fuzzing,
      exclude: ["Corpus", "Engine", "Replay"], sources: ["Parsers", "Main"]),
  ]
}

// castq-link and what it needs beyond castq: libpq and libmosquitto. The Makefile asks for it where both are installed; a plain
// `swift build` does without them.
if Context.environment["CASTQ_LINK"]?.isEmpty == false {
  package.products.append(.executable(name: "castq-link", targets: ["castq-link"]))
  package.targets += [
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "CastqPostgres", dependencies: ["CLibPQ", "CastProtocol"]),
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .target(name: "CastqMQTT", dependencies: ["CMosquitto", "CastqLink"]),
    .target(
      name: "CastqLink",
      dependencies: rules(and: "CastProtocol")),
    .executableTarget(
      name: "castq-link",
      dependencies: rules(
        and: "CastqLink", "CastqPostgres", "CastqMQTT", "CastqOperations", "CastqDaemon", "CastqStore",
        "CastqFiles", "CastqOutput", "CastqPrograms", "CastSender", "CastGuard", "CastHTTP", "CastTLS",
        "CastProtocol", arguments, signals)),
    .testTarget(
      name: "CastqLinkTests",
      dependencies: [
        "CastqLink", "CastqPostgres", "CastqText", "CastqPlaylists", "CastqFeeding", "CastProtocol",
      ]),
  ]
}

// Without the index that editors read, a debug build takes three quarters of the processor time. The package manager finds the
// tests of XCTest in it: where it is not made, the tests need an entry point of their own, Tests/EntryPoint/XCTMain.swift.
if Context.environment["CASTQ_UNINDEXED"]?.isEmpty == false {
  package.targets.append(
    .testTarget(name: "EntryPointTests", path: "Tests/EntryPoint/Without"))
}

for target in package.targets where target.path == nil {
  let isTest = target.type == .test
  for (neighbourhood, names) in neighbourhoods
  where names.contains(target.name) || isTest && names.contains(String(target.name.dropLast("Tests".count))) {
    target.path = "\(isTest ? "Tests" : "Sources")/\(neighbourhood)/\(target.name)"
  }
}
for target in package.targets
where target.type != .system && !neighbourhoods["C", default: []].contains(target.name) {
  target.swiftSettings = settings
}

// Pages are compressed where zlib can be linked. A build of any kind finds that out, and `make` names it: the package manager would
// keep what it found once.
if Context.environment["CASTQ_GZIP"].map({ !$0.isEmpty })
  ?? FileManager.default.fileExists(atPath: "/usr/include/zlib.h")
{
  package.dependencies.append(.package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"))
  let compression = Target.Dependency.product(
    name: "NIOHTTPCompression", package: "swift-nio-extras", condition: programs)
  for target in package.targets where ["CastqGzip", "CastqWebTests"].contains(target.name) {
    target.dependencies += [compression, nioEmbedded, nioHTTP]
    target.swiftSettings?.append(.define("CASTQ_GZIP"))
  }
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
