import ArgumentParser

/// The completion of command lines with global options before the command, as in `castq -d lobby queue`, and
/// of `castq help`.
///
/// The parser's scripts know options behind a command alone. Before they see the words, a function puts the words in that order, as
/// `ArgumentOrder` does before the parser sees them. They know nothing behind `help`, which the function
/// leaves out before the name of a command.
struct LeadingOptions {
  /// Global options that take a value.
  let valued: [String]
  /// Global options without a value.
  let flags: [String]
  /// The names of commands that have commands of their own: `device`, `web token`.
  let groups: [String]

  /// Those of this program.
  static var ofCastq: LeadingOptions {
    LeadingOptions(
      valued: ArgumentOrder.valued.sorted(), flags: ArgumentOrder.flags.sorted(),
      groups: groups(below: Castq.self, []))
  }

  private static func groups(below type: any ParsableCommand.Type, _ path: [String]) -> [String] {
    var found: [String] = []
    for group in type.configuration.subcommands where !group.configuration.subcommands.isEmpty {
      guard let name = CommandWords.names(of: group).first else { continue }
      found.append((path + [name]).joined(separator: " "))
      found += groups(below: group, path + [name])
    }
    return found
  }

  /// A command with global options only: it stands in for the one that is not typed yet.
  private static let anyCommand = "pause"

  /// A pattern of a shell's `case` for options that are whole in one word.
  private var whole: String { (flags + ["-d*"] + valued.map { "\($0)=*" }).joined(separator: "|") }

  /// A pattern of a shell's `case` for the names of groups.
  private var group: String { groups.map(quoted).joined(separator: "|") }

  /// The script for bash, in which `_castq` puts the words in order.
  func bash(_ generated: String) -> String {
    generated.replacing("\n_castq() {", with: "\n__castq_in_order() {") + """


      # Global options before the command are completed as those behind it.
      _castq() {
          local -a given=("${COMP_WORDS[@]}") options=() names=() ordered=()
          local -i index=1 cursor="${COMP_CWORD}" end=1
          if [[ "${cursor}" -gt 1 && "${given[1]}" == help && "${given[${cursor}]}" != -* ]]; then
              names=("${given[@]:2:cursor - 2}")
              case "${names[*]}" in
              ''|\(group))
                  given=("${given[0]}" "${given[@]:2}")
                  cursor+=-1
                  ;;
              esac
              names=()
          fi
          while [[ "${index}" -lt "${cursor}" ]]; do
              case "${given[${index}]}" in
              \(valued.joined(separator: "|")))
                  # bash takes the equals sign before a value and the colons of an address for words.
                  options+=("${given[${index}]}")
                  [[ "${given[${index} + 1]}" != = ]] || index+=1
                  options+=("${given[${index} + 1]}")
                  index+=2
                  while [[ "${index}" -lt "${cursor}" && "${given[${index}]}" == : ]]; do index+=2; done
                  ;;
              \(whole))
                  options+=("${given[${index}]}")
                  index+=1
                  ;;
              *) break ;;
              esac
          done
          if [[ "${index}" -gt "${cursor}" || ("${index}" -eq "${cursor}" && "${given[${cursor}]}" == -*) ]]; then
              ordered=("${given[0]}" \(Self.anyCommand) "${given[@]:1}")
              cursor+=1
          else
              end="${index}"
              while [[ "${end}" -le "${cursor}" && "${given[${end}]}" != -* ]]; do
                  names+=("${given[${end}]}")
                  end+=1
                  case "${names[*]}" in
                  \(group)) ;;
                  *) break ;;
                  esac
              done
              ordered=("${given[0]}" "${names[@]}" "${options[@]}")
              if [[ "${end}" -le "${cursor}" ]]; then
                  cursor="${#ordered[@]} + cursor - end"
                  ordered+=("${given[@]:end}")
              else
                  cursor="${#names[@]}"
              fi
          fi
          local -a COMP_WORDS=("${ordered[@]}")
          local COMP_CWORD="${cursor}"
          local COMP_LINE="${ordered[*]:0:cursor + 1}"
          local COMP_POINT="${#COMP_LINE}"
          __castq_in_order "${1}" "${2}" "${ordered[cursor - 1]}"
      }
      """
  }

