import CastProtocol
import CastqCore
import CastqOperations
import CastqStore

/// The status of a device, in lines.
extension StatusDocument {
  /// The status in one line.
  var line: String { line(columns: .max) }

  /// The status in one line of limited width; the title is truncated first.
  func line(columns: Int) -> String {
    let why = reason().map { "; \($0)" } ?? ""
    if let silence {
      let seen = onScreen?.text(columns: .max) ?? (picture == nil ? "offline" : darkness)
      return DisplayWidth.fitted("\(label): \(silence.words); the device: \(seen)", columns: columns)
    }
    guard picture != nil else { return DisplayWidth.fitted("\(label): offline\(why)", columns: columns) }
    guard let what = onScreen, isPlaying else {
      return DisplayWidth.fitted("\(label): \(darkness)\(why)", columns: columns)
    }
    return what.prefixed("\(label): ").text(columns: columns)
  }

  private var darkness: String {
    guard isMediaSilent else { return "nothing is playing" }
    return "\(application?.displayName ?? "the application") does not say what it plays"
  }

  /// The status in a few lines.
  var lines: [String] {
    var lines = ["\(device.label) (\(device.endpoint))"]
    let seen = onScreen?.text(columns: .max) ?? (picture == nil ? "offline" : darkness)
    if let silence { lines.append(silence.words) }
    lines.append(silence == nil ? seen : "the device: \(seen)")
    if let reason = reason(), reason != listLines.first.map({ TerminalText.sanitized($0) }) {
      lines.append(reason)
    }
    if let rule {
      let end = rule.end.map { " until \($0.dated.map(queue.clock.text) ?? "it is changed")" } ?? ""
      lines.append("by the rule \(rule.name): \(rule.programme)\(end)")
    }
    if let volume = picture?.receiver?.volume {
      let muted = volume.isMuted ? ", muted" : ""
      let configured = configuredLevel.map { ", configured \($0)" } ?? ""
      lines.append("volume \(Int(bounded: (volume.level * 100).rounded()))\(muted)\(configured)")
    }
    let waiting = queue.pending + queue.queued
    if waiting > 0 {
      let words = waiting == 1 ? "1 entry waits" : "\(waiting) entries wait"
      lines.append(words + (queue.settings.map { "; \($0.words)" } ?? ""))
    } else if let settings = queue.settings, settings.repeatMode != .off || settings.isShuffled {
      lines.append(settings.words)
    }
    return (lines + listLines).map { TerminalText.sanitized(AddressText.withoutSecrets($0)) }
  }

  private var label: String { TerminalText.sanitized(device.label) }

  /// The line so much later than the status: the position is counted on, and in the last half minute what is next stands behind it.
  /// - Parameters:
  ///   - elapsed: seconds since the status.
  ///   - hint: what a key does now; left out where there is no room for it.
  func line(columns: Int, elapsed: Double, hint: String) -> String {
    var later = self
    if let media, media.playerState == .playing, media.adBreakStatus == nil,
      let position = media.streamPosition
    {
      let moved = position.seconds + max(elapsed, 0) * media.playbackRate
      let length = information?.streamDuration.flatMap { $0.seconds > 0 ? $0.seconds : nil } ?? .infinity
      later.picture?.media?.streamPosition = MediaTime(seconds: min(moved, length))
    }
    later.queue.still?.shown += max(elapsed, 0)
    guard let what = later.onScreen, isPlaying else { return later.line(columns: columns) }
    let end = later.announcement ?? (columns >= 70 && !hint.isEmpty ? "  \(hint)" : "")
    return what.prefixed("\(label): ").text(columns: columns, end: end)
  }

  /// What is next, in the last half minute before it.
  private var announcement: String? {
    guard let next = queue.nextTitle, let media, media.adBreakStatus == nil, information?.isLive == false,
      let length = information?.streamDuration?.seconds, length > 0,
      let position = media.streamPosition?.seconds
    else { return nil }
    let left = (length - position) / max(media.playbackRate, 0.1)
    guard left <= 30 else { return nil }
    return "  next in \(Int(bounded: max(left, 0).rounded(.up))) s: \(next)"
  }

  /// State, title and position of the current media; nil if nothing plays.
  private var onScreen: FittedLine? {
    if let media, !media.isEnded {
      let title = information?.label ?? "something"
      let ad = AdProgress(media).map { "  \($0.words)" } ?? ""
      if information?.isPicture == true, !media.isLoading {
        let shown = queue.still.map { "  \(ClockText.progress($0.shown, of: $0.length))" } ?? ""
        return FittedLine("SHOWING  ", title, shown + ad)
      }
      let progress = ClockText.progress(
        media.streamPosition?.seconds, of: information?.streamDuration?.seconds)
      return FittedLine("\(playerState ?? "")  ", title, "  \(progress)\(ad)")
    }
    return page.map { FittedLine("\(playerState ?? "")  ", $0.label, "  web page") }
  }
}
