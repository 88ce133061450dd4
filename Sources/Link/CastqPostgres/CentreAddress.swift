import CLibPQ
import Glibc

/// The address of the centre, and how far a connection to it is guarded.
///
/// libpq by itself takes whoever answers for the centre, and sends a password in clear to whoever asks. For a host that is not this
/// computer the server has to prove its name (`sslmode=verify-full`), and that it knows the password (`channel_binding=require`, which
/// allows SCRAM alone), unless the address says less.
package struct CentreAddress: Sendable, Hashable {
  /// As libpq reads it.
  package let text: String
  /// What is said to libpq where the address is silent.
  let defaults: [Option]
  /// What the address allows somebody on the way to do, in words for the log; nil for nothing.
  package let weakness: String?
  /// Whether the text holds a password.
  package let hasPassword: Bool

  struct Option: Sendable, Hashable {
    let key: String
    let value: String
  }

  /// - Parameters:
  ///   - text: as libpq reads it; what is none is for libpq to refuse.
  ///   - isThisComputer: whether a host is this computer.
  package init(_ text: String, isThisComputer: (String) -> Bool) {
    self.text = text
    let given = Self.options(text)
    hasPassword = given["password"] != nil || given["sslpassword"] != nil
    let hosts = (given["hostaddr"] ?? given["host"] ?? Self.variable("PGHOSTADDR") ?? Self.variable("PGHOST"))
    let isLocal = (hosts ?? "").split(separator: ",").allSatisfy { host in
      host.hasPrefix("/") || host.hasPrefix("@") || isThisComputer(String(host))
    }
    guard !isLocal || given["service"] != nil || Self.variable("PGSERVICE") != nil else {
      (defaults, weakness) = ([], nil)
      return
    }
    let mode = given["sslmode"]
    // A certificate in place of a password leaves nothing to bind.
    let bindsChannel = mode == nil && given["sslcert"] == nil
    defaults =
      [Option(key: "sslmode", value: "verify-full")]
      + (bindsChannel ? [Option(key: "channel_binding", value: "require")] : [])
      + (given["sslrootcert"] == nil ? Self.systemAuthorities : [])
    weakness = mode.flatMap { mode in
      mode == "verify-full"
        ? nil
        : "the address of the centre says sslmode=\(mode): whoever answers in its place may get this site's password and plays"
    }
  }

  /// Those whom this computer trusts, where its user has not said whom to trust: libpq by itself trusts nobody then.
  private static var systemAuthorities: [Option] {
    let own = variable("PGSSLROOTCERT") ?? variable("HOME").map { "\($0)/.postgresql/root.crt" }
    let system = "/etc/ssl/certs/ca-certificates.crt"
    guard own.map({ access($0, F_OK) != 0 }) ?? true, access(system, R_OK) == 0 else { return [] }
    return [Option(key: "sslrootcert", value: system)]
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// What the text says, by the keys of libpq; nothing of what libpq cannot read.
  private static func options(_ text: String) -> [String: String] {
    guard let options = PQconninfoParse(text, nil) else { return [:] }
    defer { PQconninfoFree(options) }
    var found: [String: String] = [:]
    var next = options
    while let keyword = next.pointee.keyword {
      if let value = next.pointee.val, value.pointee != 0 {
        found[String(cString: keyword)] = String(cString: value)
      }
      next += 1
    }
    return found
  }
}
