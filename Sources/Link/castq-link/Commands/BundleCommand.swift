import ArgumentParser
import CastProtocol
import CastTLS
import CastqDaemon
import CastqFeeding
import CastqFiles
import CastqLink
import CastqOperations
import CastqText

/// `castq-link bundle VERB`
struct BundleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle", abstract: "Make, apply and look at bundles: what a centre wants sites to show.",
    subcommands: [Make.self, Apply.self, Status.self, Key.self])

  /// The key with which bundles are signed: a file that is made at the first use.
  private static func key(_ path: String) throws(Failure) -> SiteKey {
    // A site's key is beside its database, under that name and `.key`.
    guard path.hasSuffix(".key") else {
      throw Failure("usage", "the file of a key ends in .key; write --key bundles.key", exit: .usage)
    }
    do throws(SiteKeyError) { return try SiteKey(database: String(path.dropLast(4))) } catch {
      throw Failure("key", "\(error)", exit: .notPermitted)
    }
  }

  /// `castq-link bundle make SITE.YAML [MEDIA…] -o FILE`
  struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a signed bundle of a schedule and the files that it names.",
      discussion: """
        The schedule is what 'castq schedule export' writes; it names its files as media/NAME. Put them beside the bundle, in a folder \
        called media, on a web server or in object storage.
        """)

    @Argument(help: ArgumentHelp("The schedule.", valueName: "site.yaml")) var schedule: String
    @Argument(help: ArgumentHelp("The files it names.", valueName: "media")) var media: [String] = []
    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The bundle.", valueName: "file"))
    var output: String
    @Option(help: ArgumentHelp("The private key, made at the first use.", valueName: "file.key")) var key:
      String
    @Option(help: "Higher than that of every bundle before; by default the seconds since 1970.") var revision:
      Int64?
    @Option(
      help: ArgumentHelp("When sites apply it; at once by default.", valueName: "time"),
      transform: TimeArgument.init)
    var at: TimeArgument?
    @Option(help: ArgumentHelp("A site that it is for; repeatable; all by default.", valueName: "name"))
    var site: [String] = []
    @Flag(help: "Remove at the site what the sections of the schedule do not have.") var prune = false

    func validate() throws {
      for name in site where !LinkRules.isSite(name) {
        throw ValidationError("'\(TerminalText.sanitized(name))' is not the name of a site")
      }
      if let revision, revision < 1 { throw ValidationError("a revision is 1 or more") }
    }

    func run() throws {
      let document = try InputFile.bytes(of: schedule, limit: SiteBundle.longest / 2)
      let names = try mediaNames()
      let mistakes = SiteBundle.mistakes(in: document, file: schedule, media: Set(names))
      guard mistakes.isEmpty else {
        for mistake in mistakes { LinkOutput.say("castq-link: \(mistake)") }
        throw SilentEnd(exit: .badData)
      }
      let text = String(decoding: document, as: UTF8.self)
      var manifest: [SiteBundle.Medium] = []
      for (path, name) in zip(media, names) {
        let bytes = try InputFile.bytes(of: path, limit: BundleDesk.longestMedium)
        guard let digest = try? SHA256.text(of: bytes) else {
          throw Failure("bug", "the digest of \(path) could not be computed", exit: .bug)
        }
        manifest.append(
          SiteBundle.Medium(name: name, source: "media/\(name)", digest: digest, size: bytes.count))
      }
      let now = WallTime.now
      let payload = SiteBundle(
        revision: revision ?? now.milliseconds / 1000, createdAt: now, appliesAt: at?.next(in: .local),
        sites: site,
        isWhole: prune, schedule: text, media: manifest
      ).payload
      let signer = try BundleCommand.key(key)
      do {
        let file = SiteBundle.file(
          payload: payload, signature: try signer.signature(over: "castq-bundle-1\n\(payload)"),
          publicKey: try signer.publicKey)
        try OwnFile.replace(output, with: Array(file.utf8), mode: 0o644)
      } catch let error as OwnFileError {
        throw Failure("input_output", "cannot write \(output): \(error.words)", exit: .inputOutput)
      } catch { throw Failure("key", "\(error)", exit: .notPermitted) }
    }

    /// What the files are called in the bundle, in their order.
    private func mediaNames() throws(Failure) -> [String] {
      var names: [String] = []
      for path in media {
        let name = String(path.split(separator: "/").last ?? "")
        guard SiteBundle.Medium.isName(name) else {
          throw Failure("bad_data", "\(path) has a name that a bundle cannot have", exit: .badData)
        }
        guard !names.contains(name) else {
          throw Failure(
            "bad_data", "two files are called \(name), and a bundle has one of each name; rename one of them",
            exit: .badData)
        }
        names.append(name)
      }
      return names
    }
  }

  /// `castq-link bundle apply [SOURCE]`
  struct Apply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Verify a bundle, bring its files, and make its schedule that of this site.",
      discussion: """
        One transaction: a bundle with a mistake changes nothing. A bundle whose time has not come is brought and tried, and applied by \
        'castq-link run' at its time.
        """)

    @OptionGroup var global: LinkOptions
    @Argument(help: "A path or an address; by default that of the configuration.") var source: String?
    @Flag(help: "Check everything, and change nothing.") var dryRun = false
    @Flag(help: "Apply an older bundle than the one that is applied.") var rollback = false

    func run() async throws {
      let rules = try global.rules()
      guard let source = source ?? rules.bundle else {
        throw Failure(
          "usage", "there is no bundle to apply; name one, or write link: {bundle: ADDRESS}", exit: .usage)
      }
      let desk = try BundleCommand.desk(global, rules)
      let outcome = try await desk.apply(source, isDry: dryRun, isRollback: rollback)
      if global.json {
        let document: JSONValue = [
          "outcome": .string(outcome.deed.rawValue), "revision": .integer(outcome.revision),
          "until": outcome.until.map { .string(RFC3339.text($0)) } ?? .null, "changes": outcome.changes,
        ]
        LinkOutput.print(document.text)
      } else if outcome.deed == .waiting, !global.quiet {
        let zone = try Zone.site(global.call)
        LinkOutput.say(
          "castq-link: revision \(outcome.revision) waits until \(outcome.until.map(zone.text) ?? "its time")"
        )
      }
    }
  }

  /// `castq-link bundle status`
  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Print which bundle is applied, which one was before, which one waits, and what was refused and why.")

    @OptionGroup var global: LinkOptions

    func run() throws {
      let rules = try global.rules()
      let site = try global.site(rules)
      let desk = try BundleCommand.desk(global, rules)
      let (state, waiting) = (try desk.state(), desk.waiting())
      if global.json {
        let listed = waiting.map { bundle -> JSONValue in
          [
            "revision": .integer(bundle.revision),
            "until": bundle.appliesAt.map { .string(RFC3339.text($0)) } ?? .null,
          ]
        }
        let document = state.json(site: site).object ?? [:]
        return LinkOutput.print(JSONValue.object(document.merging(["waiting": .array(listed)]) { $1 }).text)
      }
      let zone = try Zone.site(global.call)
      func line(_ word: String, _ applied: BundleState.Applied?) -> String {
        applied.map { "\(word)  revision \($0.revision), \(zone.text($0.at))" } ?? "\(word)  nothing"
      }
      LinkOutput.print(line("applied ", state.applied))
      LinkOutput.print(line("previous", state.previous))
      for bundle in waiting {
        let time = bundle.appliesAt.map(zone.text) ?? "the next attempt"
        LinkOutput.print("waits     revision \(bundle.revision), until \(time)")
      }
      if let refused = state.refused {
        let revision = refused.revision.map { "revision \($0), " } ?? ""
        LinkOutput.print(
          TerminalText.sanitized("refused   \(revision)\(zone.text(refused.at)): \(refused.why)"))
      }
      if state.applied != nil || state.refused != nil || !waiting.isEmpty { LinkOutput.print(zone.legend) }
    }
  }

  /// `castq-link bundle key`
  struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the public key that goes with a private one, for 'bundle_key' at the sites.")

    @Option(help: ArgumentHelp("The private key, made at the first use.", valueName: "file.key")) var key:
      String

    func run() throws {
      let key = try BundleCommand.key(key)
      do throws(SiteKeyError) {
        for line in try key.publicPEM.split(separator: "\n") { LinkOutput.print(String(line)) }
      } catch { throw Failure("key", "\(error)", exit: .notPermitted) }
    }
  }

  /// The bundles of this site, and the key that it trusts.
  static func desk(_ global: LinkOptions, _ rules: LinkRules) throws(Failure) -> BundleDesk {
    var key: String?
    if let path = rules.bundleKey {
      do throws(Failure) {
        key = KeyText.publicKey(
          String(decoding: try InputFile.bytes(of: path, limit: 1 << 16), as: UTF8.self))
      } catch { throw Failure("configuration", error.message, exit: .configuration) }
      guard key != nil else {
        throw Failure("configuration", "\(path) holds no public key", exit: .configuration)
      }
    }
    return BundleDesk(global, site: try global.site(rules), key: key)
  }
}
