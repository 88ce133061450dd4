/// The version of castq and of the programs that come with it; the heading of CHANGELOG.md has the same number.
package enum ProgramVersion {
  /// Three numbers, as semantic versioning has them.
  package static let number = "0.9.0"
}
