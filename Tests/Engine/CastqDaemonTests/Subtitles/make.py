#!/usr/bin/env python3
"""Writes the subtitle files of SubtitleSamplesTests and, beside each, the WebVTT that it must become.

Character sets are Python's codecs; references are composed here from the same words or written out by hand, never by castq.
"""
import pathlib

HERE = pathlib.Path(__file__).parent / "Samples"
COUNT = 0


def write(name, encoding, source, reference, mark=b""):
    global COUNT
    COUNT += 1
    (HERE / name).write_bytes(mark + source.encode(encoding))
    (HERE / (name + ".vtt")).write_bytes(reference.encode("utf-8"))


def stamp(ms, comma):
    s = ms // 1000
    return f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}{comma}{ms % 1000:03}"


def cues(lines):
    return [(1000 + 3500 * i, 4000 + 3500 * i, text) for i, text in enumerate(lines)]


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def vtt(lines):
    blocks = [f"{stamp(a, '.')} --> {stamp(b, '.')}\n{escaped(t)}\n\n" for a, b, t in cues(lines)]
    return "WEBVTT\n\n" + "".join(blocks)


def srt(lines, end="\n"):
    blocks = [f"{n}\n{stamp(a, ',')} --> {stamp(b, ',')}\n{t}\n\n" for n, (a, b, t) in enumerate(cues(lines), 1)]
    return "".join(blocks).replace("\n", end)


def ass(lines):
    def time(ms):
        return f"{ms // 3600000}:{ms // 60000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000 // 10:02}"
    head = ("[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\n"
            "Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, "
            "Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, "
            "MarginR, MarginV, Encoding\n"
            "Style: Default,Arial,20,&H00FFFFFF,&H0,&H0,&H0,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1\n\n"
            "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n")
    return head + "".join(
        f"Dialogue: 0,{time(a)},{time(b)},Default,,0,0,0,,{t}\n" .replace("\n", "\\N", t.count("\n"))
        for a, b, t in cues(lines))


TEXT = {
    "ru": ["Привет! Как тебя зовут?", "Меня зовут Анна, а это мой брат.\nОн не говорит по-английски.", "Мы должны уйти отсюда до рассвета.", "– Ты уверен?\n– Конечно, нет."],
    "ru2": ["Что случилось с твоей машиной?", "Ничего особенного, просто кончился бензин.", "Тогда пойдём пешком,\nпогода сегодня хорошая."],
    "uk": ["Добрий день, як ваші справи?", "Дякую, усе гаразд. Її ще немає.", "Ми їдемо до Києва наступного тижня."],
    "bg": ["Къде отиваме тази вечер?", "Не знам, ти реши.\nАз съм уморен от работа.", "Добре, тогава оставаме вкъщи."],
    "pl": ["Cześć, gdzie byłeś całą noc?", "Nie mogę ci tego powiedzieć.\nTo zbyt niebezpieczne.", "Proszę, zaufaj mi chociaż raz.", "Źle się z tym czuję, ale zgoda."],
    "cs": ["Dobrý den, přišel jsem kvůli té práci.", "Ještě jsme se nerozhodli, přijďte zítra.", "Můžu počkat?\nUž jsem tady hodinu."],
    "hu": ["Jó napot, hol van az igazgató úr?", "Nincs itt, később jön vissza.", "Őszintén szólva fűről és fáról beszéltünk."],
    "de": ["Guten Morgen, schönes Wetter heute.", "Für Sie vielleicht.\nIch muß gleich über die Straße.", "Grüße an Ihre Frau – und viel Glück!", "Das kostet 20 €."],
    "fr": ["Où étais-tu passé hier soir ?", "J'étais à côté, chez le garçon\nqui répare les vélos.", "Ça m'étonnerait, il a fermé en été."],
    "es": ["¿Qué pasó con el niño?", "Está en la montaña, señora.\nVolverá mañana por la tarde.", "¡Dios mío! Eso será muy difícil."],
    "sv": ["Är du hungrig? Vi kan äta på tåget.", "Nej, jag åt frukost före klockan åtta.", "Då går vi över bron."],
    "el": ["Καλημέρα, πώς είσαι σήμερα;", "Είμαι καλά, ευχαριστώ.\nΆργησες πολύ.", "Ήταν κίνηση στον δρόμο για το λιμάνι."],
    "tr": ["Günaydın, nasılsın?", "Teşekkür ederim, iyiyim.\nİstanbul'a ne zaman gidiyoruz?", "Yarın sabah, güneş doğmadan önce.", "Çok erken değil mi ağabey?"],
    "he": ["שלום, מה שלומך היום?", "אני בסדר, תודה.\nאיפה היית אתמול?", "הייתי בבית עם המשפחה שלי."],
    "ar": ["مرحبا، كيف حالك اليوم؟", "أنا بخير، شكرا لك.\nأين كنت أمس؟", "كنت في البيت مع عائلتي."],
    "fa": ["سلام، حال شما چطور است؟", "خوبم، خیلی ممنون.\nکجا بودی دیشب؟".replace("ی", "ي"), "پیش برادرم بودم.".replace("ی", "ي")],
    "lt": ["Laba diena, kaip sekasi?", "Ačiū, viskas gerai.\nŠiandien ąžuolas jau žydi.", "Ėjau į mišką rinkti grybų su mūsų šunimi."],
    "ja": ["おはようございます。お元気ですか。", "はい、元気です。\n昨日はどこに行きましたか。", "友達と一緒に映画を見に行きました。", "それは良かったですね。"],
    "zh": ["你好，你叫什么名字？", "我叫王明，他是我的朋友。\n我们是昨天来的。", "你们想去哪里？", "我们要去北京，不知道怎么走。"],
    "zh-TW": ["你好，你叫什麼名字？", "我叫王明，他是我的朋友。\n我們是昨天來的。", "你們想去哪裡？", "我們要去臺北，不知道怎麼走。"],
    "ko": ["안녕하세요, 이름이 뭐예요?", "저는 민수라고 합니다.\n만나서 반갑습니다.", "어디에 가고 싶어요?", "바다를 보러 가고 싶어요."],
    "th": ["สวัสดีครับ คุณชื่ออะไร", "ผมชื่อสมชาย ยินดีที่ได้รู้จัก", "เราจะไปที่ไหนกันดี\nวันนี้อากาศร้อนมาก"],
    "en": ["Hello, what's your name?", "Tom & Jerry — the café is 5 < 6.\nReally?", "A --> B, that is the way."],
}

