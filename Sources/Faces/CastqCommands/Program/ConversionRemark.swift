import CastSender
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore

/// Tells the person at a terminal that `castq cast` waits for a conversion: a line that goes when the film plays.
struct ConversionRemark {
  private let workspace: Workspace
  private let device: KnownDevice
  private let global: CallOptions

  /// How often it looks: the file may still have to be read, or tried.
  private static let interval = Duration.milliseconds(200)

  init(_ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions) {
    (self.workspace, self.device, self.global) = (workspace, device, global)
  }

  /// Shows the line for an entry once its file is converted, until the task is cancelled.
  func show(_ entry: EntryID?) async {
    guard let entry, Console.talksToTerminal, !global.quiet, !global.isMachineReadable,
      let configuration = try? global.configuration(for: device)
    else { return }
    let media = PreparedMedia(device, configuration, workspace.database)
    while !Task.isCancelled {
      if let row = try? workspace.queue.entry(entry),
        let (reason, isCertain) = media.conversion(of: row.draft), isCertain || row.attempts > 0
      {
        let line = FittedLine("", row.title, " is converted while it plays: \(reason)")
        Console.redraw(line.text(columns: Console.width))
        await Self.untilCancelled()
        return Console.redraw("")
      }
      try? await TimeSource.continuous.sleep(Self.interval)
    }
  }

  private static func untilCancelled() async {
    while (try? await TimeSource.continuous.sleep(.seconds(60))) != nil {}
  }
}
