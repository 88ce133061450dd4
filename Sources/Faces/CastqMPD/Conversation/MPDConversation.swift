/// One client's conversation: what its lines and what happens lead to.
///
///     ready ─ idle ─> waiting ─ noidle, something changed ─> ready
///       ├─ command_list_begin ─> collecting ─ command_list_end ─> performing
///       └─ a command ─> performing ─ all answered, or one failed ─> ready
package struct MPDConversation: Sendable {
  /// What the connection does next.
  package enum Action: Sendable, Hashable {
    case write(String)
    /// Answers a request; the outcome is reported by `performed` or `failed`.
    case perform(MPDRequest)
    case close
  }

  private enum State: Sendable {
    case ready
    /// Of a list that is being sent.
    case collecting(lines: [[UInt8]], bytes: Int, isVerbose: Bool)
    /// Requests that are performed in their order; `next` is the index of the first one that was not begun.
    case performing(lines: [[UInt8]], next: Int, count: Int, isVerbose: Bool?)
    case waiting(Set<MPDSubsystem>)
    case closed
  }

  /// Bytes and lines of a command list.
  package static let (mostBytes, mostLines) = (4 << 20, 65_536)
  /// The version of the protocol that is spoken.
  package static let greeting = "OK MPD 0.23.5\n"

  package private(set) var partition: String
  package var permissions: MPDPermissions
  /// The tags that this client gets.
  package private(set) var tags = Set(MPDTag.allCases)
  /// Bytes of a piece of a picture.
  package private(set) var binaryLimit = 8192
  private var state = State.ready
  /// What changed since the last `idle`.
  private var changed: Set<MPDSubsystem> = []

  package init(partition: String, permissions: MPDPermissions) {
    self.partition = partition
    self.permissions = permissions
  }

  /// Whether the client waits for something to happen: silence is no sign of its end.
  package var isWaiting: Bool { if case .waiting = state { true } else { false } }
  package var isClosed: Bool { if case .closed = state { true } else { false } }

  // MARK: - What the client sends

  /// A line, without its end. The client's next one is given when this one is answered.
  package mutating func receive(_ line: [UInt8]) -> [Action] {
    switch state {
    case .closed, .performing: return []
    case .waiting:
      guard line.elementsEqual("noidle".utf8) else { return close() }
      return endWaiting()
    case .collecting(var lines, var bytes, let isVerbose):
      if line.elementsEqual("command_list_end".utf8) {
        return perform(lines, isVerbose: isVerbose)
      }
      bytes += line.count + 1
      guard bytes <= Self.mostBytes, lines.count < Self.mostLines else { return close() }
      // Held once, the array is not copied for each line.
      state = .ready
      lines.append(line)
      state = .collecting(lines: lines, bytes: bytes, isVerbose: isVerbose)
      return []
    case .ready:
      // A browser that was misled to this port sends a request in capital letters: it gets no second line.
      guard let first = line.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z") else {
        return close()
      }
      if line.elementsEqual("command_list_begin".utf8) { return collect(isVerbose: false) }
      if line.elementsEqual("command_list_ok_begin".utf8) { return collect(isVerbose: true) }
      return begin(line)
    }
  }

  private mutating func collect(isVerbose: Bool) -> [Action] {
    state = .collecting(lines: [], bytes: 0, isVerbose: isVerbose)
    return []
  }

  private mutating func begin(_ line: [UInt8]) -> [Action] {
    guard let words = try? MPDWords(line) else { return perform([line], isVerbose: nil) }
    switch words.command {
    case "noidle": return []
    case "idle" where permissions.contains(.read):
      var subsystems: Set<MPDSubsystem> = []
      for name in words.arguments {
        guard let subsystem = MPDSubsystem(rawValue: name.lowercased()) else {
          let failure = MPDFailure(.argument, "Unrecognized idle event: \(name)")
          return [.write(failure.line(index: 0, command: "idle"))]
        }
        subsystems.insert(subsystem)
      }
      state = .waiting(subsystems.isEmpty ? Set(MPDSubsystem.allCases) : subsystems)
      return wake()
    default: return perform([line], isVerbose: nil)
    }
  }

  private mutating func close() -> [Action] {
    state = .closed
    return [.close]
  }

  // MARK: - What happens

  /// Something changed in the client's partition, or in all of them.
  package mutating func notice(_ subsystems: Set<MPDSubsystem>) -> [Action] {
    changed.formUnion(subsystems)
    return wake()
  }

  private mutating func wake() -> [Action] {
    guard case .waiting(let watched) = state, !watched.isDisjoint(with: changed) else { return [] }
    return endWaiting()
  }

  private mutating func endWaiting() -> [Action] {
    guard case .waiting(let watched) = state else { return [] }
    state = .ready
    let seen = MPDSubsystem.allCases.filter { watched.contains($0) && changed.contains($0) }
    changed.subtract(seen)
    return [.write(seen.map { "changed: \($0.rawValue)\n" }.joined() + "OK\n")]
  }

  /// The partition of the client was removed, or it chose another one.
  package mutating func choose(_ partition: String) {
    guard partition != self.partition else { return }
    self.partition = partition
    // Everything is another one's from now on.
    changed.formUnion([.playlist, .player, .mixer, .output, .options])
  }

  /// The partition has another name.
  package mutating func rename(_ partition: String) { self.partition = partition }

  // MARK: - Requests

  private mutating func perform(_ lines: [[UInt8]], isVerbose: Bool?) -> [Action] {
    state = .performing(lines: lines, next: 0, count: 0, isVerbose: isVerbose)
    return next()
  }

  /// The requests that were begun last are answered, but for the end.
  package mutating func performed() -> [Action] {
    guard case .performing(let lines, let next, let count, let isVerbose) = state else { return [] }
    state = .performing(lines: lines, next: next + count, count: 0, isVerbose: isVerbose)
    var actions: [Action] = []
    if isVerbose == true {
      actions.append(.write(String(repeating: "list_OK\n", count: count)))
    }
    return actions + self.next()
  }

  /// The request that was begun last failed; those after it are not begun.
  package mutating func failed(_ failure: MPDFailure) -> [Action] {
    guard case .performing(let lines, let next, _, let isVerbose) = state else { return [] }
    state = .ready
    let index = next + failure.offset
    // The name of an unknown command is left out.
    let isKnown = failure.code != .unknown && lines.indices.contains(index)
    let name = isKnown ? (try? MPDWords(lines[index]))?.command : nil
    let done = isVerbose == true ? String(repeating: "list_OK\n", count: failure.offset) : ""
    return [.write(done + failure.line(index: index, command: name ?? ""))]
  }

  /// The next request that is not answered here.
  private mutating func next() -> [Action] {
    var written = ""
    while case .performing(let lines, let next, _, let isVerbose) = state {
      guard next < lines.count else {
        state = .ready
        return [.write(written + "OK\n")]
      }
      let request: MPDRequest
      var count = 1
      do throws(MPDFailure) {
        request = try Self.group(lines[next...], permissions, count: &count)
        if let answer = try answer(request) {
          written += answer + (isVerbose == true ? "list_OK\n" : "")
          if isClosed { return [.write(written), .close] }
          state = .performing(lines: lines, next: next + 1, count: 0, isVerbose: isVerbose)
          continue
        }
      } catch {
        state = .performing(lines: lines, next: next, count: 1, isVerbose: isVerbose)
        return (written.isEmpty ? [] : [.write(written)]) + failed(error)
      }
      state = .performing(lines: lines, next: next, count: count, isVerbose: isVerbose)
      return (written.isEmpty ? [] : [.write(written)]) + [.perform(request)]
    }
    return []
  }

  /// The first request, with all that follow it and add songs to the end as it does: they become one transaction.
  private static func group(
    _ lines: ArraySlice<[UInt8]>, _ permissions: MPDPermissions, count: inout Int
  ) throws(MPDFailure) -> MPDRequest {
    guard let line = lines.first else { return .nothing }
    let request = try MPDCommand.request(MPDWords(line), permissions: permissions)
    guard case .add(var addresses, nil) = request else { return request }
    for line in lines.dropFirst() {
      guard addresses.count < 1000, let words = try? MPDWords(line),
        case .add(let more, nil)? = try? MPDCommand.request(words, permissions: permissions)
      else { break }
      addresses += more
    }
    count = addresses.count
    return .add(addresses, nil)
  }

  /// The answer to a request that is about the conversation itself; nil for all others.
  private mutating func answer(_ request: MPDRequest) throws(MPDFailure) -> String? {
    switch request {
    case .ping, .nothing: return ""
    case .constant(let text): return text
    case .close:
      state = .closed
      return ""
    case .commands(let areAllowed):
      return MPDCommand.names(permissions, areAllowed: areAllowed).map { "command: \($0)\n" }.joined()
    case .tagTypes:
      return MPDTag.allCases.filter(tags.contains).map { "tagtype: \($0.rawValue)\n" }.joined()
    case .limitTags(let named, let isAdded):
      if isAdded { tags.formUnion(named ?? Set(MPDTag.allCases)) } else { tags.subtract(named ?? tags) }
      return ""
    case .urlHandlers: return "handler: http://\nhandler: https://\n"
    case .decoders: return ""
    case .binaryLimit(let limit):
      binaryLimit = min(limit, 1 << 20)
      return ""
    default: return nil
    }
  }
}
