// ends: value true
// limits: timeout_ms=60000 memory_limit_bytes=268435456
// rss: 256
// modules: @nodetool-ai/sandbox-dates/zones
import { fromZonedTime, toZonedTime, formatInTimeZone, getTimezoneOffset, parseDate, parseColumn, occurrences, relative, easter } from "@nodetool-ai/sandbox-dates/zones";
const tries = [
  () => formatInTimeZone(0, "../../../etc/passwd", "yyyy"),
  () => formatInTimeZone(0, "/etc/localtime", "yyyy"),
  () => formatInTimeZone(0, "Europe/Berlin\0", "yyyy"),
  () => formatInTimeZone(0, "a".repeat(1e6), "yyyy"),
  () => formatInTimeZone(0, { toString: () => "UTC" }, "yyyy"),
  () => formatInTimeZone(0, Symbol.iterator.description, "yyyy"),
  () => toZonedTime(new Date(8.64e15), "UTC"),
  () => toZonedTime(new Date(NaN), "UTC"),
  () => toZonedTime(10n ** 400n, "UTC"),
  () => fromZonedTime({ year: 1e308, month: NaN, day: -0 }, "UTC"),
  () => formatInTimeZone(0, "UTC", "y".repeat(1e6)),
  () => formatInTimeZone(0, "UTC", "'".repeat(199)),
  () => formatInTimeZone(0, "UTC", "yyyyyyyyyyyyyyyyyyyyyyyyyyyy".repeat(7)),
  () => parseDate("1 ".repeat(1e5)),
  () => parseDate("9".repeat(40)),
  () => parseDate("1:1 +99:99"),
  () => parseDate("\ud800"),
  () => parseDate("٢٠٢٤-٠١-٠١"),
  () => parseDate("a".repeat(200)),
  () => parseDate("0000-00-00"),
  () => parseDate("1e999999 May"),
  () => parseColumn(Array(3e5).fill("1/1/2024")),
  () => parseColumn(Array.from({ length: 2e4 }, (_, i) => `${i}/${i}/${i}`)),
  () => parseDate("x", { formats: ["(a+)+$yyyyMMdd"] }),
  () => occurrences("DTSTART:18000101T000000Z\n" + "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"),
  () => occurrences("DTSTART:18000101T000000Z\n" + "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30\n".repeat(10)),
  () => occurrences("DTSTART:18000101T000000Z\n" + "RRULE:FREQ=MINUTELY;BYSECOND=1;BYMINUTE=1;BYHOUR=1;BYYEARDAY=366"),
  () => occurrences("DTSTART:18000101T000000Z\n" + "RRULE:FREQ=DAILY;COUNT=" + "9".repeat(1e4)),
  () => occurrences("DTSTART:18000101T000000Z\n" + "RRULE:FREQ=YEARLY;BYSETPOS=366;BYYEARDAY=" + Array.from({ length: 366 }, (_, i) => i + 1)),
  () => occurrences("DTSTART:18000101T000000Z\n" + "EXDATE:" + "20240101,".repeat(1e5)),
  () => relative(0, { years: 1e9 }),
  () => relative(0, { days: -1e9, weekday: "MO(-999)" }),
  () => relative(0, JSON.parse('{"__proto__": 1}')),
  () => easter(2 ** 53),
  () => getTimezoneOffset(),
];
const ends = [];
for (const work of tries) {
  try {
    const made = await work();
    ends.push(made !== undefined);
  } catch (error) {
    // in the pack's own words, without a path, a Python class or an address
    ends.push(error instanceof Error && /^dates\.\w+: /.test(error.message) && !/Traceback|\.py|0x[0-9a-f]{6}|(Recursion|Overflow|Index|Key|Unicode)\w*Error/.test(error.message));
  }
}
return ends.every(Boolean) && ({}).x === undefined && (easter(2024).getTime() === Date.UTC(2024, 2, 31));
