import CastProtocol
import CastqOperations
import CastqText

/// Pictures of what documents name.
extension WebDesk {
  /// - Parameter width: pixels that the page shows.
  func picture(_ digest: String, width: Int? = nil) async throws(Failure) -> WebDocument {
    for (address, origin) in await board.artwork() { art.keep(address, named: origin) }
    var answer = WebDocument([:])
    answer.bytes = try await art.picture(digest, width: width)
    return answer
  }
}
