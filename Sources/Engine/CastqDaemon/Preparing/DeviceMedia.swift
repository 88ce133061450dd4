import CastProtocol
package import CastqPlaylists
package import CastqStore
package import CastqText

/// What one device plays of the files of this computer.
package struct DeviceMedia: Sendable {
  package let rules: PlayRules
  private let probes: ProbeMemory

  package init(rules: PlayRules, probes: ProbeMemory) {
    self.rules = rules
    self.probes = probes
  }

  /// A file whose content is known.
  package struct Examined: Sendable, Hashable {
    package var file: ProbedFile
    /// Seconds; nil if unknown.
    package var duration: Double?
    package var decision: PlayDecision
    /// How it is converted while it plays; nil where that is impossible.
    package var live: LiveConversion?
  }

  /// What is known of an entry.
  package enum Verdict: Sendable, Hashable {
    case decided(Examined)
    /// It is no media, in the words of `ffprobe`.
    case notMedia(String)
    /// Nothing can be read from it; the reason, and what its name says of it.
    case unread(String, byName: PlayDecision.Way?, reason: String?)
    /// It is on the web, or a picture.
    case notLocal
  }

  /// Reads a file, unless it is known.
  package func examine(_ draft: EntryDraft, now: @Sendable () -> WallTime) async -> Verdict {
    guard let path = draft.localFile else { return .notLocal }
    do throws(MediaProber.Problem) {
      return verdict(try await probes.result(path, now: now), path, draft)
    } catch {
      let guess = rules.decision(byType: draft.media.contentType)
      return .unread(error.message, byName: guess?.way, reason: guess?.reason)
    }
  }

  /// What was read from a file earlier; nil when nothing was. Reads the database, and so may block.
  package func known(_ draft: EntryDraft) -> Verdict? {
    guard let path = draft.localFile else { return .notLocal }
    guard let file = ProbedFile(path) else { return .notMedia("there is no such file") }
    do {
      return try probes.known(file).map { verdict($0, path, draft) }
    } catch {
      // What is in the database is a memory; without it the file is played as it is.
      return nil
    }
  }

  private func verdict(_ result: ProbeResult, _ path: String, _ draft: EntryDraft) -> Verdict {
    switch result {
    case .notMedia(let words): return .notMedia(words)
    case .media(let probe):
      guard let file = ProbedFile(path) else { return .notMedia("there is no such file") }
      let decision = rules.decision(probe, declaredType: draft.media.contentType)
      return .decided(
        Examined(file: file, duration: probe.duration, decision: decision, live: rules.live(probe)))
    }
  }
}

extension PlayRules {
  /// The rules of a device in the database.
  package init(_ device: KnownDevice, model: String?) {
    self.init(
      DeviceAbilities(model: model ?? device.model, capabilities: device.capabilities),
      deviceName: device.label)
  }
}
