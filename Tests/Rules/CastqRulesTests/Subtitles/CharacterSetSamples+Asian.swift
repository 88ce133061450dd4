import CastqText

extension CharacterSetSample {
  private static let japanese: [CharacterSet] = [.shiftJIS, .eucJP, .iso2022JP]

  static let asian = [
    CharacterSetSample(
      japanese, "ja",
      """
      どうしてもっと早く言ってくれなかったの？
      明日の朝、駅前で待ち合わせしよう。
      鍵は机の引き出しに入っています。
      窓を閉めて、寒いから。
      子供たちはもう寝ました。
      """),
    CharacterSetSample(
      japanese, "ja",
      """
      彼が帰ってくるまでここで待つよ。
      雨が降りそうだから傘を持って行きなさい。
      誰にも話さないと約束してくれ。
      そんなつもりじゃなかった。
      切符はいくらですか。
      """),
    CharacterSetSample(
      japanese, "ja",
      """
      老人は黙って川を眺めていた。
      一時間後に北へ向かう列車が出ます。
      昨夜は一睡もできなかったのよ。
      その話はまた今度にしましょう。
      おじいちゃんは新聞を読んでいるところ。
      """),
    CharacterSetSample(
      [.chinese], "zh",
      """
      你为什么不早点告诉我？
      明天早上我们在车站见面。
      钥匙放在桌子的抽屉里。
      把窗户关上，外面很冷。
      孩子们已经睡着了。
      """),
    CharacterSetSample(
      [.chinese], "zh",
      """
      谁拿走了我放在桌上的手套？
      往北去的火车一个小时后开。
      我整夜都没睡着。
      这件事我们明天再谈吧。
      爷爷正在看报纸，喝着茶。
      """),
    CharacterSetSample(
      [.chinese], "zh",
      """
      老人默默地望着河水。
      告诉她我们会晚一点到。
      这张票多少钱？
      他空着手回来了，跟以前一样。
      雨快停了，我们回家吧。
      """),
    CharacterSetSample(
      [.big5], "zh",
      """
      你為什麼不早點告訴我？
      明天早上我們在車站見面。
      鑰匙放在桌子的抽屜裡。
      把窗戶關上，外面很冷。
      孩子們已經睡著了。
      """),
    CharacterSetSample(
      [.big5], "zh",
      """
      誰拿走了我放在桌上的手套？
      往北去的火車一個小時後開。
      我整夜都沒睡著。
      這件事我們明天再談吧。
      爺爺正在看報紙，喝著茶。
      """),
    CharacterSetSample(
      [.big5], "zh",
      """
      老人默默地望著河水。
      告訴她我們會晚一點到。
      這張票多少錢？
      他空著手回來了，跟以前一樣。
      雨快停了，我們回家吧。
      """),
    CharacterSetSample(
      [.korean], "ko",
      """
      왜 진작 말해 주지 않았어?
      내일 아침에 역 앞에서 만나자.
      열쇠는 책상 서랍 안에 있어요.
      창문 좀 닫아 줘, 너무 추워.
      아이들은 벌써 잠들었어요.
      """),
    CharacterSetSample(
      [.korean], "ko",
      """
      누가 내 장갑을 가져갔지?
      한 시간 뒤에 북쪽으로 가는 기차가 떠납니다.
      어젯밤에는 한숨도 못 잤어.
      그 얘기는 내일 다시 합시다.
      할아버지는 신문을 읽고 계세요.
      """),
    CharacterSetSample(
      [.korean], "ko",
      """
      노인은 말없이 강물을 바라보았다.
      우리가 조금 늦는다고 전해 주세요.
      부산까지 표 한 장에 얼마예요?
      그는 빈손으로 돌아왔어요, 늘 그렇듯이.
      비가 곧 그칠 테니 집에 가자.
      """),
  ]
}
