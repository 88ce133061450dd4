import CastProtocol

// What a person wants, checked against what is known.

extension PresentationMachine {
  mutating func accept(_ intent: PresentationIntent, _ id: IntentID, at now: Tick) -> [PresentationAction] {
    guard !facts.pending.contains(where: { $0.id == id }) else { return [] }
    if intent.concernsMedia {
      return decide(mediaCommand(for: intent, at: now), for: intent, id, at: now)
    }
    switch intent {
    case .pressCastButton: return pressCastButton(id, at: now)
    case .closeChooser:
      isChooserOpen = false
      if case .claiming = introduction { introduction = .claiming(opensChooser: false) }
    case .dismissIntroduction: if introduction == .visible { introduction = .over }
    case .closeExpandedController: isExpandedOpen = false
    case .setMiniControllerEnabled(let isEnabled): isMiniEnabled = isEnabled
    case .waitForNext: hiddenNext = itemName
    case .dismissNotice(let number): notices.removeAll { $0.id == number }
    case .openExpandedController:
      guard facts.media != nil else {
        return decide(.failure(.nothingLoaded), for: intent, id, at: now)
      }
      isExpandedOpen = true
      isChooserOpen = false
    case .pressVolumeKey where !options.volumeControlsDriveDevice:
      // The key has its usual meaning: nothing to complain about.
      record(id, intent, .failed(.keysAreNotBound), at: now)
      return []
    default: return decide(deviceCommand(for: intent, at: now), for: intent, id, at: now)
    }
    record(id, intent, .done, at: now)
    return []
  }

  private mutating func pressCastButton(_ id: IntentID, at now: Tick) -> [PresentationAction] {
    record(id, .pressCastButton, .done, at: now)
    // The introduction points at the button: a press has understood it.
    if introduction == .visible { introduction = .over }
    if facts.openSession == nil {
      if introduction == .unclaimed {
        introduction = .claiming(opensChooser: true)
        return [.claimIntroduction]
      }
      if introduction == .claiming(opensChooser: false) {
        introduction = .claiming(opensChooser: true)
        return []
      }
    }
    isChooserOpen = true
    return []
  }

  /// Sends a command, or records why there is none.
  private mutating func decide(
    _ decision: Result<PresentationCommand?, PresentationFailure>, for intent: PresentationIntent,
    _ id: IntentID, at now: Tick
  ) -> [PresentationAction] {
    var decision = decision
    if facts.pending.count >= Self.pendingLimit, case .success(_?) = decision {
      decision = .failure(.tooManyPending)
    }
    switch decision {
    case .success(nil):
      record(id, intent, .done, at: now)
      return []
    case .success(let command?):
      record(id, intent, .pending, at: now)
      facts.requestedVolume.request(command, at: now)
      facts.pending.append(
        PresentationFacts.PendingIntent(id: id, intent: intent, command: command, since: now))
      return [.perform(command, for: id)]
    case .failure(let failure):
      record(id, intent, .failed(failure), at: now)
      post(.failure, failure.message, failure.nextStep, at: now)
      return []
    }
  }

  private mutating func record(
    _ id: IntentID, _ intent: PresentationIntent, _ outcome: IntentOutcome, at now: Tick
  ) {
    records.removeAll { $0.id == id }
    records.append(IntentRecord(id: id, intent: intent, outcome: outcome, since: now))
    guard records.count > Self.recordLimit else { return }
    records.remove(at: records.firstIndex { !$0.isPending } ?? records.startIndex)
  }

  /// Ends a pending intent; does nothing for others.
  @discardableResult
  mutating func end(_ id: IntentID, _ outcome: IntentOutcome) -> PresentationFacts.PendingIntent? {
    guard let index = facts.pending.firstIndex(where: { $0.id == id }) else { return nil }
    let pending = facts.pending.remove(at: index)
    if let index = records.lastIndex(where: { $0.id == id }) { records[index].outcome = outcome }
    return pending
  }

