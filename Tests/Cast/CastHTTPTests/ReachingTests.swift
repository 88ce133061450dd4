import CastGuard
import CastHTTP
import CastTLS
import NIOCore
import NIOPosix
import Testing

@Suite("Reaching servers", .timeLimit(.minutes(5))) struct ReachingTests {
  private static let hello = Step.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")

  @Test(
    "names and addresses of both families lead to a server",
    arguments: [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("[::1]", "::1")])
  func families(host: String, bound: String) async throws {
    try await ScriptedServer.run(host: bound, answer: { _ in [Self.hello] }) { server in
      let fetched = try await HTTPClient().fetch(
        HTTPFetch("http://\(host):\(server.port)/", under: .owner, byteLimit: 10))
      #expect(fetched.body.count == 5)
      #expect(server.requests.first?.contains("\r\nHost: \(host):\(server.port)\r\n") == true)
    }
  }

  @Test("a closed port and an unknown name are told apart")
  func nobody() async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(listener.localAddress?.port)
    try await listener.close()
    // A label of more than 63 letters is refused by the resolver itself, without a question to anybody.
    let name = String(repeating: "x", count: 64) + ".example"
    for (host, kind) in [("127.0.0.1", HTTPFetchError.Kind.connectionRefused), (name, .hostUnknown)] {
      let error = await #expect(throws: HTTPFetchError.self) {
        try await HTTPClient().fetch(HTTPFetch("http://\(host):\(port)/", under: .owner, byteLimit: 10))
      }
      #expect(error?.kind == kind)
    }
  }

  @Test(
    "a server that says nothing, or too slowly, is given up in time",
    arguments: [
      [], [.drip("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 10_000))],
      [.send("HTTP/1.1 200 OK\r\n\r\n"), .drip("x")], [.drip("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n")],
    ] as [[Step]])
  func slow(steps: [Step]) async throws {
    try await ScriptedServer.run(answer: { _ in steps }) { server in
      var fetch = HTTPFetch("http://127.0.0.1:\(server.port)/", under: .owner, byteLimit: 1_000_000)
      fetch.timeout = .milliseconds(200)
      let error = await #expect(throws: HTTPFetchError.self) { try await HTTPClient().fetch(fetch) }
      #expect(error?.kind == .timeout)
      try await server.waitForClosed(server.requests.count)
    }
  }

  @Test("TLS that does not come is noticed after the time for connecting")
  func muteTLS() async throws {
    try await ScriptedServer.run(answer: { _ in [] }) { server in
      var fetch = HTTPFetch("https://127.0.0.1:\(server.port)/", under: .owner, byteLimit: 10)
      fetch.connectTimeout = .milliseconds(100)
      let error = await #expect(throws: HTTPFetchError.self) { try await HTTPClient().fetch(fetch) }
      #expect(error?.kind == .unreachable)
      try await server.waitForClosed(1)
    }
  }

  @Test(
    "cancelling ends a fetch at once and closes its connection, whatever had arrived",
    arguments: [
      [], [.send("HTTP/1.1 200 OK\r\n")], [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")],
    ] as [[Step]])
  func cancelling(steps: [Step]) async throws {
    try await ScriptedServer.run(answer: { _ in steps }) { server in
      let address = "http://127.0.0.1:\(server.port)/"
      let task = Task { () -> HTTPFetchError? in
        do throws(HTTPFetchError) {
          _ = try await HTTPClient().fetch(HTTPFetch(address, under: .owner, byteLimit: 100))
          return nil
        } catch {
          return error
        }
      }
      try await server.arrived.futureResult.get()
      task.cancel()
      #expect(await task.value?.kind == .cancelled)
      try await server.waitForClosed(1)
    }
  }

  @Test("a fetch in a cancelled task opens nothing")
  func cancelledBefore() async throws {
    try await ScriptedServer.run(answer: { _ in [Self.hello] }) { server in
      let address = "http://localhost:\(server.port)/"
      let task = Task { () -> HTTPFetchError.Kind? in
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(HTTPFetchError) {
          _ = try await HTTPClient().fetch(HTTPFetch(address, under: .owner, byteLimit: 100))
          return nil
        } catch {
          return error.kind
        }
      }
      #expect(await task.value == .cancelled)
      #expect(server.requests.isEmpty)
    }
  }

  @Test("two hundred fetches leave no descriptor behind")
  func descriptors() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    try await ScriptedServer.run(answer: { request in
      request.contains("/bad ") ? [.close] : [Self.hello]
    }) { server in
      let client = HTTPClient(group: group)
      for index in 0..<200 {
        let path = index.isMultiple(of: 2) ? "good" : "bad"
        var fetch = HTTPFetch("http://127.0.0.1:\(server.port)/\(path)", under: .owner, byteLimit: 10)
        fetch.timeout = .seconds(60)
        if index.isMultiple(of: 2) {
          _ = try await client.fetch(fetch)
        } else {
          await #expect(throws: HTTPFetchError.self) { try await client.fetch(fetch) }
        }
      }
      try await server.waitForClosed(200)
    }
    try await group.shutdownGracefully()
  }
}