  /// The script for zsh, in which `_castq` puts the words in order.
  func zsh(_ generated: String) -> String {
    let order = """
      # Global options before the command are completed as those behind it.
      _castq() {
          emulate -L zsh
          local -a given names
          local -i index=2 end=2
          given=("${words[@]}")
          if (( CURRENT > 2 )) && [[ "${given[2]}" == help && "${given[CURRENT]}" != -* ]]; then
              case "${given[3,CURRENT - 1]}" in
              (''|\(group))
                  given=("${given[1]}" "${(@)given[3,-1]}")
                  words=("${given[@]}")
                  (( CURRENT -= 1 ))
                  ;;
              esac
          fi
          while (( index < CURRENT )); do
              case "${given[index]}" in
              (\(valued.joined(separator: "|"))) (( index += 2 )) ;;
              (\(whole)) (( index += 1 )) ;;
              (*) break ;;
              esac
          done
          if (( index > CURRENT )) || [[ "${index}" -eq "${CURRENT}" && "${given[CURRENT]}" == -* ]]; then
              words=("${given[1]}" \(Self.anyCommand) "${(@)given[2,-1]}")
              (( CURRENT += 1 ))
          elif (( index > 2 )); then
              end="${index}"
              while (( end <= CURRENT )) && [[ "${given[end]}" != -* ]]; do
                  names+=("${given[end]}")
                  (( end += 1 ))
                  case "${names[*]}" in
                  (\(group)) ;;
                  (*) break ;;
                  esac
              done
              words=("${given[1]}" "${names[@]}" "${(@)given[2,index - 1]}" "${(@)given[end,-1]}")
              (( end <= CURRENT )) || (( CURRENT = ${#names} + 1 ))
          fi
          __castq_in_order "${@}"
      }

      if [[ "${funcstack[1]}" = _castq ]]; then
      """
    return generated.replacing("\n_castq() {", with: "\n__castq_in_order() {")
      .replacing(#"if [[ "${funcstack[1]}" = _castq ]]; then"#, with: order)
  }

  /// The script for fish, which parses the line once. The parser's own script has more than a thousand conditions, each of which parses
  /// the line, and a tab takes seconds.
  private static func askingOnce(_ generated: String) -> String {
    let heads = [
      "-a expected_commands\n",
      "-a expected_commands positional_index_comparison expected_positional_index\n",
    ]
    return heads.reduce(generated) { script, head in
      script.replacing(head, with: "\(head)    __castq_is_at \"$expected_commands\"; or return 1\n")
    } + """


      # Whether the line names these commands.
      function __castq_is_at -a expected_commands
          set -l line (commandline -pc)
          if test "$line" != "$__castq_line"
              set -l non_repeating_flags_or_options
              set -l non_repeating_flags_or_options_absent 0
              set -l positional_index 0
              set -l commands
              __castq_parse_tokens
              set -g __castq_line $line
              set -g __castq_commands "$commands"
          end
          test "$__castq_commands" = "$expected_commands"
      end
      """
  }

  /// The script for fish, in which the tokens are put in order before they are parsed.
  func fish(_ generated: String) -> String {
    Self.askingOnce(generated).replacing(
      "set -l unparsed_tokens (__castq_tokens -pc)", with: "set -l unparsed_tokens (__castq_in_order)") + """


        # Global options before the command are completed as those behind it.
        function __castq_in_order
            set -l tokens (__castq_tokens -pc)
            if test "$tokens[2]" = help; and not string match -q -- '-*' (commandline -ct)
                switch (string join ' ' -- $tokens[2..] '')
                    case 'help ' \(groups.map { quoted("help \($0) ") }.joined(separator: " "))
                        set -e tokens[2]
                end
            end
            set -l total (count $tokens)
            set -l index 2
            while test $index -le $total
                switch $tokens[$index]
                    case \(valued.joined(separator: " "))
                        set index (math $index + 2)
                    case \(whole.split(separator: "|").map { quoted(String($0)) }.joined(separator: " "))
                        set index (math $index + 1)
                    case '*'
                        break
                end
            end
            set -l given
            test $index -gt 2; and set given $tokens[2..(math min $index - 1, $total)]
            if test $index -gt $total
                # All are options. A value is awaited, an option is typed, or the command.
                if test $index -gt (math $total + 1); or string match -q -- '-*' (commandline -ct)
                    printf '%s\\n' $tokens[1] \(Self.anyCommand) $given
                else
                    printf '%s\\n' $tokens[1]
                end
                return
            end
            set -l names
            set -l isgroup 1
            while test $index -le $total -a $isgroup -eq 1
                string match -q -- '-*' $tokens[$index]; and break
                set -a names $tokens[$index]
                set index (math $index + 1)
                switch "$names"
                    case \(groups.map(quoted).joined(separator: " "))
                    case '*'
                        set isgroup 0
                end
            end
            # The next command of a group is awaited, which knows no options.
            test $isgroup -eq 1; and set given
            printf '%s\\n' $tokens[1] $names $given
            test $index -le $total; and printf '%s\\n' $tokens[$index..]
        end
        """
  }

  private func quoted(_ word: String) -> String { "'\(word)'" }
}
