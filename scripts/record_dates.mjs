// Records what date-fns-tz, date-fns and rrule answer, for host_modules/tests/test_recorded_dates.py and tests/packs.
//
//   mkdir scratch && cd scratch && npm install date-fns@4 date-fns-tz@3 rrule@2
//   TZ=UTC node <repository>/scripts/record_dates.mjs <repository>/host_modules/tests/recorded
//
// A date is {"$date": iso}, an Invalid Date {"$date": null}, an error {"$error": name}, undefined {"$undefined": 1}.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "here.js"));
const tz = require("date-fns-tz");
const fns = require("date-fns");
const { rrulestr } = require("rrule");
const version = (name) => {
  const entry = require.resolve(name);
  const folder = entry.slice(0, entry.lastIndexOf(`node_modules/${name}/`) + `node_modules/${name}/`.length);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
};
if (new Date(2024, 0, 1).getTimezoneOffset() !== 0) throw new Error("record with TZ=UTC, which a guest has");
console.warn = () => {};

const tagged = (value) => {
  if (value === undefined) return { $undefined: 1 };
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() };
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (Object.is(value, -0)) return 0;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(tagged);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, tagged(each)]));
};
const attempt = (action) => {
  try {
    return tagged(action());
  } catch (error) {
    return { $error: error.name };
  }
};
const untagged = (value) => {
  if (value === null || typeof value !== "object") return value;
  if ("$date" in value) return new Date(value.$date ?? NaN);
  if ("$undefined" in value) return undefined;
  if (Array.isArray(value)) return value.map(untagged);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, untagged(each)]));
};

const zoneNames = [
  "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns",
  "Pacific/Apia", "Africa/Casablanca", "Asia/Tehran", "Europe/Dublin", "+05:30", "-0330", "Z",
];
const walls = [
  "2024-01-15T12:00:00", "2024-07-15T12:34:56.789", "2024-03-31T02:30:00", "2024-10-27T02:30:00",
  "2024-03-10T02:15:00", "2024-11-03T01:15:00", "2011-12-30T10:00:00", "2024-02-29", "2024-02-29 23:59",
  "1999-12-31T23:59:59.999", "2024-06-01T00:00:00Z", "2024-06-01T00:00:00+02:00",
];
const instants = [
  0, Date.UTC(2024, 2, 31, 0, 59, 59), Date.UTC(2024, 2, 31, 1), Date.UTC(2024, 9, 27, 0, 30),
  Date.UTC(2024, 9, 27, 1, 30), Date.UTC(2024, 10, 3, 5, 59), Date.UTC(2024, 10, 3, 6), Date.UTC(2024, 11, 30, 23, 5, 6, 7),
  Date.UTC(2021, 0, 1, 12), Date.UTC(2024, 1, 29, 0, 0, 9), Date.UTC(1999, 11, 31, 23, 59, 59, 999),
];
const patterns = [
  "yyyy-MM-dd'T'HH:mm:ss.SSSxxx", "y yy yyy yyyyy u uu R RRRR", "Q Qo QQ QQQ QQQQ q qo qqq", "M Mo MM MMM MMMM MMMMM L LLLL",
  "w wo ww I Io II", "d do dd", "E EEE EEEE EEEEE EEEEEE", "i io ii iii iiii e eo ee eee eeee c co ccc cccc",
  "a aa aaa aaaa aaaaa b bbb bbbb bbbbb", "B BBB BBBB", "h ho hh H Ho HH K Ko KK k ko kk", "m mo mm s so ss",
  "S SS SSS SSSS", "x xx xxx xxxx xxxxx X XX XXX XXXX XXXXX", "O OO OOO OOOO", "t tt T TT", "P PP PPP PPPP", "p pp", "Pp PPpp",
  "PPPp", "PPPPpp", "'it''s' dd 'o''clock' ''", "G GGGG GGGGG", "yyyy 'unclosed", "[dd] {MM} / yyyy", "YYYY", "DD", "n", "zzzz", "", "dd\nMM",
];
const zonedTime = [];
for (const zone of zoneNames) for (const wall of walls) zonedTime.push([wall, zone, attempt(() => tz.fromZonedTime(wall, zone))]);
const offsets = [];
for (const zone of [...zoneNames, "Mars/Phobos"]) for (const at of instants) offsets.push([zone, at, attempt(() => tz.getTimezoneOffset(zone, new Date(at)))]);
const formats = [];
for (const pattern of patterns) for (const at of instants) for (const zone of ["Europe/Berlin", "Asia/Kolkata", "America/New_York"]) formats.push([at, zone, pattern, attempt(() => tz.formatInTimeZone(new Date(at), zone, pattern))]);

