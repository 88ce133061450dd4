import ArgumentParser
import CastqOperations

/// `castq completion bash|zsh|fish`
struct CompletionCommand: ParsableCommand {
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  static let configuration = CommandConfiguration(
    commandName: "completion", abstract: "Print the completion script for a shell.")

  @OptionGroup var given: GivenOptions

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  func run() {
    let known: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    Console.printLines(Self.script(Castq.completionScript(for: known), for: shell) + "\n")
  }

  /// The parser's script, with what it does not know.
  private static func script(_ generated: String, for shell: Shell) -> String {
    let leading = LeadingOptions.ofCastq
    switch shell {
    case .bash: return leading.bash(withNames(generated))
    case .zsh: return leading.zsh(generated)
    case .fish: return leading.fish(generated)
    }
  }

  /// bash expands the words that `compgen -W` chooses from, and names come from the network: they are compared without it, and quoted here,
  /// since bash leaves a dollar sign in what it takes for the name of a file.
  private static func withNames(_ generated: String) -> String {
    generated.replacing(
      #"__castq_add_completions -W "$(__castq_custom_complete"#,
      with: #"__castq_add_names "$(__castq_custom_complete"#) + """

        __castq_add_names() {
            local name quoted
            compopt +o filenames 2>/dev/null
            while IFS='' read -r name; do
                [[ -n "${name}" ]] || continue
                printf -v quoted %q "${name}"
                [[ "${name}" == "${cur}"* || "${quoted}" == "${cur}"* ]] || continue
                COMPREPLY+=("${quoted}")
                [[ "${name}" != */ ]] || compopt -o nospace 2>/dev/null
            done <<<"${1}"
        }
        """
  }
}