# (language, key of the words, codec, form); the name says the language unless it is "-"
PLAIN = [
    ("ru", "ru", "cp1251", "srt"), ("ru", "ru2", "cp1251", "ass"), ("ru", "ru", "koi8_r", "srt"), ("ru", "ru2", "koi8_r", "srt"),
    ("ru", "ru", "cp866", "srt"), ("bg", "bg", "cp1251", "srt"), ("uk", "uk", "cp1251", "srt"), ("uk", "uk", "koi8_u", "srt"),
    ("pl", "pl", "cp1250", "srt"), ("pl", "pl", "iso8859_2", "srt"), ("cs", "cs", "cp1250", "srt"), ("hu", "hu", "cp1250", "ass"),
    ("de", "de", "cp1252", "srt"), ("fr", "fr", "cp1252", "srt"), ("es", "es", "cp1252", "ass"),
    ("el", "el", "cp1253", "srt"), ("tr", "tr", "cp1254", "srt"), ("he", "he", "cp1255", "srt"),
    ("ar", "ar", "cp1256", "srt"), ("fa", "fa", "cp1256", "srt"), ("lt", "lt", "cp1257", "srt"), ("th", "th", "cp874", "srt"),
    ("ja", "ja", "cp932", "srt"), ("ja", "ja", "euc_jp", "srt"), ("ja", "ja", "iso2022_jp", "srt"), ("ja", "ja", "utf_16_le", "ass"),
    ("zh", "zh", "gb18030", "srt"), ("zh", "zh-TW", "big5", "srt"), ("ko", "ko", "cp949", "srt"),
    ("-", "ru", "cp1251", "srt"), ("-", "de", "cp1252", "srt"), ("-", "sv", "cp1252", "srt"), ("-", "el", "cp1253", "srt"),
    ("-", "ja", "cp932", "srt"), ("-", "ko", "cp949", "srt"),
    ("en", "en", "utf_8", "srt"),
]

MARKUP = """\ufeff1
00:00:01,000 --> 00:00:02,500 X1:100 X2:200 Y1:10 Y2:20
<i>He said <b>never</b> again.</I>
<font color="#ff0000">Red & "loud"</font>

2
00:00:03.000 --> 00:00:04.000
{\\an8}At the top, <3 and <Applause>

00:00:05,00 --> 00:00:06,5
without a counter

4
00:00:07,000 --> 00:00:0x,000
this one is lost
5
00:00:08,000 --> 00:00:09,000
no empty line before it

an empty line inside it
6
100:00:00,000 --> 100:00:01,000
beyond 99:59:59
7
00:00:02,000 --> 00:00:10,000
overlaps, and stands &amp; late
1984
8
00:00:12,000 --> 00:00:11,000
ends before it starts
"""
MARKUP_VTT = """WEBVTT

00:00:01.000 --> 00:00:02.500
<i>He said <b>never</b> again.</i>
Red &amp; "loud"

00:00:02.000 --> 00:00:10.000
overlaps, and stands &amp; late
1984

00:00:03.000 --> 00:00:04.000 line:0
At the top, &lt;3 and &lt;Applause&gt;

00:00:05.000 --> 00:00:06.500
without a counter

00:00:08.000 --> 00:00:09.000
no empty line before it
an empty line inside it

100:00:00.000 --> 100:00:01.000
beyond 99:59:59

"""

