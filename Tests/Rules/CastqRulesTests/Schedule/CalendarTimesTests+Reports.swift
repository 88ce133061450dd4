import CastqText

extension CalendarTimesTests {
  /// What reports of other programs have. The days are at 10:00 in Berlin, unless they are whole.
  static let reports: [Row] =
    [
      (
        ["RRULE:FREQ=WEEKLY;COUNT=2", "RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2"], [4, 6, 11, 13],
        "3.8.5.3: the union"
      ),
      (["RRULE:FREQ=WEEKLY; COUNT=2;"], [4, 11], "blanks, and a semicolon at the end"),
      (["rrule:freq=weekly;count=2;byday=mo,"], [4, 11], "2: names in any case"),
      (
        ["RRULE:FREQ=DAILY;COUNT=4", "EXDATE:20270105T100000, 20270106T100000"], [4, 7], "a blank in a list"
      ),
      (
        ["RRULE:FREQ=DAILY;COUNT=4", "EXDATE;VALUE=DATE:20270105,20270106"], [4, 7], "nextcloud/server 44600"
      ),
      (["RRULE:FREQ=DAILY;UNTIL=20270106T235959", "EXDATE:20270109T100000"], [4, 5, 6], "khal 790"),
      (
        [
          "RRULE:FREQ=DAILY;COUNT=3", "END:VEVENT", "BEGIN:VEVENT", "UID:m", "SUMMARY:x",
          "RECURRENCE-ID:20270105T100000",
          "DTSTART:20270105T100000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=9",
        ], [4, 5, 6], "an exception with the rule of its series (recurring-ical-events)"
      ),
      (
        [
          "RRULE:FREQ=DAILY;COUNT=3", "END:VEVENT", "BEGIN:VEVENT", "UID:m", "SUMMARY:x",
          "RECURRENCE-ID;TZID=Asia/Tokyo:20270105T180000", "DTSTART;TZID=Asia/Tokyo:20270108T180000",
          "DURATION:PT1H",
        ], [4, 6, 8], "synctools 80: a start in another zone"
      ),
      (
        ["RRULE:FREQ=YEARLY;BYWEEKNO=1,2;COUNT=2"], [4, 11],
        "3.3.10, lib-recur 38, ical4j 243: the day of the start"
      ),
      (["RRULE:FREQ=WEEKLY;BYMONTH=1;BYDAY=MO,TU,WE;BYSETPOS=1;COUNT=2"], [4, 11], "libical 1374"),
    ].map { lines, days, source in
      Row(
        lines: ["UID:m", "DTSTART;TZID=Europe/Berlin:20270104T100000", "DURATION:PT1H"] + lines,
        right: days.map { "2027-01-\($0.digits(2))T09:00Z/2027-01-\($0.digits(2))T10:00Z" }, source: source)
    }
    + [
      ("EXDATE;TZID=Europe/Berlin:20270105T000000", "node-ical 454: Exchange writes a time for a day"),
      ("EXDATE;TZID=Pacific/Auckland:20270105T000000", "node-ical 456: the day of the clock that is named"),
      ("EXDATE:20270104T230000Z", "the day of the site"), ("EXDATE:20270105T000000", "without a zone"),
    ].map { line, source in
      Row(
        lines: ["DTSTART;VALUE=DATE:20270104", "RRULE:FREQ=DAILY;COUNT=2", line],
        right: ["2027-01-03T23:00Z/2027-01-04T23:00Z"], source: source)
    } + [
      Row(
        lines: [
          "UID:m", "DTSTART;VALUE=DATE:20270104", "RRULE:FREQ=DAILY;COUNT=2", "END:VEVENT", "BEGIN:VEVENT",
          "UID:m",
          "RECURRENCE-ID;TZID=Europe/Berlin:20270105T000000", "DTSTART;VALUE=DATE:20270105",
          "STATUS:CANCELLED",
        ], right: ["2027-01-03T23:00Z/2027-01-04T23:00Z"], source: "Exchange: an exception named by a time"),
      Row(
        lines: ["DURATION:PT4H", "DTSTART:20270121T184500Z"], right: ["2027-01-21T18:45Z/2027-01-21T22:45Z"],
        source: "Simple-Calendar 2222: the length before the start"),
      Row(
        lines: ["DTSTART;VALUE=DATE-TIME:20270104", "DTEND;VALUE=DATE-TIME:20270104"],
        right: ["2027-01-03T23:00Z/2027-01-04T23:00Z"],
        source: "home-assistant 85089: a date that is called a time"),
      Row(
        lines: ["RECURRENCE-ID:20270127T093000", "DTSTART:20270127T080000", "DURATION:PT2H"],
        right: ["2027-01-27T07:00Z/2027-01-27T09:00Z"], source: "khal 447: an exception alone"),
    ]
}
