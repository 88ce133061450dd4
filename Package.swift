// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: strict concurrency comes with Swift 6 mode; imports are written deliberately.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let signals = Target.Dependency.product(
  name: "UnixSignals", package: "swift-service-lifecycle")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
  name: "castq",
  products: [
    .library(name: "CastSender", targets: ["CastSender"]),
    .executable(name: "castq", targets: ["castq"]),
    .executable(name: "castq-receiver-sim", targets: ["castq-receiver-sim"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"),
  ],
  targets: [
    // tier 0 and 1: rules, pure
    .target(name: "CastProtocol", swiftSettings: settings),
    .target(name: "CastqCore", dependencies: ["CastProtocol", yams], swiftSettings: settings),

    // tier 2: input and output
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .target(name: "CastTLS", dependencies: ["COpenSSL", nioCore], swiftSettings: settings),
    .target(
      name: "CastHTTP", dependencies: ["CastTLS", nioCore, nioPosix, nioHTTP],
      swiftSettings: settings),
    .target(name: "CastMulticast", dependencies: [nioCore, nioPosix], swiftSettings: settings),
    .target(
      name: "CastSender",
      dependencies: ["CastProtocol", "CastTLS", "CastHTTP", "CastMulticast", nioCore, nioPosix, logging],
      swiftSettings: settings),
    .target(
      name: "CastqStore", dependencies: ["CastqCore", "CastProtocol", grdb],
      resources: [.embedInCode("schema.sql")], swiftSettings: settings),
    .target(
      name: "CastqMediaServer", dependencies: [nioCore, nioPosix, nioHTTP], swiftSettings: settings),
    .target(
      name: "CastReceiverSim",
      dependencies: ["CastProtocol", "CastTLS", "CastMulticast", nioCore, nioPosix, nioHTTP],
      swiftSettings: settings),

    // tier 3: services
    .target(
      name: "CastqDaemon",
      dependencies: [
        "CastqCore", "CastqStore", "CastSender", "CastProtocol", "CastTLS", "CastqMediaServer", nioCore,
        nioPosix, logging,
      ],
      swiftSettings: settings),

    // tier 4: programs
    .executableTarget(
      name: "castq",
      dependencies: [
        "CastqDaemon", "CastqStore", "CastqCore", "CastSender", "CastHTTP", "CastProtocol", arguments,
        logging, signals,
      ],
      swiftSettings: settings),
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
    .testTarget(
      name: "CastTLSTests", dependencies: ["CastTLS", nioCore, nioPosix, nioEmbedded],
      swiftSettings: settings),
    .testTarget(
      name: "CastHTTPTests", dependencies: ["CastHTTP", "CastTLS", nioCore, nioPosix, nioHTTP],
      swiftSettings: settings),
    .testTarget(
      name: "CastMulticastTests", dependencies: ["CastMulticast", nioCore, nioPosix],
      swiftSettings: settings),
    .testTarget(
      name: "CastqCoreTests", dependencies: ["CastqCore", "CastProtocol"], exclude: ["Foreign"],
      swiftSettings: settings),
    .testTarget(
      name: "CastqStoreTests", dependencies: ["CastqStore", "CastqCore", "CastProtocol", grdb],
      exclude: ["Schemas"], swiftSettings: settings),
    .testTarget(
      name: "CastqMediaServerTests", dependencies: ["CastqMediaServer", nioCore, nioPosix],
      swiftSettings: settings),
    .testTarget(
      name: "CastReceiverSimTests",
      dependencies: [
        "CastReceiverSim", "CastTestKit", "CastProtocol", "CastTLS", "CastMulticast", nioCore, nioPosix,
      ],
      exclude: ["Recordings"], swiftSettings: settings),
    .testTarget(
      name: "PairTests",
      dependencies: ["CastTestKit", "CastProtocol", "CastqCore", "CastReceiverSim"],
      swiftSettings: settings),
    .testTarget(
      name: "CastSenderTests",
      dependencies: [
        "CastSender", "CastReceiverSim", "CastProtocol", "CastTLS", nioCore, nioPosix, nioEmbedded, logging,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CastqDaemonTests",
      dependencies: [
        "CastqDaemon", "CastqStore", "CastqCore", "CastSender", "CastReceiverSim", "CastProtocol",
        "CastTLS", "CastqMediaServer", nioCore, nioPosix,
      ],
      swiftSettings: settings),
    .testTarget(name: "CastqCLITests", dependencies: ["castq"], swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "CastSender", "CastReceiverSim", "CastProtocol", "CastTLS", "CastTestKit", nioCore, nioPosix, logging,
      ],
      swiftSettings: settings),
    .testTarget(name: "LayeringTests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