const rules = [
  "DTSTART:20240131T090000Z\nRRULE:FREQ=MONTHLY;COUNT=4", "DTSTART:20240131T090000Z\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=4",
  "DTSTART:20240228T090000Z\nRRULE:FREQ=YEARLY;COUNT=3\nEXDATE:20250228T090000Z",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=DAILY;INTERVAL=3;BYHOUR=8,17;COUNT=7",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=WEEKLY;BYDAY=TU,TH;WKST=SU;INTERVAL=2;COUNT=8",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=MONTHLY;BYDAY=2TU,-1FR;COUNT=6",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=5",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=YEARLY;BYYEARDAY=1,100,-1;COUNT=7",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;INTERVAL=4;COUNT=3",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=HOURLY;INTERVAL=5;BYDAY=MO;COUNT=9",
  "DTSTART:20240101T093015Z\nRRULE:FREQ=HOURLY;INTERVAL=7;BYMONTH=3;BYHOUR=8,9;COUNT=4",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=MINUTELY;INTERVAL=90;COUNT=20", "DTSTART:20240101T235950Z\nRRULE:FREQ=SECONDLY;INTERVAL=7;COUNT=5",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=MINUTELY;BYMINUTE=0,30;BYHOUR=9,10;COUNT=9",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=DAILY;UNTIL=20240104T093000Z", "DTSTART:20240101T093000Z\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=3",
  "DTSTART:20240101T093000Z\nRRULE:FREQ=WEEKLY;COUNT=3\nRDATE:20240103T000000Z,20240104T000000Z\nEXDATE:20240108T093000Z",
  "DTSTART:20240101T093000Z\nRDATE:20240105T000000Z",
].map((text) => [text, attempt(() => rrulestr(text, { forceset: true }).all((_, index) => index < 50))]);

// --- date-fns itself, as the pack's own module runs in a guest
const d = (iso) => ({ $date: iso });
const a = d("2024-01-31T10:20:30.456Z"), b = d("2024-03-01T05:06:07.008Z"), c = d("2020-02-29T23:59:59.999Z"), bad = d(null);
const calls = [];
const each = (names, ...args) => { for (const name of names.split(" ")) calls.push([name, args]); };
for (const unit of "BusinessDays Days Hours ISOWeekYears Milliseconds Minutes Months Quarters Seconds Weeks Years".split(" "))
  for (const date of [a, c, bad]) each(`add${unit} sub${unit}`, date, 7);
each("add sub", a, { years: 1, months: 1, weeks: 1, days: 1, hours: 1, minutes: 1, seconds: 1 });
for (const unit of "BusinessDays CalendarDays CalendarISOWeekYears CalendarISOWeeks CalendarMonths CalendarQuarters CalendarWeeks CalendarYears Days Hours ISOWeekYears Milliseconds Minutes Months Quarters Seconds Weeks Years".split(" "))
  for (const [left, right] of [[b, a], [a, b], [c, b], [bad, a]]) each(`differenceIn${unit}`, left, right);
