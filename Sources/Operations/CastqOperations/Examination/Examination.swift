import CastProtocol
import CastqDaemon
package import CastqFeeding
package import CastqStore
package import CastqText
import Synchronization

/// Collects what `castq doctor` judges. Everything is examined at the same time, within time limits; only the launch waits for the
/// rest of the path.
package struct Examination {
  package let global: CallOptions
  package let workspace: Workspace
  /// Nil when none is known, or the wanted one is not.
  package let device: KnownDevice?
  package let rules: DeviceRules
  /// The port that local files must have; nil leaves it to castq.
  package let mediaPort: Int?
  package let configuration: DaemonConfiguration
  /// `--launch`, `--no-launch`, or neither.
  package let launch: Bool?

  /// Examines everything; without a database, what does not need one.
  /// - Throws: for bad options, and for a configuration that cannot be read.
  package static func report(_ global: CallOptions, launch: Bool?) async throws(Failure) -> DoctorReport {
    let workspace: Workspace
    do throws(Failure) { workspace = try Workspace(global, isReader: true) } catch {
      guard error.exit != .configuration || error.code != "configuration" else { throw error }
      return await withoutDatabase(global, error)
    }
    var missing: Failure?
    var device: KnownDevice?
    do throws(Failure) { device = try await workspace.device(global) } catch {
      missing = error
    }
    let file = try ConfigurationFile(global).read().get()
    let media = try MediaArguments(global)
    var rules = device.map { file.rules(for: $0.names) } ?? file.standard
    rules.advertised = media.advertised ?? rules.advertised
    let examination = Examination(
      global: global, workspace: workspace, device: device, rules: rules,
      mediaPort: media.port ?? file.mediaPort, configuration: file, launch: launch)
    return await examination.report(missing: missing)
  }

  private static func withoutDatabase(_ global: CallOptions, _ failure: Failure) async -> DoctorReport {
    async let programs = programs((try? ConfigurationFile(global).read().get())?.programs ?? ProgramChoices())
    async let multicast = multicast(nil)
    let path = global.databasePath
    let connection = ConnectionFinding(endpoint: "", typedLabel: "", outcome: .notTried)
    let clock = ClockFinding(now: .now, state: .ofSystem)
    let others = [
      DiskFinding(path: path, state: .unusable(failure)).verdict, clock.verdict,
      LaunchFinding.notReached.verdict,
      SubtitleFinding.notTried.verdict, await multicast.verdict,
      // Without a database the number of devices is unknown.
      OpenFilesFinding(shares: .ofProcess, devices: 0).verdict,
    ]
    return DoctorReport(
      connection.verdicts + MediaFinding(server: .unexamined).verdicts + others
        + (await programs).map(\.verdict))
  }

  private func report(missing: Failure?) async -> DoctorReport {
    async let found = Self.programs(configuration.programs)
    async let multicast = Self.multicast(device)
    async let disk = disk()
    let running = await runningServer()
    async let served = served(beside: running)
    var contact = await contact(missing)
    contact.finding.feederProblem = running?.connectionProblem
    let server = await served
    let tried = await launch(contact, server, isFed: running != nil)
    var media = server.finding
    media.deviceFetch = tried.fetch ?? media.deviceFetch
    await server.own?.end()
    let clock = ClockFinding(now: .now, state: .ofSystem, certificateProblem: contact.windowProblem)
    let first = [
      contact.finding.silence ?? tried.launch.verdict, await multicast.verdict, server.subtitles.verdict,
    ]
    return DoctorReport(
      contact.finding.verdicts + media.verdicts + first
        + [clock.verdict, await disk.verdict, openFiles(of: running).verdict]
        + (await found).map(\.verdict))
  }
}

// MARK: - This computer

extension Examination {
  private static func programs(_ choices: ProgramChoices) async -> [ProgramFinding] {
    await ProgramFinding.all(choices, environment: Environment.value, now: .now)
  }

  /// How long the network is searched, at most: until the device has answered.
  private static let scan = Duration.seconds(3)

  private static func multicast(_ device: KnownDevice?) async -> MulticastFinding {
    let id = device?.uuid
    let scan = await Discovery.finder().scan(for: scan) { devices in
      id != nil && devices.contains { $0.uniqueID == id }
    }
    return MulticastFinding(
      heard: scan.devices.count, heardDevice: id.map { id in scan.devices.contains { $0.uniqueID == id } },
      problems: scan.problems.map { problem in
        MulticastFinding.Problem(
          code: problem.code, message: problem.advice.map { "\(problem.message); \($0)" } ?? problem.message)
      }, isInContainer: Discovery.isInOwnNetwork)
  }

  /// What castq may have open: the one that runs, or one that would begin now.
  private func openFiles(of running: RunningServer?) -> OpenFilesFinding {
    OpenFiles.raiseLimit()
    let devices = (try? workspace.devices.all().count) ?? 0
    return OpenFilesFinding(running?.openFiles, or: .ofProcess, devices: devices)
  }

  /// Bytes of the largest file that is checked.
  private static let checked: Int64 = 256 << 20

  private func disk() async -> DiskFinding {
    let database = workspace.database
    let space = FreeSpace.beside(
      file: database.path, and: configuration.preparation.folder ?? "\(database.path).prepared")
    var finding = DiskFinding(path: database.path, state: .unchecked)
    (finding.free, finding.preparedFree) = (space.file, space.folder)
    finding.pending = database.pendingProblem.map { "\($0)" }
    let holders = [device.map { DatabaseLock.Purpose.feeder($0.id) }, .daemon].compactMap { $0 }
    finding.feeders = holders.compactMap { DatabaseLock.holder($0, of: database) }.filter(\.isAlive)
      .map(\.process).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    do throws(StoreError) {
      let isSmall = (database.size ?? .max) <= Self.checked
      let problems = try await database.executor.run { () throws(StoreError) in
        isSmall ? try database.quickCheck() : []
      }
      if let first = problems.first {
        finding.state = .damaged(first)
      } else if isSmall {
        finding.state = .intact
      }
      try await database.executor.run { () throws(StoreError) in try database.checkWriting() }
    } catch {
      switch error {
      case .readOnly: finding.isReadOnly = true
      case .busy: finding.state = .locked
      default: finding.state = .unusable(Failure(error))
      }
    }
    return finding
  }
}
