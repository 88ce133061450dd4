import CastqCommands
import CastqWeb

/// `castq-web`, which `castq web` becomes: all of castq, and the page's server. A program of its own, because others would
/// start slower and be built longer with it.
@main
enum Program {
  @MainActor static func main() {
    ProgramStart.run { await WebCommand.$page.withValue(OperatorPage()) { await Castq.main() } }
  }
}