for (const date of [a, b, c, bad]) {
  for (const unit of "Day Decade Hour ISOWeek ISOWeekYear Minute Month Quarter Second Week Year".split(" ")) each(`startOf${unit} endOf${unit}`, date);
  each("startOfWeekYear lastDayOfMonth lastDayOfWeek lastDayOfYear lastDayOfQuarter lastDayOfISOWeek", date);
  each("getDate getDay getDayOfYear getDaysInMonth getDaysInYear getDecade getHours getISODay getISOWeek getISOWeekYear getISOWeeksInYear getMilliseconds getMinutes getMonth getQuarter getSeconds getTime getUnixTime getWeek getWeekOfMonth getWeekYear getWeeksInMonth getYear", date);
  each("isFirstDayOfMonth isLastDayOfMonth isLeapYear isValid isWeekend isMonday isThursday isSunday", date);
  each("nextMonday previousFriday formatISO formatISO9075 formatRFC3339 formatRFC7231", date);
  for (const pattern of ["yyyy-MM-dd HH:mm:ss.SSS xxx", "PPPPpppp", "EEEE, do MMMM y", "RRRR-'W'II-i", "h:mm aaaa BBBB", "QQQQ q", "zzzz O X", "YYYY", "n"]) each("format", date, pattern);
  each("lightFormat", date, "yyyy/MM/dd HH-mm-ss");
}
each("startOfWeek endOfWeek", b, { weekStartsOn: 1 });
each("getWeek", c, { weekStartsOn: 1, firstWeekContainsDate: 4 });
each("set", a, { month: 1, date: 31, hours: 5 });
for (const [name, value] of [["Date", 15], ["Day", 3], ["DayOfYear", 60], ["Hours", 4], ["ISODay", 7], ["ISOWeek", 53], ["ISOWeekYear", 2020], ["Milliseconds", 5], ["Minutes", 59], ["Month", 1], ["Quarter", 4], ["Seconds", 1], ["Week", 9], ["WeekYear", 2021], ["Year", 2023]]) each(`set${name}`, a, value);
for (const unit of "Day Hour ISOWeek ISOWeekYear Minute Month Quarter Second Week Year".split(" ")) each(`isSame${unit}`, a, b);
each("isAfter isBefore isEqual compareAsc compareDesc", a, b);
each("isExists", 2024, 1, 30);
for (const unit of "Day Month Quarter Week Weekend Year".split(" ")) each(`each${unit}OfInterval`, { start: a, end: b });
each("eachHourOfInterval eachMinuteOfInterval", { start: a, end: d("2024-01-31T12:00:00Z") }, { step: 30 });
each("eachDayOfInterval", { start: b, end: a }, { step: 7 });
each("eachWeekendOfMonth eachWeekendOfYear", a);
each("areIntervalsOverlapping getOverlappingDaysInIntervals", { start: c, end: b }, { start: a, end: b });
each("intervalToDuration", { start: c, end: b });
each("isWithinInterval clamp", a, { start: c, end: b });
each("closestIndexTo closestTo", a, [b, c]);
each("min max", [b, c, a]);
for (const text of ["2020-01-02", "2020-001", "2020-W01-1", "20200102T0304", "2024-02-30", "2024-03-31T02:30:00+02:00", "nope", "2020", "2020-01-02T24:00"]) each("parseISO", text);
for (const text of ["2000-03-15T05:20:10.123Z", "2000-03-15T05:20:10+02:00", "x"]) each("parseJSON", text);
for (const [text, pattern] of [["31/02/2024", "dd/MM/yyyy"], ["05/03/24", "dd/MM/yy"], ["5th of March 2024, 4 PM", "do 'of' MMMM yyyy, h a"], ["2024-W10-3", "RRRR-'W'II-i"], ["1710000000", "t"], ["Tue 05 Mar 2024", "EEE dd MMM yyyy"]]) each("parse", text, pattern, d("2024-01-01T00:00:00Z"));
each("formatDistance", a, b); each("formatDistance", a, b, { addSuffix: true }); each("formatDistanceStrict", c, b, { unit: "month" });
each("formatRelative", a, d("2024-02-02T00:00:00Z")); each("formatDuration", { years: 2, months: 9, weeks: 1, days: 7, hours: 5, minutes: 9, seconds: 30 });
each("formatISODuration", { years: 2, days: 7, hours: 5 }); each("fromUnixTime", 1710000000); each("toDate", a); each("interval", bad, a);
for (const [name, value] of [["daysToWeeks", 15], ["hoursToMinutes", 2.5], ["monthsToYears", 25], ["quartersToMonths", 3], ["secondsToHours", 7200], ["weeksToDays", 2], ["yearsToQuarters", 2], ["millisecondsToMinutes", 90000]]) each(name, value);
each("milliseconds", { years: 1, days: 2 }); each("roundToNearestMinutes", a, { nearestTo: 15 }); each("roundToNearestHours", a);
each("addDays", "2020-01-01", 1); each("nextDay previousDay", a, 3); each("isMatch", "2024-13-01", "yyyy-MM-dd");
const guest = calls.map(([name, args]) => [name, args, attempt(() => fns[name](...args.map(untagged)))]);

const record = {
  recordedBy: "scripts/record_dates.mjs",
  versions: { "date-fns-tz": version("date-fns-tz"), "date-fns": version("date-fns"), rrule: version("rrule"), tzdata: process.versions.tz },
  fromZonedTime: zonedTime, getTimezoneOffset: offsets, formatInTimeZone: formats, occurrences: rules, dateFns: guest, dateFnsNames: Object.keys(fns).sort(),
};
const rows = (value) => `[\n${value.map((each) => `  ${JSON.stringify(each)}`).join(",\n")}\n ]`;
const text = Object.entries(record).map(([key, value]) => ` ${JSON.stringify(key)}: ${Array.isArray(value) ? rows(value) : JSON.stringify(value)}`);
writeFileSync(join(process.argv[2], "dates.json"), `{\n${text.join(",\n")}\n}\n`);
