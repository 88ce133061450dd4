import CastProtocol
import CastSender
import CastqDaemon
import CastqFiles
import CastqLink
import CastqPlaylists
import CastqPrograms
import CastqText
import Glibc

/// Carries out what `StandbyMachine` decides: asks the centre, keeps the epoch in a file, runs the command and `castq-link run` beside it.
actor StandbyRun {
  private let keeper: LeaseKeeper
  private let command: ChildService
  /// `castq-link run`; nil runs none.
  private let link: ChildService?
  private let memory: String
  private let time: TimeSource
  private var machine: StandbyMachine
  private var child: StartedProgram?
  private var linkChild: StartedProgram?
  /// Tells the command, and `castq-link run`, how long they may go on; both end when this program is gone.
  private var lease: LeaseWriter?
  private var linkLease: LeaseWriter?
  /// What is said to the programs that are started next, or run.
  private var permission = LeaseLine.until(milliseconds: 0)
  private var fence: Task<Void, Never>?
  private var pause: Duration = .zero
  private var ending: ExitStatus?
  private let (changes, send) = AsyncStream<StandbyMachine.Event>.makeStream()

  /// How long a command may take to end before it is killed.
  private static let patience = Duration.seconds(15)
  /// How long one whose lease is over may take before it is asked to end.
  private static let notice = Duration.milliseconds(500)

  /// - Parameter memory: the file that keeps the epoch.
  init(
    _ keeper: LeaseKeeper, site: String, command: ChildService, link: ChildService?, memory: String,
    time: TimeSource = .continuous
  ) {
    self.keeper = keeper
    self.command = command
    self.link = link
    self.memory = memory
    self.time = time
    machine = StandbyMachine(site: site, own: Self.remembered(memory), at: time.now())
  }

  /// Has it end. Safe from anywhere.
  nonisolated func stop() { send.yield(.stop) }

  /// Runs until `stop()`, or until the command ends for good.
  func run() async -> ExitStatus {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.ask() }
      for await event in changes {
        for action in machine.handle(event, at: time.now()) { await perform(action) }
        if ending != nil { break }
      }
      group.cancelAll()
      // A program that is to end does not wait for a server that stands still.
      keeper.abort()
    }
    await keeper.release()
    return ending ?? .terminated
  }

  private func ask() async {
    while !Task.isCancelled {
      if pause > .zero {
        let rest = pause
        pause = .zero
        guard (try? await time.sleep(rest)) != nil else { return }
      }
      send.yield(await keeper.ask(known: machine.own, at: time.now()))
      guard (try? await time.sleep(StandbyMachine.interval)) != nil else { return }
    }
  }

  private func perform(_ action: StandbyMachine.Action) async {
    switch action {
    case .remember(let epoch): remember(epoch)
    case .start(let epoch): start(epoch)
    case .end: end()
    case .revoke:
      permit(until: time.now())
      // A command that knows nothing of leases is ended as others are.
      end(after: Self.notice)
    case .permit(let end): permit(until: end)
    case .release:
      pause = StandbyMachine.pause
      // A question to a centre that stands still must not hold up what happens here meanwhile. The next one comes after the pause.
      Task { [keeper] in await keeper.release() }
    case .report(let words): LinkOutput.say("castq-link: \(words)")
    case .finish(let exit): ending = exit.flatMap { ExitStatus(rawValue: Int32($0)) } ?? .terminated
    }
  }

  // MARK: - The command

  private func permit(until end: Tick?) {
    fence?.cancel()
    guard let end else { return permit(.ever) }
    // This clock is read first: whoever is held up in between permits less, and not more.
    let now = LeaseLine.now()
    let rest = max(end - time.now(), .zero)
    permit(.until(milliseconds: now + Int64(bounded: rest.seconds * 1000)))
    fence = Task { [send, time] in
      guard (try? await time.sleep(rest)) != nil else { return }
      send.yield(.expired)
    }
  }

  /// The link has the lease of the command: where this program stands still, its link must not go on beside that
  /// of the next box.
  private func permit(_ line: LeaseLine) {
    permission = line
    lease?.write(line)
    linkLease?.write(line)
  }

  private func start(_ epoch: Int) {
    let lease = LeaseWriter()
    lease?.write(permission)
    self.lease = lease
    guard let lease, let started = command.start(["CASTQ_EPOCH": "\(epoch)"], lease) else {
      return _ = send.yield(.ended(Int(ExitStatus.cannotCreate.rawValue)))
    }
    child = started
    Task {
      self.ended(Int(await started.ending()))
    }
    startLink()
  }

  private func ended(_ exit: Int) {
    child = nil
    lease = nil
    fence?.cancel()
    endLink()
    send.yield(.ended(exit))
  }

  private func endLink() {
    guard let linkChild else { return }
    // The next permission is not for this one.
    linkLease = nil
    linkChild.signal(SIGTERM)
    Task {
      guard (try? await time.sleep(Self.patience)) != nil, self.linkChild === linkChild else { return }
      linkChild.signalGroup(SIGKILL)
    }
  }

  private func end(after notice: Duration = .zero) {
    guard let child else { return }
    Task {
      if notice > .zero {
        guard (try? await time.sleep(notice)) != nil, self.child === child else { return }
      }
      child.signal(SIGTERM)
      guard (try? await time.sleep(Self.patience)) != nil, self.child === child else { return }
      // A shell that runs the command must not leave it behind.
      child.signalGroup(SIGKILL)
    }
  }

  /// The link may fall and rise without darkening a screen.
  private func startLink() {
    guard let link, child != nil, linkChild == nil, let lease = LeaseWriter() else { return }
    lease.write(permission)
    guard let started = link.start([:], lease) else { return }
    (linkChild, linkLease) = (started, lease)
    Task {
      _ = await started.ending()
      (linkChild, linkLease) = (nil, nil)
      guard (try? await time.sleep(StandbyMachine.pause)) != nil else { return }
      startLink()
    }
  }

  // MARK: - The epoch

  private static func remembered(_ path: String) -> Int {
    guard let bytes = (try? OwnFile.bytes(of: path, limit: 4096)) ?? nil,
      let document = try? JSONValue(parsing: bytes),
      let epoch = document["epoch"]?.int, (1...EntryTag.latestEpoch).contains(epoch)
    else { return 0 }
    return epoch
  }

  private func remember(_ epoch: Int) {
    let document: JSONValue = ["epoch": .integer(Int64(epoch))]
    do throws(OwnFileError) { try OwnFile.replace(memory, with: Array("\(document.text)\n".utf8)) } catch {
      // The centre has it as well: without the file, this box waits for the centre after a restart.
      LinkOutput.say("castq-link: cannot write \(memory): \(error.words)")
    }
  }
}