STYLED = """[Script Info]
; a comment
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Bold, Italic, Underline, Alignment
Style: Default,Arial,0,0,0,2
Style: Thought,Arial,0,-1,0,8

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,a remark
Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,second, with a comma
Dialogue: 0,0:00:01.50,0:00:02.25,Default,Bob,0,0,0,,{\\i1}first{\\i0} and {\\b1\\c&H0000FF&}bold{\\r} text\\Nnext{a remark} line\\hhere
Dialogue: 0,0:00:03.00,0:00:04.00,Thought,,0,0,0,,thinking {\\i0}not
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0 100 100{\\p0}
Dialogue: 0,0:00:07.00,0:00:08.00,Default,,0,0,0,,{\\an9\\pos(10,10)}upper right
Dialogue: 0,0:61:07.00,0:00:08.00,Default,,0,0,0,,unreadable
"""
STYLED_VTT = """WEBVTT

00:00:01.500 --> 00:00:02.250
<i>first</i> and <b>bold</b> text
next line&nbsp;here

00:00:03.000 --> 00:00:04.000 line:0
<i>thinking</i> not

00:00:05.000 --> 00:00:06.000
second, with a comma

00:00:07.000 --> 00:00:08.000 line:0 align:right
upper right

"""

VALID = """WEBVTT - a title

STYLE
::cue { color: yellow }

NOTE of the translator

intro
00:01.000 --> 00:02.000 line:0 align:start
<v Mary>Hello <00:00:01.500><c.loud>there</c>

00:00:03.000 --> 00:00:04.000
- A & B
"""
BROKEN = """WEBVTT
00:00:01,000 --> 00:00:02,000
comma
00:00:03.000 --> 00:00:04.000
no empty line, and an --> arrow

00:00:05.000 --> nonsense
lost
"""
BROKEN_VTT = """WEBVTT

00:00:01.000 --> 00:00:02.000
comma

00:00:03.000 --> 00:00:04.000
no empty line, and an --&gt; arrow

"""


TIMED = """<?xml version="1.0" encoding="windows-1251"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling"
    xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="24" ttp:frameRateMultiplier="1000 1001"
    ttp:tickRate="10000000" xml:lang="ru">
  <head>
    <metadata><title>not shown</title></metadata>
    <styling><style xml:id="s1" tts:fontStyle="italic"/></styling>
    <layout>
      <region xml:id="top" tts:displayAlign="before" tts:origin="10% 5%" tts:extent="80% 20%"/>
      <region xml:id="bottom"><style tts:displayAlign="after"/></region>
    </layout>
  </head>
  <body>
    <div>
      <p begin="00:00:01.500" end="00:00:03">Привет,
        как <span style="s1">дела</span>?<br/>Хорошо &amp; ладно</p>
      <p begin="00:00:04:06" end="00:00:05:00" region="top">сверху</p>
      <p begin="60000000t" dur="1.5s" region="bottom">тики</p>
      <p begin="nonsense" end="9s">потеряно</p>
    </div>
    <div begin="10s">
      <p begin="500ms" dur="48f">от начала раздела</p>
      <p><span begin="3s" end="4s">раз</span> <span begin="4s" end="0.1m">два</span></p>
    </div>
  </body>
</tt>
"""
# Six frames of 24 × 1000 / 1001 are 250.25 ms, 48 are 2002 ms.
TIMED_VTT = """WEBVTT

00:00:01.500 --> 00:00:03.000
Привет, как <i>дела</i>?
Хорошо &amp; ладно

00:00:04.250 --> 00:00:05.000 line:0
сверху

00:00:06.000 --> 00:00:07.500
тики

00:00:10.500 --> 00:00:12.502
от начала раздела

00:00:13.000 --> 00:00:14.000
раз

00:00:14.000 --> 00:00:16.000
два

"""


def main():
    HERE.mkdir(exist_ok=True)
    for old in HERE.iterdir():
        old.unlink()
    for language, key, codec, form in PLAIN:
        # These sets have no dash but the hyphen.
        words = [t.replace("–", "-") if codec in ("koi8_r", "koi8_u", "cp866") else t for t in TEXT[key]]
        source = srt(words, "\r\n" if codec.startswith("cp") else "\n") if form == "srt" else ass(words)
        hint = "" if language == "-" else f".{language}"
        name = f"{key}-{codec}{'-unnamed' if language == '-' else ''}{hint}.{form}"
        write(name, codec, source, vtt(words), b"\xff\xfe" if codec == "utf_16_le" else b"")
    write("markup.en.srt", "utf_8", MARKUP, MARKUP_VTT)
    write("styled.en.ass", "utf_16_be", STYLED, STYLED_VTT)
    write("valid.vtt", "utf_8", VALID, VALID)
    write("broken.vtt", "utf_8", BROKEN, BROKEN_VTT)
    write("timed.ttml", "cp1251", TIMED, TIMED_VTT)
    print(COUNT, "files")


main()
