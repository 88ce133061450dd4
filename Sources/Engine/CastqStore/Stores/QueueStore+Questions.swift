package import CastqFeeding
package import CastqPlaylists
package import CastqText

extension QueueStore {
  /// Answers a query of a live command.
  /// - Parameters:
  ///   - now: decides which entry is due.
  ///   - looping: see `look`.
  package func answer(
    _ question: EntryQuestion, of queue: some QueueReference, at now: WallTime, looping: Bool
  ) -> Result<EntryID?, Failure> {
    do throws(StoreError) {
      switch question {
      case .existing(let entry): return .success(try contains(entry, on: queue) ? entry : nil)
      case .before(let entry): return .success(try self.entry(before: entry, on: queue))
      case .first:
        let places = try look(into: queue, limit: 1, besides: nil, at: now, looping: looping)
        return .success(places.first?.entry)
      }
    } catch {
      return .failure(Failure(error))
    }
  }
}
