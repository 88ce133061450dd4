import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqTerminal
import CastqText

extension RemoteDriver {
  /// Performs a live command, and reports its outcome to the machine.
  func start(_ request: RemoteRequest, _ number: Int) {
    guard let device else { return }
    switch request {
    case .start(let entry): startProgram(number, device, "play", entry.map { ["\($0)"] } ?? [])
    case .add(let source, let isNext):
      startProgram(
        number, device, "enqueue",
        (isNext ? ["--next"] : []) + ["--play", "--", PlayableFiles.expanded(source)])
    case .transfer(let id):
      guard let goal = try? workspace.devices.device(DeviceID(id)) else {
        send.yield(.failed(number, "the device is no longer known"))
        return
      }
      startProgram(number, device, "transfer", ["--to", goal.handle])
    case .announce(let source):
      startProgram(number, device, "announce", ["--", PlayableFiles.expanded(source)])
    case .verb(let verb):
      let before = lastCommand
      let control = LiveControl(global: global, workspace: workspace, device: device)
      lastCommand = Task { [send] in
        await before?.value
        do throws(Failure) {
          // Only resumes: a feeder that starts here would end with the remote.
          if case .play = verb {
            try await control.ask(.perform(verb))
          } else {
            try await control.perform(verb)
          }
          send.yield(.finished(number))
        } catch {
          send.yield(.failed(number, error.shownMessage))
        }
      }
    }
  }

  /// Runs a command that may leave a feeder behind.
  private func startProgram(_ number: Int, _ device: KnownDevice, _ command: String, _ arguments: [String]) {
    let program = OwnProgram(global: global, workspace: workspace, device: device)
    Task { [send, weak self] in
      let ending = await program.run(command, arguments)
      send.yield(ending.failure.map { .failed(number, $0) } ?? .finished(number))
      await self?.readQueue(of: device)
    }
  }

  /// Changes the rows, as the commands do.
  func start(_ edit: RemoteEdit, _ number: Int) {
    guard let device else { return }
    edition += 1
    do throws(Failure) {
      try workspace.perform(edit, on: device)
      send.yield(.finished(number))
      Task { [workspace, global] in await FeederCall.poke(workspace, device, global) }
    } catch {
      send.yield(.failed(number, error.shownMessage))
    }
    Task { await readQueue(of: device) }
  }

  /// Reads a text that a command prints, too.
  func read(_ text: RemoteText) {
    guard let device else { return }
    let texts = RemoteTexts(global, workspace, device)
    Task { [send] in send.yield(.text(text, await texts.lines(of: text))) }
  }

  /// Reads a text for the place beside the queue.
  func readAside(_ text: RemoteText) {
    guard let device else { return }
    let texts = RemoteTexts(global, workspace, device)
    let id = device.id.rawValue
    Task { [send] in send.yield(.aside(id, text, await texts.shortLines(of: text))) }
  }
}

extension Workspace {
  /// Changes the rows of a device's queue.
  fileprivate func perform(_ edit: RemoteEdit, on device: KnownDevice) throws(Failure) {
    try ask { (here) throws(StoreError) in
      switch edit {
      case .move(let entry, let position):
        try here.queue.move(EntryID(entry), toPosition: position, on: device.id)
      case .remove(let entry): try here.queue.remove([EntryID(entry)], from: device.id)
      case .clear: try here.queue.removeAll(from: device.id)
      case .setRepeat(let mode): try here.queue.setRepeat(mode, for: device.id)
      case .setShuffle(let isShuffled):
        try here.queue.setShuffle(isShuffled, seed: .random(in: 0...UInt64.max), for: device.id)
      case .restore(let removed, let order):
        try here.queue.restore(Set(removed.map(EntryID.init)), to: device.id, asIn: order.map(EntryID.init))
      }
    }
  }
}