  mutating func finish(_ id: IntentID, _ failure: PresentationFailure?, at now: Tick) {
    guard let pending = end(id, failure.map { .failed($0) } ?? .done) else { return }
    facts.requestedVolume.finish(pending.command, hasFailed: failure != nil, at: now)
    guard let failure else { return noteMember(after: pending.command) }
    // A person who aborted something needs no explanation.
    guard failure.code != "\(CastError.Code.cancelled)" else { return }
    if pending.intent.isChoice, facts.openSession == nil { facts.connectFailure = failure }
    post(.failure, failure.message, failure.nextStep, at: now)
  }
}

// MARK: - The device and the session

extension PresentationMachine {
  private mutating func deviceCommand(for intent: PresentationIntent, at now: Tick)
    -> Result<PresentationCommand?, PresentationFailure>
  {
    switch intent {
    case .chooseDevice(let name): return choose(name)
    case .cancelConnecting:
      let isConnecting = if case .connecting = facts.openSession?.phase { true } else { false }
      guard isConnecting || facts.isPending({ $0.isChoice }) else { return .failure(.notConnecting) }
      return .success(.cancelConnecting)
    case .reconnect:
      guard case .suspended = facts.openSession?.phase else { return .failure(.notSuspended) }
      return .success(.reconnect)
    case .disconnect, .stopCasting:
      guard facts.openSession != nil else { return .failure(.nothingIsCast) }
      return .success(intent == .disconnect ? .disconnect : .stopCasting)
    case .setDeviceVolume(let level):
      guard level.isFinite else { return .failure(.notAVolume) }
      return permitted(facts.volumePermission) { .setDeviceVolume(level.clampedToUnit) }
    case .stepDeviceVolume(let count), .pressVolumeKey(let count): return stepVolume(by: count, at: now)
    case .setDeviceMuted(let isMuted):
      return permitted(facts.volumePermission) { .setDeviceMuted(isMuted) }
    case .transfer(to: let name): return transferCommand(to: name)
    case .setMemberVolume(let level, of: let id):
      guard level.isFinite else { return .failure(.notAVolume) }
      return memberCommand(id) { .setMemberVolume(level.clampedToUnit, of: $0) }
    case .setMemberMuted(let isMuted, of: let id):
      return memberCommand(id) { .setMemberMuted(isMuted, of: $0) }
    case .custom(let name): return .success(.custom(name))
    default: return .success(nil)
    }
  }

  private mutating func choose(_ name: String) -> Result<PresentationCommand?, PresentationFailure> {
    guard let device = facts.devices.first(where: { $0.presentedID == name }) else {
      return .failure(.deviceIsGone)
    }
    if facts.openSession?.device.presentedID == name { return .success(nil) }
    facts.connectFailure = nil
    return .success(.connect(device))
  }

  /// Steps count from the newest requested volume, so that fast presses add up.
  private func stepVolume(by count: Int, at now: Tick) -> Result<PresentationCommand?, PresentationFailure> {
    if let failure = facts.volumePermission.failure { return .failure(failure) }
    let requested = facts.pending.reversed().lazy.compactMap { pending -> Double? in
      if case .setDeviceVolume(let level, _) = pending.command { level } else { nil }
    }
    let shown = ShownValues(facts, options, at: now)
    guard let level = requested.first ?? shown.deviceLevel else { return .failure(.volumeUnknown) }
    let unmuting = count > 0 && (shown.isDeviceMuted || facts.receiver?.volume?.isMuted == true)
    return .success(
      .setDeviceVolume((level + Double(count) * facts.volumeStep).clampedToUnit, unmuting: unmuting))
  }

  func permitted(_ permission: Permission, _ command: () -> PresentationCommand)
    -> Result<PresentationCommand?, PresentationFailure>
  {
    if let failure = permission.failure { return .failure(failure) }
    return .success(command())
  }
}
