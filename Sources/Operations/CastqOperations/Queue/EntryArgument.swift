import CastqFeeding
package import CastqPlaylists
package import CastqStore
package import CastqText

/// An entry of a queue on the command line: `17` or `e17` is the entry with this number, `p3` the third position.
///
/// Numbers of entries stay, positions change. On the first day of a queue both are the same, so a bare number is always the entry.
package enum EntryArgument: Hashable {
  case entry(EntryID)
  /// From 1.
  case position(Int)

  package init(_ argument: String) throws(UsageError) {
    let number = Int64(
      argument.first.map { "ep".contains($0) } == true ? argument.dropFirst() : argument[...])
    guard let number, number > 0, argument.utf8.first != UInt8(ascii: "+") else {
      throw UsageError("write the number of an entry, such as 17, or p3 for the third position")
    }
    self = argument.hasPrefix("p") ? .position(Int(clamping: number)) : .entry(EntryID(number))
  }
}

extension Workspace {
  /// Runs a body with the entries that arguments name. A number that no entry has, and a position does, gets a message with both.
  package func naming(
    _ arguments: [EntryArgument], on device: KnownDevice, _ body: ([EntryID]) async throws(Failure) -> Void
  ) async throws(Failure) {
    let positions = arguments.contains { if case .position = $0 { true } else { false } }
    let present = positions ? try order(of: device) : []
    var entries: [EntryID] = []
    for argument in arguments {
      switch argument {
      case .entry(let entry): entries.append(entry)
      case .position(let position):
        guard present.indices.contains(position - 1) else {
          throw Failure(
            "entry_unknown",
            "no position \(position) in this queue, which has \(present.count)", hint: .listEntries,
            exit: .badData)
        }
        entries.append(present[position - 1])
      }
    }
    do throws(Failure) { try await body(entries) } catch {
      throw error.code == "entry_unknown" ? try hinted(error, entries, on: device) : error
    }
  }

  private func hinted(
    _ failure: Failure, _ entries: [EntryID], on device: KnownDevice
  ) throws(Failure) -> Failure {
    let present = try order(of: device)
    guard let number = entries.first(where: { !present.contains($0) })?.rawValue,
      let index = Int(exactly: number - 1), present.indices.contains(index)
    else { return failure }
    let meant = present[index].rawValue
    return Failure(
      failure.code,
      "no entry \(number) in this queue; position \(number) is entry \(meant): write \(meant) or p\(number)",
      exit: failure.exit)
  }

  private func order(of device: KnownDevice) throws(Failure) -> [EntryID] {
    try ask { (here) throws(StoreError) in try here.queue.order(of: device.id).rows.map(\.entry) }
  }
}
