import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText

/// The status of a device, in lines.
extension ScreenState {
  /// The status in one line.
  var line: String { line(columns: .max) }

  /// The status in one line of limited width; the title is truncated first.
  func line(columns: Int) -> String {
    let why = reason().map { "; \($0)" } ?? ""
    if let silence = seen.silence {
      let shown = onScreen()?.text(columns: .max) ?? (picture == nil ? "offline" : darkness)
      return DisplayWidth.fitted("\(name): \(silence.words); the device: \(shown)", columns: columns)
    }
    guard picture != nil else { return DisplayWidth.fitted("\(name): offline\(why)", columns: columns) }
    guard let what = onScreen(), isPlaying else {
      return DisplayWidth.fitted("\(name): \(darkness)\(why)", columns: columns)
    }
    return what.prefixed("\(name): ").text(columns: columns)
  }

  private var darkness: String {
    guard isMediaSilent else { return "nothing is playing" }
    return "\(application?.displayName ?? "the application") does not say what it plays"
  }

  /// The status in a few lines.
  var lines: [String] {
    var lines = ["\(device.label) (\(device.endpoint))"]
    let shown = onScreen()?.text(columns: .max) ?? (picture == nil ? "offline" : darkness)
    if let silence = seen.silence { lines.append(silence.words) }
    lines.append(seen.silence == nil ? shown : "the device: \(shown)")
    if let reason = reason(), reason != listLines.first.map({ TerminalText.sanitized($0) }) {
      lines.append(reason)
    }
    if let rule {
      let end = rule.end.map { " until \($0.dated.map(rows.clock.text) ?? "it is changed")" } ?? ""
      lines.append("by the rule \(rule.name): \(rule.programme)\(end)")
    }
    if let volume = picture?.receiver?.volume {
      let muted = volume.isMuted ? ", muted" : ""
      let configured = configuredLevel.map { ", configured \($0)" } ?? ""
      lines.append("volume \(Int(bounded: (volume.level * 100).rounded()))\(muted)\(configured)")
    }
    let waiting = rows.pending + rows.queued
    if waiting > 0 {
      let words = waiting == 1 ? "1 entry waits" : "\(waiting) entries wait"
      lines.append(words + (rows.settings.map { "; \($0.words)" } ?? ""))
    } else if let settings = rows.settings, settings.repeatMode != .off || settings.isShuffled {
      lines.append(settings.words)
    }
    return (lines + listLines).map { TerminalText.sanitized(AddressText.withoutSecrets($0)) }
  }

  private var name: String { TerminalText.sanitized(device.label) }

  /// The line so much later than the status: the position is counted on, and in the last half minute what is next stands behind it.
  /// - Parameters:
  ///   - elapsed: since the status.
  ///   - hint: what a key does now; left out where there is no room for it.
  func line(columns: Int, elapsed: Duration, hint: String) -> String {
    guard seen.silence == nil, isPlaying, let what = onScreen(after: elapsed) else {
      return line(columns: columns)
    }
    let end = announcement(after: elapsed) ?? (columns >= 70 && !hint.isEmpty ? "  \(hint)" : "")
    return what.prefixed("\(name): ").text(columns: columns, end: end)
  }

  /// What is next, in the last half minute before it.
  private func announcement(after elapsed: Duration) -> String? {
    guard let next = rows.nextTitle, let media, media.adBreakStatus == nil, information?.isLive == false,
      let length = information?.streamDuration?.seconds, length > 0,
      let position = progress(after: elapsed).position
    else { return nil }
    let left = (length - position) / max(media.playbackRate, 0.1)
    guard left <= 30 else { return nil }
    return "  next in \(Int(bounded: max(left, 0).rounded(.up))) s: \(next)"
  }

  /// State, title and position of the current media; nil if nothing plays.
  private func onScreen(after elapsed: Duration = .zero) -> FittedLine? {
    if let media, !media.isEnded {
      let ad = AdProgress(media).map { "  \($0.words)" } ?? ""
      let progress = progress(after: elapsed)
      if information?.isPicture == true, !media.isLoading {
        let shown = progress.position.map { "  \(ClockText.progress($0, of: progress.length))" } ?? ""
        return FittedLine("SHOWING  ", label, shown + ad)
      }
      return FittedLine(
        "\(playerState ?? "")  ", label,
        "  \(ClockText.progress(progress.position, of: progress.length))\(ad)")
    }
    return page.map { FittedLine("\(playerState ?? "")  ", $0.label, "  web page") }
  }
}
