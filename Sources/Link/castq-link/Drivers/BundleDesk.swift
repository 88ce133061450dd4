import CastGuard
import CastHTTP
import CastProtocol
import CastTLS
import CastqDaemon
import CastqFiles
import CastqLink
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText
import FoundationEssentials
import Glibc

/// The bundles of a site: fetched, verified, their files brought here, and applied by castq itself.
struct BundleDesk: Sendable {
  private let site: String
  /// The public key that signs bundles, base64; nil trusts none.
  private let key: String?
  private let call: CallOptions
  private let executor = OperationExecutor()
  /// Where bundles and their files are kept.
  private let folder: String

  /// The largest file of a bundle, in bytes: it passes through memory.
  static let longestMedium = 512 << 20

  init(_ global: LinkOptions, site: String, key: String?) {
    self.site = site
    self.key = key
    call = global.call
    folder = "\(FilePath.absolute(global.databasePath, in: FileLoader().workingDirectory)).bundles"
  }

  // MARK: - State

  private var statePath: String { "\(folder)/state.json" }

  /// What became of the bundles so far.
  func state() throws(Failure) -> BundleState {
    do throws(OwnFileError) {
      guard let bytes = try OwnFile.bytes(of: statePath, limit: 1 << 20) else { return BundleState() }
      return (try? JSONValue(parsing: bytes)).map { BundleState(json: $0) } ?? BundleState()
    } catch {
      throw Failure("input_output", "cannot read \(statePath): \(error.words)", exit: .inputOutput)
    }
  }

  private func write(_ state: BundleState) throws(Failure) {
    try make(folder)
    do throws(OwnFileError) {
      try OwnFile.replace(statePath, with: Array((state.json(site: site).text + "\n").utf8))
    } catch {
      throw Failure("input_output", "cannot write \(statePath): \(error.words)", exit: .inputOutput)
    }
  }

  private func make(_ path: String) throws(Failure) {
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    throw Failure(
      "input_output", "cannot make \(path): \(String(cString: strerror(errno)))", exit: .inputOutput)
  }

  // MARK: - Applying

  /// What was done with a bundle.
  struct Outcome {
    enum Deed: String { case applied, waiting, unchanged, checked }

    let deed: Deed
    let revision: Int64
    /// When it will be applied; nil unless it waits.
    let until: WallTime?
    /// The changes, as `castq schedule apply --json` lists them.
    let changes: JSONValue
  }

  /// Fetches a bundle that a person names and applies it; one whose time has not come is kept for `castq-link run`. A refusal is noted
  /// and thrown.
  /// - Parameters:
  ///   - source: a path or an address.
  ///   - isDry: whether everything is checked and nothing changed.
  func apply(_ source: String, isDry: Bool, isRollback: Bool) async throws(Failure) -> Outcome {
    let bytes = try await fetch(source, limit: SiteBundle.longest)
    let outcome = try await apply(bytes, from: source, isDry: isDry, isRollback: isRollback)
    if outcome.deed == .waiting, !isDry { try keep(bytes, of: .person) }
    return outcome
  }

  /// Applies a bundle that was fetched.
  func apply(
    _ bytes: [UInt8], from source: String, isDry: Bool, isRollback: Bool
  ) async throws(Failure) -> Outcome {
    var revision: Int64?
    do throws(SiteBundle.Refusal) {
      let bundle = try read(bytes)
      revision = bundle.revision
      return try await apply(bundle, from: source, isDry: isDry, isRollback: isRollback)
    } catch {
      if !isDry {
        var state = try state()
        state.refuse(error, revision: revision, at: .now)
        try write(state)
      }
      throw Failure(
        error.code, "the bundle \(source) is refused: \(error.message)", exit: Self.exit(error.code))
    }
  }

  /// Reads a bundle that the trusted key has signed.
  private func read(_ bytes: [UInt8]) throws(SiteBundle.Refusal) -> SiteBundle {
    guard let key else {
      throw SiteBundle.Refusal(
        "no_key", "the configuration names no key to trust; write link: {bundle_key: FILE}")
    }
    return try SiteBundle(file: bytes, publicKey: key) { text, payload in
      // Base64 may have bits that mean nothing: the text is that of its bytes.
      guard let signature = KeyText.bytes(text), KeyText.base64(signature) == text,
        let key = KeyText.bytes(key)
      else { return false }
      return Ed25519Key.verifies(signature, over: Array("castq-bundle-1\n\(payload)".utf8), publicKey: key)
    }
  }

  private static func exit(_ code: String) -> ExitStatus {
    switch code {
    case "bad_signature", "no_key": .notPermitted
    case "media": .inputMissing
    case "unavailable": .tryAgain
    default: .badData
    }
  }

