import CastqCommands

/// `castq`
@main
enum Program {
  @MainActor static func main() {
    ProgramStart.run { await Castq.main() }
  }
}
