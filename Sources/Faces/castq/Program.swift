import CastqCommands

/// `castq`
@main
enum Program {
  @MainActor static func main() async {
    DispatchLog.silence()
    await Castq.main()
  }
}