  private func apply(
    _ bundle: SiteBundle, from source: String, isDry: Bool, isRollback: Bool
  ) async throws(SiteBundle.Refusal) -> Outcome {
    func nothing(_ deed: Outcome.Deed, until: WallTime? = nil) -> Outcome {
      Outcome(deed: deed, revision: bundle.revision, until: until, changes: [])
    }
    var waiting: WallTime?
    switch try refusing({ () throws(Failure) in try state() }).verdict(
      on: bundle, site: site, isRollback: isRollback, at: .now)
    {
    case .refuse(let refusal): throw refusal
    case .isApplied: return nothing(.unchanged)
    case .wait(let until): waiting = until
    case .apply: break
    }
    if let missing = bundle.missingMedia.first {
      throw SiteBundle.Refusal("schedule", "its schedule names media/\(missing), which it does not have")
    }
    // Whatever its time is, its files are brought and its schedule is tried now.
    let (file, staged) = try await unpack(bundle, from: source)
    let changes = try await schedule(file, isDry: true, isWhole: bundle.isWhole)
    if let waiting { return nothing(.waiting, until: waiting) }
    guard !isDry else {
      return Outcome(deed: .checked, revision: bundle.revision, until: nil, changes: changes)
    }
    // Files of the same names are replaced now and not before: what was refused has changed nothing.
    for (path, place) in staged where rename(path, place) != 0 {
      throw SiteBundle.Refusal("input_output", "cannot write \(place): \(String(cString: strerror(errno)))")
    }
    let applied = try await schedule(file, isDry: false, isWhole: bundle.isWhole)
    try refusing { () throws(Failure) in
      var state = try state()
      state.apply(bundle, at: .now)
      try write(state)
    }
    removeStaged()
    return Outcome(deed: .applied, revision: bundle.revision, until: nil, changes: applied)
  }

  /// Makes the schedule of the site what a file says, or says what that would change.
  /// - Returns: the changes, as `castq schedule apply --json` lists them.
  private func schedule(
    _ file: String, isDry: Bool, isWhole: Bool
  ) async throws(SiteBundle.Refusal) -> JSONValue {
    let result = await withTaskExecutorPreference(executor) {
      await Result.catching { () async throws(Failure) in
        let site = try ScheduleCall(call, isReader: isDry)
        let document = try SiteFile(file).document(site.siteNames())
        let change = try await site.apply(document, isDry: isDry, isPruning: isWhole)
        if let damage = site.workspace.database.takeDamage().first { throw Failure(damage) }
        return JSONValue.array(change.difference.documents)
      }
    }
    do throws(Failure) { return try result.get() } catch { throw Self.refusal(error) }
  }

  /// Why a schedule was not applied: its mistakes, or a site that could not do it now.
  private static func refusal(_ failure: Failure) -> SiteBundle.Refusal {
    let words = failure.plain.shown.message
    switch failure.exit {
    case .no, .usage, .badData, .inputMissing, .deviceUnknown, .refused:
      return SiteBundle.Refusal("schedule", words)
    default: return SiteBundle.Refusal("unavailable", "this site cannot apply it now: \(words)")
    }
  }

  private func refusing<Value>(_ body: () throws(Failure) -> Value) throws(SiteBundle.Refusal) -> Value {
    do throws(Failure) { return try body() } catch {
      throw SiteBundle.Refusal(error.code, error.plain.message)
    }
  }

  // MARK: - What waits

  /// Who brought a bundle that waits. Each has one: the next one takes its place.
  enum Giver: CaseIterable {
    /// The address that the configuration names.
    case address
    /// `castq-link bundle apply`.
    case person
  }

  private func waitingPath(_ giver: Giver) -> String {
    switch giver {
    case .address: "\(folder)/waiting.bundle"
    case .person: "\(folder)/waiting-by-hand.bundle"
    }
  }

  /// The bundle that is here and not applied yet; nil for none. It is verified as any other.
  func waiting(of giver: Giver) -> [UInt8]? {
    (try? OwnFile.bytes(of: waitingPath(giver), limit: SiteBundle.longest)) ?? nil
  }

  /// All that wait, by their revisions; those that the trusted key has not signed will be refused and are left out.
  func waiting() -> [SiteBundle] {
    Giver.allCases.compactMap { waiting(of: $0) }.compactMap { try? read($0) }
      .sorted { $0.revision < $1.revision }
  }

  /// Keeps a bundle that is here and not applied yet, also for a restart without the link; nil is none.
  func keep(_ bytes: [UInt8]?, of giver: Giver) throws(Failure) {
    let path = waitingPath(giver)
    guard let bytes else {
      unlink(path)
      return
    }
    try make(folder)
    do throws(OwnFileError) { try OwnFile.replace(path, with: bytes) } catch {
      throw Failure("input_output", "cannot write \(path): \(error.words)", exit: .inputOutput)
    }
  }

  // MARK: - Files

  private var media: String { "\(folder)/media" }

