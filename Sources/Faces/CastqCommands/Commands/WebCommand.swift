package import ArgumentParser
import CastProtocol
import CastSender
import CastqDaemon
import CastqFeeding
package import CastqOperations
import CastqOutput
import CastqStore
import CastqText

/// `castq web`
package struct WebCommand: AsyncParsableCommand {
  /// The page's server; nil in the program that has none.
  @TaskLocal package static var page: (any WebProgram)?

  package static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Serve the operator page and its API.",
    discussion: """
      A process of its own beside the daemon: what happens to it happens to no screen. Only this computer can connect, unless \
      --listen or the configuration says otherwise; then everybody needs a token of 'castq web token add'.
      """,
    subcommands: [Serve.self, Token.self], defaultSubcommand: Serve.self)

  package init() {}

  /// Where to listen, as it is typed.
  @Sendable static func listen(_ text: String) throws -> WebListen {
    do throws(TextError) { return try WebListen(text) } catch { throw ValidationError(error.words) }
  }

  /// `castq web [--listen HOST:PORT]`
  struct Serve: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Serve the page until interrupted; the default.")

    @OptionGroup var given: GivenOptions

    @Option(
      help: ArgumentHelp(
        "Where to listen; by default that of the configuration, else 127.0.0.1:8010.", valueName: "host:port"),
      transform: WebCommand.listen)
    var listen: WebListen?

    /// Where 'castq up' hears that the page is served; it reports the address itself.
    @Option(help: .hidden) var readyDescriptor: Int32?

    func run() async throws {
      guard let page = WebCommand.page else { throw WebProgramFile.become() }
      try Logging.beginService(verbosity: global.verbose, isQuiet: global.quiet)
      await OpenFiles.begin()
      let configuration = try ConfigurationFile(global).read().get()
      let rules = configuration.web
      var settings = WebSettings(tokenFile: Token.path(global), version: Version.number)
      if let place = listen ?? rules.listen { (settings.host, settings.port) = (place.host, place.port) }
      settings.hosts = rules.hosts
      let shares = GuestShares.ofProcess
      settings.limits.connections = min(settings.limits.connections, shares.pageConnections)
      settings.limits.streams = min(settings.limits.streams, shares.pageStreams)
      settings.limits.questions = shares.deviceQuestions
      settings.face = configuration.face
      let zone = try SiteZone(global)
      settings.zoneName = zone.name.text
      settings.zones = { name in (try? ZoneName(name)).flatMap(zone.rules) }
      settings.alwaysAsksForToken = rules.alwaysAsksForToken
      if let certificate = rules.certificate, let key = rules.key {
        settings.certificate = .init(chain: certificate, key: key)
      }
      switch DaemonPlace.ofProcess(database: global.databasePath) {
      case .here:
        settings.daemon = DaemonProgram(
          WebProgramFile.beside("castq"), options: given.ofServices, database: global.databasePath)
      case .service(let name): settings.daemonService = name
      case .elsewhere: break
      }
      let (place, isQuiet, ready) = (PageAddress(rules, listen), global.quiet, readyDescriptor)
      let logger = CastLogger.shared.logger(for: "WebServer")
      try await untilInterrupted { [settings] in
        try await page.serve(settings, global, logger: logger) { port in
          let address = place.text(port: port)
          if let ready { return ReadyLine.write(address, to: ready) }
          if !isQuiet { Console.say("castq: the page is at \(address)") }
        }
      }
    }
  }

  /// `castq web token …`
  struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "token", abstract: "Say who may use the page from elsewhere.",
      subcommands: [Add.self, List.self, Remove.self])

    /// The file with the hashed tokens, beside the database.
    static func path(_ global: CallOptions) -> String { "\(global.databasePath).tokens" }

    fileprivate static func book<Value>(
      _ global: CallOptions, _ body: (TokenBook) throws(TokenBook.Problem) -> Value
    ) throws(Failure) -> Value {
      // The database itself may be another's for now.
      do throws(StoreError) { try DatabaseFile.makeFolders(for: global.databasePath) } catch {
        throw Failure(error, database: global.databasePath)
      }
      do throws(TokenBook.Problem) { return try body(TokenBook(path: path(global))) } catch {
        throw Failure(
          "token", error.message, hint: error.hint, exit: error.isOfFile ? .inputOutput : .badData)
      }
    }

    /// `castq web token add NAME --role look|operate|edit`
    struct Add: CastqCommand {
      static let configuration = CommandConfiguration(
        abstract: "Make a token and print it, once: only its digest is stored.",
        discussion: """
          look reads everything, operate also acts on devices and queues, edit also changes the schedule and names local files.
          """)

      @OptionGroup var given: GivenOptions
      @Argument(help: "Whose token it is.") var name: String
      @Option(help: "look, operate or edit.") var role: WebRole

      func run() async throws {
        let name = try ScheduleName.checked(name, "token", isOneWord: true)
        let token = try Token.book(global) { (book) throws(TokenBook.Problem) in
          try book.add(name, role: role, at: RFC3339.text(.now))
        }
        guard global.isMachineReadable else {
          Console.print(token)
          // The token is there, whatever is wrong with the configuration.
          if !global.quiet, let rules = try? ConfigurationFile(global).read().get().web {
            Console.say("castq: \(PageAddress(rules, nil).advice(for: name))")
          }
          return
        }
        Console.print(
          ["name": .string(name), "role": .string(role.rawValue), "token": .string(token)] as JSONValue)
      }
    }

    /// `castq web token ls`
    struct List: CastqCommand {
      static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List the tokens by name.", aliases: ["list"])

      @OptionGroup var given: GivenOptions

      func run() async throws {
        let tokens = try Token.book(global) { (book) throws(TokenBook.Problem) in try book.all() }
        let documents = tokens.map { token -> JSONValue in
          [
            "name": .string(token.name), "role": .string(token.role.rawValue),
            "made_at": .string(token.madeAt),
          ]
        }
        if global.json { return Console.print(["tokens": .array(documents)] as JSONValue) }
        if global.jsonl { return documents.forEach { Console.print($0) } }
        var table = Table([("NAME", .flexible), ("ROLE", .left), ("MADE", .left)])
        let zone = try Zone.site(global)
        for token in tokens {
          let made = (try? RFC3339.parse(token.madeAt)).map(zone.text) ?? token.madeAt
          table.add([token.name, token.role.rawValue, made])
        }
        table.lines(on: Console.dataTerminal).forEach(Console.print)
        if !tokens.isEmpty { Console.print(zone.legend) }
      }
    }

    /// `castq web token rm NAME`
    struct Remove: CastqCommand {
      static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove a token: it opens nothing from now on.", aliases: ["remove"])

      @OptionGroup var given: GivenOptions
      @Argument(help: "Whose token it is.") var name: String

      func run() async throws {
        try Token.book(global) { (book) throws(TokenBook.Problem) in try book.remove(name) }
      }
    }
  }
}

extension WebRole: ExpressibleByArgument {}
