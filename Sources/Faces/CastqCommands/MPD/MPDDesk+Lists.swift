import CastGuard
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText

/// Stored lists, for clients.
extension MPDDesk {
  func lists() async throws(Failure) -> [(name: String, modifiedAt: WallTime)] { storedLists.all() }

  func list(_ name: String) async throws(Failure) -> String? { storedLists.path(of: name) }

  func drafts(of list: String) async throws(Failure) -> [EntryDraft] {
    guard let path = storedLists.path(of: list) else { return [] }
    let read = await SourceList(
      [path], format: nil, resolvers: ResolverRules(), allowing: LocalPlaces(global),
      music: MusicFolders(global),
      timeout: .seconds(10), asking: .nobody)
    if read.drafts.isEmpty, let failure = read.failure { throw failure.shown }
    let drafts = read.drafts
    return try await ask { (here) throws(StoreError) in try here.filled(drafts: drafts) }
  }

  func save(_ partition: String, as name: String) async throws(Failure) {
    let text = try await export(partition)
    try storedLists.write(text + "\n", as: name)
  }

  func removeList(_ name: String) async throws(Failure) { try storedLists.remove(name) }
}