  /// Brings the files of a bundle beside their places, and writes its schedule.
  /// - Returns: the path of the schedule, and the files that are to be renamed.
  private func unpack(
    _ bundle: SiteBundle, from source: String
  ) async throws(SiteBundle.Refusal) -> (schedule: String, staged: [(path: String, place: String)]) {
    // One folder for all bundles: the sources of programmes stay the same paths, and a file is brought once.
    try refusing { () throws(Failure) in
      try make(folder)
      try make(media)
    }
    let base = source.lastIndex(of: "/").map { String(source[...$0]) } ?? ""
    var renames: [(path: String, place: String)] = []
    for medium in bundle.media {
      let place = "\(media)/\(medium.name)"
      let path = "\(media)/\(Self.stagedName(medium))"
      if Self.isThere(place, medium) { continue }
      renames.append((path, place))
      if Self.isThere(path, medium) { continue }
      let address = medium.source.contains("://") ? medium.source : base + medium.source
      let bytes: [UInt8]
      do throws(Failure) {
        bytes = try await fetch(address, limit: Self.longestMedium)
      } catch { throw SiteBundle.Refusal("media", "\(medium.name): \(error.message)") }
      guard Self.fits(bytes, medium) else {
        throw SiteBundle.Refusal(
          "media", "\(medium.name) at \(address) is not the file whose digest the bundle has")
      }
      do throws(OwnFileError) { try OwnFile.replace(path, with: bytes) } catch {
        throw SiteBundle.Refusal("input_output", "cannot write \(path): \(error.words)")
      }
    }
    let path = "\(folder)/site-\(bundle.revision).yaml"
    do throws(OwnFileError) { try OwnFile.replace(path, with: Array(bundle.schedule.utf8)) } catch {
      throw SiteBundle.Refusal("input_output", "cannot write \(path): \(error.words)")
    }
    return (path, renames)
  }

  /// What a file is called until its bundle is applied. No name of a bundle begins with a dot.
  private static func stagedName(_ medium: SiteBundle.Medium) -> String {
    ".\(medium.name).\(medium.digest.prefix(16))"
  }

  /// Removes what was brought for bundles that were never applied, and do not wait.
  private func removeStaged() {
    let awaited = Set(waiting().flatMap(\.media).map(Self.stagedName))
    for name in (try? FileManager.default.contentsOfDirectory(atPath: media)) ?? []
    where name.hasPrefix(".") && !awaited.contains(name) {
      unlink("\(media)/\(name)")
    }
  }

  private static func isThere(_ path: String, _ medium: SiteBundle.Medium) -> Bool {
    guard let bytes = (try? OwnFile.bytes(of: path, limit: longestMedium)) ?? nil else { return false }
    return fits(bytes, medium)
  }

  private static func fits(_ bytes: [UInt8], _ medium: SiteBundle.Medium) -> Bool {
    bytes.count == medium.size && (try? SHA256.text(of: bytes)) == medium.digest
  }

  private func fetch(_ source: String, limit: Int) async throws(Failure) -> [UInt8] {
    try await load(source, limit: limit, known: nil)?.bytes ?? []
  }

  /// What a server that says nothing is, as `castq` has it for lists.
  private static let silence: [HTTPFetchError.Kind] = [
    .hostUnknown, .connectionRefused, .unreachable, .timeout,
  ]

  /// A document, and the mark by which its server knows it.
  struct Version: Sendable {
    let bytes: [UInt8]
    let entityTag: String?
    let lastModified: String?
  }

  /// Reads a document.
  /// - Parameters:
  ///   - known: the version that was read before.
  ///   - patience: how long it may take to come.
  /// - Returns: nil when it is the known one.
  func load(
    _ source: String, limit: Int, known: Version?, within patience: Duration = .seconds(300)
  ) async throws(Failure) -> Version? {
    guard source.contains("://") else {
      let bytes = try InputFile.bytes(of: source, limit: limit)
      return known?.bytes == bytes ? nil : Version(bytes: bytes, entityTag: nil, lastModified: nil)
    }
    var fetch = HTTPFetch(source, under: .owner, byteLimit: limit)
    fetch.timeout = patience
    (fetch.entityTag, fetch.lastModified) = (known?.entityTag, known?.lastModified)
    let fetched: HTTPFetched
    do throws(HTTPFetchError) { fetched = try await HTTPClient().fetch(fetch) } catch {
      // With an address, the error names what it cannot fetch.
      let words = error.address == nil ? "cannot fetch \(source): \(error)" : "\(error)"
      throw Self.silence.contains(error.kind)
        ? Failure("unreachable", words, exit: .unreachable)
        : Failure("input_missing", words, exit: .inputMissing)
    }
    if fetched.isNotModified || known?.bytes == fetched.body { return nil }
    return Version(bytes: fetched.body, entityTag: fetched.entityTag, lastModified: fetched.lastModified)
  }
}
