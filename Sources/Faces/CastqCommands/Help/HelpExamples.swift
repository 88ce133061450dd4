package import CastqText

/// Two examples and the exit codes of each command.
///
/// A line without indentation has the words of a command and the codes beside those that every command has; the lines below it
/// are its examples. A comment is kept apart by two blanks.
package enum HelpExamples {
  package struct Entry: Sendable {
    package var codes: [ExitStatus]
    package var lines: [String] = []
  }

  /// By the words of the command's name.
  package static let known: [[String]: Entry] = {
    var known: [[String]: Entry] = [:]
    var path: [String] = []
    for line in (queue + playback + schedule + watching + service).split(separator: "\n") {
      if line.hasPrefix("  ") {
        known[path]?.lines.append(String(line.dropFirst(2)))
      } else {
        let halves = line.split(separator: ":", maxSplits: 1)
        path = halves[0].split(separator: " ").map(String.init)
        let special = halves.dropFirst().flatMap { $0.split(separator: " ") }.compactMap { Int32($0) }
        known[path] = Entry(codes: ExitStatus.allCases.filter { ([0, 64] + special).contains($0.rawValue) })
      }
    }
    return known
  }()

  private static let queue = """
    cast: 65 66 68 69 75 76 77
      castq cast film.mp4
      castq cast -d kitchen --subs de ~/Films https://example.org/talk.mp4
    enqueue: 65 66 68
      castq enqueue holiday/*.jpg
      castq enqueue --next --play news.mp4
    run: 65 66 68 69 75 76 77
      castq run -d lobby --loop menus.m3u
      castq run --until 18:00 --shuffle ~/Music
    queue: 1 68
      castq queue
      castq queue -d lobby --json
    remove: 65 68
      castq remove 17 18  # entries, by the numbers of 'castq queue'
      castq remove p1  # the first position
    move: 65 68
      castq move 17 1
      castq move p3 p1
    clear: 68 69
      castq clear
      castq clear --stop -d lobby
    repeat: 68
      castq repeat all
      castq repeat off -d lobby
    shuffle: 68
      castq shuffle
      castq shuffle off -d lobby
    export: 1 65 68
      castq export -d lobby >lobby.yaml
      castq export --format m3u >lobby.m3u
    import: 65 66 68
      castq import -d lobby lobby.yaml
      castq export -d lobby | castq import -d bar -

    """

  private static let playback = """
    play: 1 65 68 69 76 77
      castq play
      castq play 17  # an entry of the queue
    pause: 1 68 69 76 77
      castq pause
      castq pause -d kitchen
    toggle: 1 68 69 76 77
      castq toggle
      castq toggle -d kitchen
    stop: 68 69 76 77
      castq stop
      castq stop --quit -d lobby  # also leave the application
    next: 1 68 69 76 77
      castq next
      castq next -d kitchen
    prev: 1 68 69 76 77
      castq prev
      castq prev -d kitchen
    seek: 1 68 69 76 77
      castq seek 1:30
      castq seek -10s
    rate: 1 68 69 76 77
      castq rate 1.5
      castq rate 1 -d kitchen
    volume: 68 69 76 77
      castq volume
      castq volume +5 -d kitchen
    mute: 68 69 76 77
      castq mute
      castq mute -d @all
    unmute: 68 69 76 77
      castq unmute
      castq unmute -d @all
    tracks: 1 68 69 76 77
      castq tracks
      castq tracks --on 2
    style: 1 68 69 76 77
      castq style font-scale=1.5
      castq style foreground=#FFFF00FF edge=outline
    skip-ad: 1 68 69 76 77
      castq skip-ad
      castq skip-ad -d kitchen
    send: 68 69 76 77
      castq send urn:x-cast:com.example.game '{"type":"start"}'
      castq send --wait --launch --app 12345678 urn:x-cast:com.example.game ping
    transfer: 1 68 69 75 76 77
      castq transfer --to bedroom
      castq transfer -d kitchen --to bedroom

    """
}
