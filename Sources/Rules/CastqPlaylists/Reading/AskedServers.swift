/// The answers of servers about addresses, and the servers that do not answer. Each address is asked about once, and a server that does not
/// answer is not asked about its other addresses.
package struct AskedServers: Sendable, Hashable {
  private var answers: [String: WebAnswer] = [:]
  /// Why a server gave no answer.
  private var silent: [String: PlaylistLoadError] = [:]

  package init() {}

  /// What is known without asking; nil when the server has to be asked.
  package func known(_ address: String) -> Result<WebAnswer, PlaylistLoadError>? {
    if let answer = answers[address] { return .success(answer) }
    return silence(of: address).map(Result.failure)
  }

  /// Why the server of an address is not asked for more; nil when it has answered so far.
  package func silence(of address: String) -> PlaylistLoadError? {
    silent[WebNeed.server(of: address)].map {
      .failed("not asked, because of another address of its server: \($0.message)")
    }
  }

  /// Takes an answer.
  package mutating func heard(_ answer: WebAnswer, about address: String) { answers[address] = answer }

  /// Takes that the server of an address could not be reached, or took too long.
  package mutating func heardNothing(_ error: PlaylistLoadError, about address: String) {
    silent[WebNeed.server(of: address)] = error
  }

  /// What is still true when the same list is read again later: what an address was. A server that was silent may answer now; one
  /// that is silent now does not change what its addresses are.
  package var lasting: AskedServers {
    var lasting = AskedServers()
    lasting.answers = answers
    return lasting
  }
}

extension WebNeed {
  /// Needs that are asked for one after the other, by their indices: the servers in order of appearance, each with its lanes.
  /// - Parameter perServer: requests to one server at the same time, at least 1.
  package static func lanes(_ needs: [WebNeed], perServer: Int) -> [[Int]] {
    var order: [String] = []
    var servers: [String: [Int]] = [:]
    for (index, need) in needs.enumerated() {
      let server = server(of: need.address)
      if servers[server] == nil { order.append(server) }
      servers[server, default: []].append(index)
    }
    let width = max(perServer, 1)
    return order.flatMap { server -> [[Int]] in
      let all = servers[server] ?? []
      return (0..<min(width, all.count)).map { lane in
        stride(from: lane, to: all.count, by: width).map { all[$0] }
      }
    }
  }
}
