import CastqPlaylists

/// Playlists as programs and people write them, and the files they name.
enum SamplePlaylists {
  static let television = """
    #EXTM3U x-tvg-url="http://epg.example/guide.xml.gz" url-tvg="http://epg.example/2.xml" refresh="3600"
    #EXTINF:-1 tvg-id="one.example" tvg-name="One, HD" tvg-logo="http://logos.example/one.png" group-title="News; World",One HD
    http://tv.example:8080/live/user/pass/1001.m3u8
    #EXTINF:-1 tvg-id="" tvg-name="" tvg-logo="" group-title="Sport",Two | Sport (1080p) [Not 24/7]
    #EXTVLCOPT:http-user-agent=Mozilla/5.0 (X11; Linux)
    #EXTVLCOPT:http-referrer=http://tv.example/
    http://tv.example:8080/live/user/pass/1002.ts
    #EXTINF:-1 tvg-logo=http://logos.example/three.png catchup="default" catchup-days="7",Three
    #EXTGRP:Regional
    #KODIPROP:inputstream=inputstream.adaptive
    https://cdn.example/three/manifest.mpd
    #EXTINF:-1 group-title="UDP",Multicast
    udp://@239.1.1.1:1234
    #EXTINF:-1,Camera
    rtsp://camera.example/stream1
    #EXTINF:0 tvg-name="The "Best" of",Best of
    http://tv.example/best

    """

  static let radio = """
    [playlist of stations exported 2019]
    #EXTM3U
    #EXTINF:-1,Radio Eins
    http://radio.example/eins.mp3
    #EXTINF:-1 radio="true" tvg-logo="https://radio.example/logo zwei.png",Radio Zwei
    http://radio.example:8000/zwei
    #EXTINF:-1,FIP
    #CASTQ: type=audio/aac live=yes
    http://icecast.example/fip-hifi?id=1&x=%zz
    """

  static let player = """
    #EXTM3U\r
    #EXTINF:183,Some Artist - Some Title\r
    #EXTALBUMARTURL:file:///home/me/.cache/vlc/art/arturl/art.png\r
    #EXTVLCOPT:start-time=12.5\r
    #EXTVLCOPT:stop-time=100\r
    file:///home/me/Music/Some%20Artist/01%20-%20Some%20Title.mp3\r
    #EXTINF:61,Ümläut\r
    ../Videos/%C3%9Cml%C3%A4ut.mkv\r
    \r
    """

  static let windows = """
    #EXTM3U
    #EXTINF:123,Sample Artist - Sample title
    C:\\Documents and Settings\\I\\My Music\\Sample.mp3
    #EXTINF:321,Example Artist - Example title
    C:\\Documents and Settings\\I\\My Music\\Greatest Hits\\Example.ogg
    Music\\Relative.mp3
    \\\\SERVER\\share\\Network.mp3
    """

  static let signage = """
    #EXTM3U
    #PLAYLIST:Lobby
    #CASTQ-QUEUE: repeat=all shuffle=no name="Lobby, ground floor"
    #EXTINF:12,Welcome
    #CASTQ: image="posters/welcome card.jpg" subtitle="Say \\"hello\\"" preload=5
    welcome.mp4
    # the menu of the day
    #EXTINF:20,Menu
    # until two in the afternoon
    posters/menu.png
    #CASTQ: start=10 end=1:40 rate=1.25 tracks=subs/promo.vtt:en:"English, simple",subs/promo.srt:de metadata=movie
    promo.mp4
    #CASTQ: preloda=5
    promo.mpv
    more.m3u
    posters
    #CASTQ: series=Show season=1 episode=2 title=Two
    """

  /// Windows-1252.
  static let latin: [UInt8] =
    Array("#EXTM3U\n#EXTINF:200,Bj".utf8) + [0xF6] + Array("rk - J".utf8) + [0xF3] + Array("ga\nBj".utf8) + [
      0xF6
    ]
    + Array("rk.mp3\n#EXTINF:99,It".utf8) + [0x92] + Array("s\nBj%C3%B6rk.mp3\n".utf8)

  /// As web radios and Winamp write it.
  static let stations = """
    [playlist]
    numberofentries=3
    File1=http://ice.example:8000/high
    Title1=(#1 - 12/500) Example FM
    Length1=-1
    File2=promo.mp4
    Title2=Promo
    Length2=42
    File3=posters/menu.png
    Version=2
    """

  /// As desktop players write it.
  static let tracks = """
    <?xml version="1.0" encoding="UTF-8"?>
    <playlist xmlns="http://xspf.org/ns/0/" xmlns:vlc="http://www.videolan.org/vlc/playlist/ns/0/" version="1">
    \t<title>Playlist</title>
    \t<trackList>
    \t\t<track>
    \t\t\t<location>file:///home/me/Music/Some%20Artist/01%20-%20Some%20Title.mp3</location>
    \t\t\t<title>Some &amp; Title</title><creator><![CDATA[Artist]]></creator>
    \t\t\t<duration>183000</duration>
    \t\t\t<extension application="http://www.videolan.org/vlc/playlist/0">
    \t\t\t\t<vlc:id>0</vlc:id>
    \t\t\t</extension>
    \t\t</track>
    \t\t<track xml:base="posters/"><location>menu.png</location><!-- a picture --></track>
    \t</trackList>
    </playlist>
    """

  static let nested = "deeper.m3u8\nmore.m3u\nlobby.m3u\n"

  static let loader: MemoryLoader = {
    var loader = MemoryLoader(media: [
      "welcome.mp4", "promo.mp4", "posters/welcome card.jpg", "posters/menu.png", "posters/10.png",
      "posters/9.png",
      "subs/promo.vtt", "subs/promo.srt", "Björk.mp3", "/home/me/Music/Some Artist/01 - Some Title.mp3",
      "/Videos/Ümläut.mkv", "/home/me/.cache/vlc/art/arturl/art.png",
    ])
    for (name, text) in texts { loader.add(name, text) }
    loader.files["/media/latin.m3u"] = latin
    loader.web["http://h/tv.m3u"] = .init(bytes: Array(television.utf8), address: "http://h/tv.m3u")
    return loader
  }()

  static let texts = [
    "tv.m3u8": television, "radio.m3u": radio, "player.m3u": player, "windows.m3u": windows,
    "lobby.m3u": signage,
    "stations.pls": stations, "tracks.xspf": tracks, "more.m3u": nested,
    "deeper.m3u8": "more.m3u\npromo.mp4\n",
  ]

  static let names = texts.keys.sorted() + ["latin.m3u"]
}
