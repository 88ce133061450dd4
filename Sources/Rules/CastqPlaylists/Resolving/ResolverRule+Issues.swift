import CastProtocol
package import CastqText

extension ResolverRule {
  /// What a check says of an entry that this resolver is for.
  /// - Parameter file: the file of its program; nil when it is not found.
  package func issue(of draft: EntryDraft, file: String?) -> PlaylistIssue {
    let name = TerminalText.excerpt(AddressText.withoutSecrets(draft.media.url), limit: 200)
    let source = draft.source ?? SourceLocation(file: draft.media.url)
    guard let file else {
      return PlaylistIssue(
        .error, file: source.file, line: source.line ?? 1,
        message: "\(name) needs the resolver \(TerminalText.excerpt(program)), which is not found",
        hint: "install it, or name its path in `resolvers`")
    }
    return PlaylistIssue(
      .warning, file: source.file, line: source.line ?? 1,
      message: "\(name) is a page; \(TerminalText.excerpt(file)) finds its media when it is played")
  }
}
