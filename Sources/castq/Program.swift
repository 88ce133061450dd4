import CastqCommands

/// `castq`
@main
enum Program {
  static func main() async { await Castq.main() }
}
