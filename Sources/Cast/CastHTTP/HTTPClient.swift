package import CastGuard
package import NIOCore
import Dispatch
import NIOPosix

/// Fetches single documents: HTTP/1.1, a new connection for each, no cookies, no storage.
///
/// `https` servers are verified against the system's roots, which `SSL_CERT_FILE` replaces.
package struct HTTPClient: Sendable {
  private let connector: HTTPConnector

  /// - Parameters:
  ///   - group: runs the connections; the process-wide one when nil.
  ///   - extraRoots: a PEM file of roots that are trusted in addition to the system's; read for each connection.
  ///   - lookup: finds the addresses of names.
  package init(
    group: (any EventLoopGroup)? = nil, extraRoots: String? = nil, lookup: AddressLookup = .system
  ) {
    connector = HTTPConnector(
      group: group ?? MultiThreadedEventLoopGroup.singleton, extraRoots: extraRoots, lookup: lookup)
  }

  /// Checks an address for a program that fetches by itself: the rule must hold for every IP address of its host, because
  /// the program chooses one. It looks up the name again, so that this is weaker than a fetch.
  /// - Throws: `HTTPFetchError` of kind `badAddress`, `hostUnknown` or `refused`.
  package func check(_ text: String, under rule: FetchGuard) async throws(HTTPFetchError) {
    guard rule.origin != .owner else { return }
    let address = try HTTPAddress(text)
    let words = HTTPErrorWords(address: address, timeout: .zero)
    let screen = AddressScreen(rule, address)
    if let literal = try? SocketAddress(ipAddress: address.host, port: address.port) {
      _ = screen.passed([literal])
    } else {
      let found = await withCheckedContinuation { done in
        DispatchQueue.global().async { [connector] in
          done.resume(returning: connector.lookup.addresses(address.host))
        }
      }
      guard let found else {
        throw words.error(.hostUnknown, "no address is known for \(address.host); check the name")
      }
      _ = screen.passed(found)
    }
    if let refusal = screen.refusal { throw words.error(.refused, "\(refusal)") }
  }

  /// Fetches a document. When it returns or throws, all its connections are closed; cancelling the task ends it at once.
  package func fetch(_ fetch: HTTPFetch) async throws(HTTPFetchError) -> HTTPFetched {
    let deadline = NIODeadline.now() + TimeAmount(fetch.timeout)
    var address = try HTTPAddress(fetch.address)
    var rule = fetch.rule
    for redirections in 0...max(0, fetch.redirectLimit) {
      let words = HTTPErrorWords(address: address, timeout: fetch.timeout)
      let exchange = HTTPExchange(
        request: HTTPRequest(fetch, to: address), screen: AddressScreen(rule, address), connector: connector,
        words: words, deadline: deadline, connectTimeout: TimeAmount(fetch.connectTimeout))
      let reply = try await exchange.run()
      guard reply.isRedirect, fetch.post == nil else { return try fetched(reply, fetch, words, redirections) }
      // What is asked next, this host has named.
      rule = rule.redirected(by: address.host, at: reply.peer)
      address = try next(reply, fetch, words)
    }
    throw HTTPErrorWords(address: address, timeout: fetch.timeout).error(
      .redirect, "it is behind more than \(fetch.redirectLimit) redirections; name the final address")
  }

  private func next(_ reply: HTTPReply, _ fetch: HTTPFetch, _ words: HTTPErrorWords)
    throws(HTTPFetchError) -> HTTPAddress
  {
    guard let location = reply.header("location") else {
      throw words.error(.malformed, "the server redirects without an address (\(reply.status))")
    }
    let next: HTTPAddress
    do throws(HTTPFetchError) {
      next = try words.address.resolving(location)
    } catch {
      throw words.error(.redirect, "the server redirects to an unusable address: \(error.reason)")
    }
    guard next.isSecure || !words.address.isSecure || fetch.allowsDowngrade else {
      throw words.error(.redirect, "the server redirects from https to \(next), which is not secure")
    }
    return next
  }

  private func fetched(
    _ reply: HTTPReply, _ fetch: HTTPFetch, _ words: HTTPErrorWords, _ redirections: Int
  ) throws(HTTPFetchError) -> HTTPFetched {
    let wasConditional = fetch.entityTag != nil || fetch.lastModified != nil
    let isPart = fetch.method == .probe && reply.status == 206
    let isAccepted = fetch.post != nil && (200...299).contains(reply.status)
    guard reply.isWhole || isPart || isAccepted || (reply.status == 304 && wasConditional) else {
      throw words.error(.status(reply.status), "the server answers \(reply.statusLine)")
    }
    return HTTPFetched(
      address: words.address.text, redirections: redirections, peer: reply.peer,
      isNotModified: reply.status == 304,
      contentType: reply.header("content-type"), disposition: reply.header("content-disposition"),
      length: reply.length,
      allowedOrigin: reply.header("access-control-allow-origin"), entityTag: reply.header("etag"),
      lastModified: reply.header("last-modified"), body: reply.body)
  }
}
