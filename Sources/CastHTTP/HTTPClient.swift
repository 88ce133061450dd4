package import NIOCore
import NIOPosix

/// Fetches single documents: HTTP/1.1, a new connection for each, no cookies, no storage.
///
/// `https` servers are verified against the system's roots, which `SSL_CERT_FILE` replaces.
package struct HTTPClient: Sendable {
  private let connector: HTTPConnector

  /// - Parameters:
  ///   - group: runs the connections; the process-wide one when nil.
  ///   - extraRoots: a PEM file of roots that are trusted in addition to the system's; read for each connection.
  package init(group: (any EventLoopGroup)? = nil, extraRoots: String? = nil) {
    connector = HTTPConnector(group: group ?? MultiThreadedEventLoopGroup.singleton, extraRoots: extraRoots)
  }

  /// Fetches a document. When it returns or throws, all its connections are closed; cancelling the task ends it at once.
  package func fetch(_ fetch: HTTPFetch) async throws(HTTPFetchError) -> HTTPFetched {
    let deadline = NIODeadline.now() + TimeAmount(fetch.timeout)
    var address = try HTTPAddress(fetch.address)
    for redirections in 0...max(0, fetch.redirectLimit) {
      let words = HTTPErrorWords(address: address, timeout: fetch.timeout)
      let exchange = HTTPExchange(
        request: HTTPRequest(fetch, to: address), connector: connector, words: words, deadline: deadline,
        connectTimeout: TimeAmount(fetch.connectTimeout))
      let reply = try await exchange.run()
      guard reply.isRedirect, fetch.post == nil else { return try fetched(reply, fetch, words, redirections) }
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
      address: words.address.text, redirections: redirections, isNotModified: reply.status == 304,
      contentType: reply.header("content-type"), length: reply.length,
      allowedOrigin: reply.header("access-control-allow-origin"), entityTag: reply.header("etag"),
      lastModified: reply.header("last-modified"), body: reply.body)
  }
}
