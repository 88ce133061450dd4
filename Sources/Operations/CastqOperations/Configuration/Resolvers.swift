import CastProtocol
package import CastqDaemon
import CastqFeeding
package import CastqPlaylists
import CastqPrograms
package import CastqText

/// The resolvers of this computer.
package enum Resolvers {
  /// Runs them; they are looked for where the shell of the person looks.
  package static var programs: LinkPrograms {
    LinkPrograms(path: Environment.value("PATH") ?? ProgramSearch.systemPath)
  }

  /// Those of the configuration. While a mistake in it keeps castq from feeding, lists are read without them: what needs one is
  /// decided again when it is played.
  package static func rules(_ global: CallOptions) -> ResolverRules {
    switch ConfigurationFile(global).read() {
    case .success(let configuration): configuration.resolvers
    case .failure: ResolverRules()
    }
  }

  /// What will be resolved, and whether that is possible here.
  package static func issues(of drafts: [EntryDraft], _ rules: ResolverRules) -> [PlaylistIssue] {
    drafts.compactMap { draft in
      guard let rule = rules.rule(for: draft.media.url) else { return nil }
      return rule.issue(of: draft, file: programs.file(of: rule))
    }
  }
}
