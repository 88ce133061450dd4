import CastGuard
import CastHTTP
package import CastqPlaylists
import CastqPrograms
import CastqText

/// Runs resolvers. Copies share the number of programs that run at a time.
package struct LinkPrograms: Sendable {
  /// Programs of one process at a time: fifty devices that begin at once must not take all memory.
  private static let most = 4
  /// yt-dlp writes some hundred kilobytes, and a few megabytes for a long stream.
  private static let outputBytes = 16 << 20
  /// Beside caches, a resolver has nothing to write.
  private static let fileBytes = 64 << 20
  /// What plays comes first.
  private static let niceness = 5

  private let path: String
  private let places = ProgramPlaces(most)

  /// - Parameter path: where programs are looked for that are named without a folder.
  package init(path: String = ProgramSearch.systemPath) { self.path = path }

  /// The file of a rule's program; nil when there is none.
  package func file(of rule: ResolverRule) -> String? { ProgramSearch.find(rule.program, path: path) }

  /// Runs the program of a request to its end, which its time limit bounds.
  /// - Parameter allowed: places that may be asked whoever names them.
  func link(
    _ request: LinkRequest, allowing allowed: LocalPlaces, wall: @Sendable () -> WallTime
  ) async -> Result<ResolvedLink, LinkFailure> {
    let name = request.rule.program.split(separator: "/").last.map(String.init) ?? ""
    do throws(LinkFailure) {
      guard let file = file(of: request.rule) else {
        throw LinkFailure(
          "there is no program \(request.rule.program); install it, or name its path in `resolvers`")
      }
      try await Self.check(request, allowed)
      let output = try await output(of: ChildProgram(path: file), request)
      var link =
        request.rule.isYtDlp
        ? try YtDlpAnswer.read(output, of: name, at: wall())
        : try ResolverAnswer.read(output, of: name, at: wall())
      if link.contentType == nil {
        // What it has found are the words of the site.
        let site = FetchOrigin.resolver(host: try? WebAddress(request.address).host)
        let rule = FetchGuard(site, allowing: allowed)
        link.contentType = try await Self.contentType(of: link, under: rule, name)
      }
      return .success(link)
    } catch {
      return .failure(error)
    }
  }

  /// The program asks the page by itself: a stranger's page is looked at before.
  private static func check(_ request: LinkRequest, _ allowed: LocalPlaces) async throws(LinkFailure) {
    let rule = FetchGuard(request.origin, allowing: allowed)
    do throws(HTTPFetchError) { try await HTTPClient().check(request.address, under: rule) } catch {
      // A name that is not known is the program's to report.
      if error.kind == .refused { throw LinkFailure("the page is not asked: \(error.reason)") }
    }
  }

  private func output(of program: ChildProgram, _ request: LinkRequest) async throws(LinkFailure) -> [UInt8] {
    // Address space has no limit: the engines that sites' scripts need reserve far more than they use.
    let limits = ProgramLimits(
      time: request.rule.time, outputBytes: Self.outputBytes, memoryBytes: nil, fileBytes: Self.fileBytes,
      niceness: Self.niceness)
    do {
      try await places.enter()
      let output: Result<[UInt8], any Error>
      do {
        output = .success(try await program.run(request.rule.arguments(for: request.address), limits: limits))
      } catch {
        output = .failure(error)
      }
      await places.leave()
      return try output.get()
    } catch let error as ProgramError {
      throw LinkFailure(error)
    } catch {
      throw LinkFailure("\(program.name) was ended, because nobody waits for it any more")
    }
  }

  /// What neither the resolver nor the name says, the server does. Nil when it does not, either.
  private static func contentType(
    of link: ResolvedLink, under rule: FetchGuard, _ name: String
  ) async throws(LinkFailure) -> String? {
    guard let answer = try? await MediaLook.answer(at: link.url, under: rule) else { return nil }
    switch answer.kind {
    case .media(let type): return type
    case .list(.m3u8): return ContentTypes.hls
    case .page: throw LinkFailure("the link that \(name) found is a web page")
    case .list, .otherList, .unknown: return nil
    }
  }
}

extension LinkFailure {
  /// The program's own words, where it has said any.
  init(_ error: ProgramError) {
    switch error {
    case .failed(let program, _, let words, _) where !words.isEmpty:
      // What yt-dlp says last may be where in its code that happened.
      let end = words.ranges(of: "ERROR: ").last?.upperBound ?? words.startIndex
      self.init("\(program): \(words[end...])")
    case .failed, .killed, .unavailable, .tooSlow, .tooMuch: self.init("\(error)")
    }
  }
}
