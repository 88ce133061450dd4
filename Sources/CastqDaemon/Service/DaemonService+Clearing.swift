import CastSender
import CastqCore
import CastqStore
import Logging

/// What castq has left on screens on which nothing is due: it is adopted and ended, so that a picture does not stay for the night.
/// In quiet hours that are black, a black picture takes its place.
extension DaemonService {
  func clear(
    _ id: DeviceID, _ manner: RunnerEnding, because reason: PlayEnding, in group: inout DiscardingTaskGroup
  ) {
    do throws(StoreError) {
      guard let device = try rows.devices.device(id) else {
        send.yield(.site(.cleared(id)))
        return
      }
      var options = options(for: device)
      let picture = manner == .black ? BlackPicture(device, options, on: host, logger) : nil
      black.removeValue(forKey: id)?.end()
      black[id] = picture
      var run: DeviceFeeder.Run?
      if let isPage = try rows.queue.devicesLeftPlaying()[id] {
        options.clearing = RunnerConfiguration.Clearing(
          isPage ? .pages : .media, quits: manner == .quit, because: reason)
        run = try feeder(of: device).start(on: host, options: options) { _ in }
        logger.notice(
          "ending what was left on the screen",
          metadata: ["castq.device": "\(device.label)", "castq.reason": "\(reason.words)"])
      }
      clearing[id] = run
      group.addTask { [send, run] in
        let end = await run?.outcome() ?? .stopped
        if case .stopped = end { await picture?.show() }
        send.yield(.site(.cleared(id)))
      }
    } catch {
      // Another process feeds the device: what is there is its own.
      if case .busy = error {} else { reportReadError(error) }
      send.yield(.site(.cleared(id)))
    }
  }
}
