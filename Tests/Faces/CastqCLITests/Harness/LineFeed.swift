import Foundation
import Synchronization

/// What comes out of a pipe, kept whole and awaitable line by line.
///
/// A thread of its own reads, so that a program never blocks on a full pipe; whoever waits is woken by the line itself.
final class LineFeed: Sendable {
  private struct Waiter {
    var number: Int
    var from: Int
    var accepts: @Sendable (String) -> Bool
    var continuation: CheckedContinuation<Int?, Never>
  }

  private struct State {
    var bytes: [UInt8] = []
    var lines: [String] = []
    var lineStart = 0
    var hasEnded = false
    var waiters: [Waiter] = []
    var nextWaiter = 0
  }

  private let state = Mutex(State())

  /// Reads the descriptor to its end, then closes it.
  func read(_ descriptor: Int32) {
    Thread.detachNewThread { [self] in
      var chunk = [UInt8](repeating: 0, count: 64 * 1024)
      while true {
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        take(chunk[..<count])
      }
      close(descriptor)
      end()
    }
  }

  /// Everything so far.
  var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

  /// Whole lines so far, and a last one without a line end.
  var lines: [String] {
    state.withLock { state in
      let rest = state.bytes[state.lineStart...]
      return state.lines + (rest.isEmpty ? [] : [String(decoding: rest, as: UTF8.self)])
    }
  }

  /// The index of the first accepted line at or after `from`; nil when the pipe ends without one.
  func index(from: Int = 0, where accepts: @escaping @Sendable (String) -> Bool) async -> Int? {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Int?? = state.withLock { state in
          if let found = state.lines.indices.dropFirst(from).first(where: { accepts(state.lines[$0]) }) {
            return .some(found)
          }
          if state.hasEnded || Task.isCancelled { return .some(nil) }
          state.waiters.append(
            Waiter(number: number, from: from, accepts: accepts, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(returning: nil)
    }
  }

  /// The first line with these words at or after `from`; nil when the pipe ends without one.
  func line(containing words: String, from: Int = 0) async -> String? {
    await index(from: from) { $0.contains(words) }.map { lines[$0] }
  }

  /// Returns when nothing more will come.
  func ended() async { _ = await index(from: .max) { _ in false } }

  private func take(_ chunk: ArraySlice<UInt8>) {
    let ready = state.withLock { state in
      let first = state.lines.count
      for byte in chunk {
        if byte == UInt8(ascii: "\n") {
          state.lines.append(String(decoding: state.bytes[state.lineStart...], as: UTF8.self))
          state.lineStart = state.bytes.count + 1
        }
        state.bytes.append(byte)
      }
      return state.lines.indices.dropFirst(first).flatMap { index in
        let line = state.lines[index]
        let accepted = state.waiters.filter { $0.from <= index && $0.accepts(line) }
        state.waiters.removeAll { waiter in accepted.contains { $0.number == waiter.number } }
        return accepted.map { ($0.continuation, index) }
      }
    }
    for (continuation, index) in ready { continuation.resume(returning: index) }
  }

  /// Nothing more will come.
  func end() {
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }
}
