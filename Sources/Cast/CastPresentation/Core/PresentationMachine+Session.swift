import CastProtocol

// The life of the session, and the actions of others.

extension PresentationMachine {
  /// Accepts the state of the session.
  mutating func adopt(_ session: PresentedSession?, at now: Tick) {
    let old = facts.openSession
    let known = LastKnownPlayback(facts, at: now)
    facts.session = session
    facts.sessionAt = now
    let new = facts.openSession
    switch (old, new) {
    case (nil, _?):
      facts.connectFailure = nil
      facts.lastKnown = nil
      forgetMedia()
      if new?.phase == .connected { isChooserOpen = false }
    case (let old?, let new?):
      if old.device.presentedID != new.device.presentedID { forgetDevice() }
      switch old.phase {
      case .connecting, .moving: if new.phase == .connected { isChooserOpen = false }
      case .connected, .suspended, .ended: break
      }
    case (let old?, nil):
      facts.lastKnown = known ?? facts.lastKnown
      forgetMedia()
      if case .ended(let error?) = session?.phase { reportEnd(of: old, error, at: now) }
    case (nil, nil): break
    }
  }

  /// What was known of a device that was left for another one.
  private mutating func forgetDevice() {
    facts.receiver = nil
    facts.requestedVolume = RequestedVolume()
    facts.group = nil
  }

  private mutating func forgetMedia() {
    forgetDevice()
    facts.application = nil
    facts.status = nil
    facts.queuePlace = nil
    facts.upNext = nil
  }

  private mutating func reportEnd(of session: PresentedSession, _ error: CastError, at now: Tick) {
    let failure = PresentationFailure(error)
    if case .connecting = session.phase {
      // A person who aborted the attempt needs no explanation.
      guard error.code != .cancelled else { return }
      facts.connectFailure = failure
      // The outcome of the choice brings the same words.
      guard !facts.isPending({ $0.isChoice }) else { return }
    }
    if error.code == .applicationReplaced {
      let by = error.takenOverBy.map { "“\($0)”" } ?? "another application"
      post(.takenOver, "\(by) has taken \(session.deviceName)", "cast again to take it back", at: now)
    } else {
      post(.sessionEnded, failure.message, failure.nextStep, at: now)
    }
  }

  /// Reports what others did; the facts themselves arrive as statuses.
  mutating func report(_ action: ForeignAction, at now: Tick) {
    let name = facts.openSession?.deviceName ?? "the device"
    let message =
      switch action {
      case .loaded(let status):
        status.mediaInformation?.metadata?.presentedTitle.map { "Another sender plays “\($0)” on \(name)" }
          ?? "Another sender plays something else on \(name)"
      case .stoppedMedia: "Another sender, or a person at \(name), has stopped playback"
      case .paused: "Another sender, or a person at \(name), has paused playback"
      case .resumed: "Another sender, or a person at \(name), has resumed playback"
      case .changedVolume(let volume):
        volume.isMuted
          ? "Another sender, or a person at \(name), has muted it"
          : "Another sender, or a person at \(name), has set its volume to \(Int(bounded: (volume.level * 100).rounded())) %"
      }
    post(.changedByOthers, message, at: now)
  }
}

extension PresentationIntent {
  /// Whether it is the choice of a device.
  var isChoice: Bool { if case .chooseDevice = self { true } else { false } }
}
