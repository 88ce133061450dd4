import ArgumentParser

/// `castq completion bash|zsh|fish`
struct CompletionCommand: ParsableCommand {
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  static let configuration = CommandConfiguration(
    commandName: "completion", abstract: "Print the completion script for a shell.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  func run() {
    let known: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    Console.printLines(Castq.completionScript(for: known) + "\n")
  }
}
