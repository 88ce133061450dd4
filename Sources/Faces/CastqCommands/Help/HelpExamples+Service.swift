extension HelpExamples {
  static let schedule = """
    schedule add: 65 66 68
      castq schedule add lunch --play menus.m3u -d lobby --daily 11:30-14:00 --days mon-fri
      castq schedule add gong --play gong.mp3 -d @all --cron '0 9-17 * * *' --interrupt
    schedule ls:
      castq schedule ls
      castq schedule ls --json
    schedule show: 65
      castq schedule show lunch
      castq schedule show lunch --json
    schedule log: 65
      castq schedule log lunch
      castq schedule log lunch --json
    schedule rm: 65
      castq schedule rm lunch
      castq schedule rm 'summer sale'
    schedule enable: 65
      castq schedule enable lunch
      castq schedule enable 'summer sale'
    schedule disable: 65
      castq schedule disable lunch
      castq schedule disable 'summer sale'
    schedule skip: 65
      castq schedule skip lunch@2026-12-24
      castq schedule skip gong@2026-12-24T12:00
    schedule move: 65
      castq schedule move lunch@2026-12-24 10:30
      castq schedule move lunch@2026-12-24 2026-12-23T11:30
    schedule replace: 65
      castq schedule replace lunch@2026-12-24 christmas
      castq schedule replace gong@2026-12-24T12:00 bells
    schedule export:
      castq schedule export >site.yaml
      castq schedule export --json
    schedule apply: 65 66 68
      castq schedule apply site.yaml --dry-run
      castq schedule apply site.yaml --prune  # also remove what the file does not have
    schedule import: 65 66 68 69
      castq schedule import events.ics -d lobby
      castq schedule import https://example.org/events.ics -d @shop --dry-run
    programme add: 65 66
      castq programme add menus /srv/castq/menus.m3u --shuffle
      castq programme add news https://example.org/news.m3u8 --filler logo
    programme ls:
      castq programme ls
      castq programme ls --json
    programme show: 65
      castq programme show menus
      castq programme show menus --json
    programme rm: 65
      castq programme rm menus
      castq programme rm 'summer films'
    daypart add: 65
      castq daypart add breakfast 08:00-10:30
      castq daypart add breakfast 08:00-10:30 --on sat,sun 09:00-11:00 --closed @holidays
    daypart ls:
      castq daypart ls
      castq daypart ls --json
    daypart rm: 65
      castq daypart rm breakfast
      castq daypart rm lunch
    calendar add: 65
      castq calendar add holidays 2026-12-25 Christmas
      castq calendar add sale 2026-11-27 'Black Friday'
    calendar import: 65 66 69
      castq calendar import holidays holidays.ics
      castq calendar import holidays https://example.org/holidays.ics --keep 'public holiday*'
    calendar ls: 65
      castq calendar ls
      castq calendar ls holidays
    calendar rm: 65
      castq calendar rm holidays
      castq calendar rm holidays 2026-12-26
    group add: 65 68
      castq group add shop lobby bar
      castq group add shop lobby window --replace
    group ls:
      castq group ls
      castq group ls --json
    group rm: 65 68
      castq group rm shop
      castq group rm shop bar  # only this member
    share add: 65 66 68
      castq share add sponsor sponsor.mp4 -d lobby --per-hour 5%
      castq share add promo promo.m3u -d @shop --per-hour 120s --max-plays 4 --min-gap 5m
    share ls:
      castq share ls
      castq share ls --json
    share rm: 65
      castq share rm sponsor
      castq share rm promo
    announce: 65 66 68 75 76
      castq announce closing.mp3 -d @all
      castq announce news.mp4 -d lobby --wait 30s --volume 60
    plan: 1 68
      castq plan
      castq plan -d lobby --from tomorrow --to 'tomorrow 18:00' --check
    why: 65 68
      castq why -d lobby
      castq why -d lobby 'yesterday 14:00'

    """

  static let watching = """
    status: 1 68 69
      castq status
      castq status -d kitchen --follow
    remote: 68 69
      castq remote
      castq remote -d kitchen
    history: 68
      castq history --since yesterday
      castq history -d lobby --outcome failed --csv
    report plays: 68
      castq report plays --since -1w
      castq report plays --by day --since 2026-11-01 --until 2026-12-01 --csv
    report gaps: 68
      castq report gaps --since yesterday
      castq report gaps --by device --json
    report outages: 68
      castq report outages --since -1w
      castq report outages -d lobby --csv
    report adherence: 68
      castq report adherence --since yesterday
      castq report adherence --by day --since -1w
    report share: 68
      castq report share --since yesterday
      castq report share -d lobby --json
    report proof: 68 73
      castq report proof --since 2026-11-01 --until 2026-12-01 -o november.proof
      castq report proof --since yesterday -o yesterday.proof
    report verify: 65 66 77
      castq report verify november.proof --key site.pem
      castq report verify november.proof --json
    report key: 73
      castq report key >site.pem
      castq report key --json

    """

  static let service = """
    daemon: 69 73 75 78
      castq daemon
      castq daemon --until-idle  # exit when nothing is left to play
    web serve: 69 73 78
      castq web
      castq web --listen 0.0.0.0:8010
    up: 69 73 75 78
      castq up
      castq up --listen 0.0.0.0:8010
    web token add: 65
      castq web token add anna --role operate
      castq web token add display --role look
    web token ls:
      castq web token ls
      castq web token ls --json
    web token rm: 65
      castq web token rm anna
      castq web token rm display
    mpd: 69 73 78
      castq mpd
      castq mpd --listen 0.0.0.0:6600
    devices: 1 69
      castq devices
      castq devices --scan 10s
    device add: 65
      castq device add kitchen 192.168.1.23
      castq device add window 192.168.1.40:8010
    device rm: 68
      castq device rm kitchen
      castq device rm 192.168.1.23
    device show: 68
      castq device show
      castq device show kitchen --json
    device alias: 65 68
      castq device alias 'Living Room TV' tv
      castq device alias tv  # removes the alias
    device default: 68
      castq device default kitchen
      castq device default
    device pin: 66 68 69 77
      castq device pin kitchen
      castq device pin kitchen --off
    device unpin: 68
      castq device unpin kitchen
      castq device unpin 192.168.1.23
    doctor: 68 69 76 77
      castq doctor
      castq doctor -d kitchen
    check: 65 66 68
      castq check menus.m3u
      castq check --online -d lobby ~/Films
    prepare: 65 66 68 76
      castq prepare -d lobby ~/Films
      castq prepare -d lobby holiday.mkv
    db check: 65 66
      castq db check
      castq db check --db copy.db
    db backup: 66 73 74
      castq db backup castq-backup.db
      castq db backup /mnt/usb/castq.db
    db vacuum: 66 74
      castq db vacuum
      castq db vacuum --db old.db
    completion:
      castq completion bash >~/.local/share/bash-completion/completions/castq
      castq completion fish >~/.config/fish/completions/castq.fish

    """
}
