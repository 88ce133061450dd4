import NIOCore

/// One connected client.
actor MPDClient {
  private let face: MPDFace
  private let gate: any MPDGate
  private let peer: String?
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private let mailbox = MPDMailbox()
  private var conversation: MPDConversation
  /// What clients may do here that have sent no password.
  private let usual: MPDPermissions
  /// The password that opened more; nil when none did.
  private var password: String?
  private var number = 0
  /// Counts lines and written pieces: as long as it grows the client is alive.
  private var activity = 0
  private var isPerforming = false
  private var isWriting = false

  init(
    _ conversation: MPDConversation, face: MPDFace, gate: any MPDGate, peer: String?,
    _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) {
    self.conversation = conversation
    usual = conversation.permissions
    self.face = face
    self.gate = gate
    self.peer = peer
    self.outbound = outbound
  }

  /// Serves the client until either side ends the connection.
  func serve(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) async {
    number = await face.join(conversation.partition, mailbox)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await self.read(inbound) }
      group.addTask { try? await self.listen() }
      group.addTask { try? await self.guardSilence() }
      await group.next()
      group.cancelAll()
    }
    await face.leave(number)
  }

  private func read(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) async throws {
    var reader = LineReader()
    try await write(Array(MPDConversation.greeting.utf8))
    for try await buffer in inbound {
      for line in try reader.read(buffer.readableBytesView) {
        activity += 1
        _ = isAdmitted()
        try await run(conversation.receive(line))
        if conversation.isClosed { return }
      }
    }
  }

  /// Reports what happens to a client that waits for it. Returns when the client may not hear of it any more.
  private func listen() async throws {
    for await _ in mailbox.signals {
      guard isAdmitted() else { return }
      try await run(conversation.notice(mailbox.collect()))
    }
  }

  /// Whether the password still opens what it did. One whose token was removed opens nothing from then on.
  private func isAdmitted() -> Bool {
    guard let password else { return true }
    let permissions = gate.permissions(stillOf: password)
    conversation.permissions = permissions ?? usual
    if permissions == nil { self.password = nil }
    return permissions != nil
  }

  /// Returns when the client was silent, or did not read, for too long. One in `idle` may be silent for ever.
  private func guardSilence() async throws {
    let settings = face.settings
    while true {
      let before = activity
      try await settings.sleep(settings.silence)
      let mayBeSilent = conversation.isWaiting || isPerforming
      if activity == before, isWriting || !mayBeSilent { return }
    }
  }

  private func run(_ actions: [MPDConversation.Action]) async throws {
    var rest = actions[...]
    while let action = rest.popFirst() {
      switch action {
      case .write(let text): try await write(Array(text.utf8))
      case .close: return
      case .perform(let request):
        isPerforming = true
        defer { isPerforming = false }
        do {
          try await perform(request)
          _ = isAdmitted()
          rest = conversation.performed()[...]
        } catch let failure as MPDFailure {
          rest = conversation.failed(failure)[...]
        }
      }
    }
  }

  private func perform(_ request: MPDRequest) async throws {
    switch request {
    case .password(let password):
      guard let permissions = try gate.permissions(password: password, peer: peer) else {
        throw MPDFailure(.password, "incorrect password")
      }
      (conversation.permissions, self.password) = (permissions, password)
    case .partition(let name):
      let name = try await face.partition(named: name)
      conversation.choose(name)
      await face.move(number, to: name)
    default:
      if let name = await face.partition(of: number) { conversation.rename(name) }
      let view = MPDView(
        partition: conversation.partition, tags: conversation.tags, binaryLimit: conversation.binaryLimit)
      try await face.answer(request, view) { [weak self] piece in try await self?.write(piece) }
    }
  }

  /// Returns when the client has room for more.
  private func write(_ bytes: [UInt8]) async throws {
    guard !bytes.isEmpty else { return }
    isWriting = true
    defer { isWriting = false }
    try await outbound.write(ByteBuffer(bytes: bytes))
    activity += 1
  }
}
