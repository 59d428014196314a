// @nodetool-ai/sandbox-dates: date-fns 4.4. Every function is synchronous; there is no default export.
// A guest's time zone is UTC: text without an offset is UTC.
// Nothing changes the date that it is given. Bad dates give Invalid Date or NaN; what throws says so.

/** A Date, epoch milliseconds, or text that `new Date` reads, ISO 8601 above all. */
export type DateArg = Date | number | string;
export interface Interval { start: DateArg; end: DateArg }
export interface Duration {
  years?: number; months?: number; weeks?: number; days?: number; hours?: number; minutes?: number; seconds?: number;
}
export interface Options {
  /** First day of a week: 0 (Sunday, the default) to 6. ISO functions always begin on Monday. */
  weekStartsOn?: 0 | 1 | 2 | 3 | 4 | 5 | 6;
  /** The day of January that is in week 1: 1 (the default) to 7. */
  firstWeekContainsDate?: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** Names and formats as in date-fns/locale; English by default, and no other comes with the pack. */
  locale?: object;
  /** Makes the result of what it is given, as constructFrom does. */
  in?: (value: DateArg) => Date;
}
export type Rounding = "trunc" | "round" | "floor" | "ceil";
type Add = (date: DateArg, amount: number, options?: Options) => Date;
type AddDuration = (date: DateArg, duration: Duration, options?: Options) => Date;
type Difference = (later: DateArg, earlier: DateArg, options?: Options) => number;
type DifferenceRounded = (later: DateArg, earlier: DateArg, options?: { roundingMethod?: Rounding }) => number;
type Each = (interval: Interval, options?: Options & { step?: number }) => Date[];
type EachWeekend = (interval: Interval, options?: Options) => Date[];
type EachOf = (date: DateArg, options?: Options) => Date[];
type Edge = (date: DateArg, options?: Options) => Date;
type Now = (options?: Options) => Date;
type Get = (date: DateArg, options?: Options) => number;
type Set = (date: DateArg, value: number, options?: Options) => Date;
type Is = (date: DateArg, options?: Options) => boolean;
type Is2 = (date: DateArg, other: DateArg, options?: Options) => boolean;
type Num = (value: number) => number;

// amount is cut to a whole number; a month that is shorter ends with its last day: Jan 31 + 1 month is Feb 28.
export const addBusinessDays: Add;
export const addDays: Add;
export const addHours: Add;
export const addISOWeekYears: Add;
export const addMilliseconds: Add;
export const addMinutes: Add;
export const addMonths: Add;
export const addQuarters: Add;
export const addSeconds: Add;
export const addWeeks: Add;
export const addYears: Add;
export const subBusinessDays: Add;
export const subDays: Add;
export const subHours: Add;
export const subISOWeekYears: Add;
export const subMilliseconds: Add;
export const subMinutes: Add;
export const subMonths: Add;
export const subQuarters: Add;
export const subSeconds: Add;
export const subWeeks: Add;
export const subYears: Add;

// Several units at once, years first.
export const add: AddDuration;
export const sub: AddDuration;

// Whole units from the second date to the first, cut towards 0; BusinessDays: Monday to Friday.
export const differenceInBusinessDays: Difference;
export const differenceInDays: Difference;
export const differenceInISOWeekYears: Difference;
export const differenceInMonths: Difference;
export const differenceInQuarters: Difference;
export const differenceInWeeks: Difference;
export const differenceInYears: Difference;

// The same for lengths of time; `roundingMethod` ("trunc").
export const differenceInHours: DifferenceRounded;
export const differenceInMinutes: DifferenceRounded;
export const differenceInSeconds: DifferenceRounded;
export const differenceInMilliseconds: DifferenceRounded;

// Borders crossed (midnights, firsts of a month, ...): 23:59 to 00:01 is one calendar day.
export const differenceInCalendarDays: Difference;
export const differenceInCalendarISOWeekYears: Difference;
export const differenceInCalendarISOWeeks: Difference;
export const differenceInCalendarMonths: Difference;
export const differenceInCalendarQuarters: Difference;
export const differenceInCalendarWeeks: Difference;
export const differenceInCalendarYears: Difference;

// Starts of each unit in the interval, the last one included. `step` (1); start after end gives them backwards.
export const eachDayOfInterval: Each;
export const eachHourOfInterval: Each;
export const eachMinuteOfInterval: Each;
export const eachMonthOfInterval: Each;
export const eachQuarterOfInterval: Each;
export const eachWeekOfInterval: Each;
export const eachYearOfInterval: Each;

// Saturdays and Sundays.
export const eachWeekendOfInterval: EachWeekend;

export const eachWeekendOfMonth: EachOf;
export const eachWeekendOfYear: EachOf;

// startOf: the first millisecond; endOf: the last; lastDayOf: midnight at the start of that day.
export const startOfDay: Edge;
export const startOfDecade: Edge;
export const startOfHour: Edge;
export const startOfISOWeek: Edge;
export const startOfISOWeekYear: Edge;
export const startOfMinute: Edge;
export const startOfMonth: Edge;
export const startOfQuarter: Edge;
export const startOfSecond: Edge;
export const startOfWeek: Edge;
export const startOfWeekYear: Edge;
export const startOfYear: Edge;
export const endOfDay: Edge;
export const endOfDecade: Edge;
export const endOfHour: Edge;
export const endOfISOWeek: Edge;
export const endOfISOWeekYear: Edge;
export const endOfMinute: Edge;
export const endOfMonth: Edge;
export const endOfQuarter: Edge;
export const endOfSecond: Edge;
export const endOfWeek: Edge;
export const endOfYear: Edge;
export const lastDayOfDecade: Edge;
export const lastDayOfISOWeek: Edge;
export const lastDayOfISOWeekYear: Edge;
export const lastDayOfMonth: Edge;
export const lastDayOfQuarter: Edge;
export const lastDayOfWeek: Edge;
export const lastDayOfYear: Edge;

export const startOfToday: Now;
export const startOfTomorrow: Now;
export const startOfYesterday: Now;
export const endOfToday: Now;
export const endOfTomorrow: Now;
export const endOfYesterday: Now;

// Month 0 to 11, Day 0 (Sunday) to 6, ISODay 1 (Monday) to 7, Date 1 to 31, Quarter 1 to 4.
export const getDate: Get;
export const getDay: Get;
export const getDayOfYear: Get;
export const getDaysInMonth: Get;
export const getDaysInYear: Get;
export const getDecade: Get;
export const getHours: Get;
export const getISODay: Get;
export const getISOWeek: Get;
export const getISOWeekYear: Get;
export const getISOWeeksInYear: Get;
export const getMilliseconds: Get;
export const getMinutes: Get;
export const getMonth: Get;
export const getQuarter: Get;
export const getSeconds: Get;
export const getTime: Get;
export const getUnixTime: Get;
export const getWeek: Get;
export const getWeekOfMonth: Get;
export const getWeekYear: Get;
export const getWeeksInMonth: Get;
export const getYear: Get;

// Numbers as above; more than a unit holds carries over.
export const setDate: Set;
export const setDay: Set;
export const setDayOfYear: Set;
export const setHours: Set;
export const setISODay: Set;
export const setISOWeek: Set;
export const setISOWeekYear: Set;
export const setMilliseconds: Set;
export const setMinutes: Set;
export const setMonth: Set;
export const setQuarter: Set;
export const setSeconds: Set;
export const setWeek: Set;
export const setWeekYear: Set;
export const setYear: Set;

export const isFirstDayOfMonth: Is;
export const isLastDayOfMonth: Is;
export const isFuture: Is;
export const isPast: Is;
export const isLeapYear: Is;
export const isWeekend: Is;
export const isMonday: Is;
export const isTuesday: Is;
export const isWednesday: Is;
export const isThursday: Is;
export const isFriday: Is;
export const isSaturday: Is;
export const isSunday: Is;
export const isToday: Is;
export const isTomorrow: Is;
export const isYesterday: Is;
export const isThisHour: Is;
export const isThisISOWeek: Is;
export const isThisMinute: Is;
export const isThisMonth: Is;
export const isThisQuarter: Is;
export const isThisSecond: Is;
export const isThisWeek: Is;
export const isThisYear: Is;

export const isSameDay: Is2;
export const isSameHour: Is2;
export const isSameISOWeek: Is2;
export const isSameISOWeekYear: Is2;
export const isSameMinute: Is2;
export const isSameMonth: Is2;
export const isSameQuarter: Is2;
export const isSameSecond: Is2;
export const isSameWeek: Is2;
export const isSameYear: Is2;
export const isAfter: Is2;
export const isBefore: Is2;
export const isEqual: Is2;

export const nextMonday: Edge;
export const nextTuesday: Edge;
export const nextWednesday: Edge;
export const nextThursday: Edge;
export const nextFriday: Edge;
export const nextSaturday: Edge;
export const nextSunday: Edge;
export const previousMonday: Edge;
export const previousTuesday: Edge;
export const previousWednesday: Edge;
export const previousThursday: Edge;
export const previousFriday: Edge;
export const previousSaturday: Edge;
export const previousSunday: Edge;

// day: 0 (Sunday) to 6.
export const nextDay: Add;
export const previousDay: Add;

// Rounded down to whole units where they do not divide.
export const daysToWeeks: Num;
export const hoursToMilliseconds: Num;
export const hoursToMinutes: Num;
export const hoursToSeconds: Num;
export const millisecondsToHours: Num;
export const millisecondsToMinutes: Num;
export const millisecondsToSeconds: Num;
export const minutesToHours: Num;
export const minutesToMilliseconds: Num;
export const minutesToSeconds: Num;
export const monthsToQuarters: Num;
export const monthsToYears: Num;
export const quartersToMonths: Num;
export const quartersToYears: Num;
export const secondsToHours: Num;
export const secondsToMilliseconds: Num;
export const secondsToMinutes: Num;
export const weeksToDays: Num;
export const yearsToDays: Num;
export const yearsToMonths: Num;
export const yearsToQuarters: Num;

// Text to dates. None throws on text that is no date: isValid(result) tells.
/** ISO 8601, week (2020-W01-1) and ordinal (2020-001) dates too. */
export function parseISO(text: string, options?: { additionalDigits?: 0 | 1 | 2 }): Date;
/** The text of JSON.stringify(date) and its like. */
export function parseJSON(text: string, options?: Options): Date;
/** By a pattern of format's tokens; what the text leaves out comes from `reference`. A bad pattern throws RangeError. */
export function parse(text: string, pattern: string, reference: DateArg, options?: Options & Tokens): Date;
export function isMatch(text: string, pattern: string, options?: Options & Tokens): boolean;
/** Seconds since 1970. */
export function fromUnixTime(seconds: number, options?: Options): Date;
export function toDate(date: DateArg, context?: (value: DateArg) => Date): Date;

export interface Tokens {
  /** Allows YY and YYYY, the year of the week. */
  useAdditionalWeekYearTokens?: boolean;
  /** Allows D and DD, the day of the year. */
  useAdditionalDayOfYearTokens?: boolean;
}
export interface Iso { format?: "extended" | "basic"; representation?: "complete" | "date" | "time" }
export interface Distance { includeSeconds?: boolean; addSuffix?: boolean }
export interface Strict {
  addSuffix?: boolean;
  unit?: "second" | "minute" | "hour" | "day" | "month" | "year";
  roundingMethod?: Rounding;
}

// Dates to text. An Invalid Date throws RangeError "Invalid time value".
/** yyyy MM dd HH mm ss SSS; EEEE day, MMMM month, a am/pm, xxx offset, RRRR-'W'II ISO week, PPP long. 'text' as is. */
export function format(date: DateArg, pattern: string, options?: Options & Tokens): string;
/** The same as format. */
export function formatDate(date: DateArg, pattern: string, options?: Options & Tokens): string;
/** Quicker: y M d a h H m s S alone. */
export function lightFormat(date: DateArg, pattern: string): string;
/** 2019-09-18T19:00:52Z */
export function formatISO(date: DateArg, options?: Iso): string;
/** 2019-09-18 19:00:52 */
export function formatISO9075(date: DateArg, options?: Iso): string;
/** P1Y2M3DT4H5M6S */
export function formatISODuration(duration: Duration): string;
export function formatRFC3339(date: DateArg, options?: { fractionDigits?: 0 | 1 | 2 | 3 }): string;
export function formatRFC7231(date: DateArg): string;
/** last Friday at 7:26 PM */
export function formatRelative(date: DateArg, base: DateArg, options?: Options): string;
/** about 1 month */
export function formatDistance(later: DateArg, earlier: DateArg, options?: Distance): string;
export function formatDistanceToNow(date: DateArg, options?: Distance): string;
/** 32 days */
export function formatDistanceStrict(later: DateArg, earlier: DateArg, options?: Strict): string;
export function formatDistanceToNowStrict(date: DateArg, options?: Strict): string;
/** 2 years 9 months; `format` lists units, `zero` (false) shows 0, `delimiter` (" "). */
export function formatDuration(
  duration: Duration, options?: { format?: string[]; zero?: boolean; delimiter?: string },
): string;
/** By Intl.DateTimeFormat, in any language: { weekday: "long" }, { locale: "de-DE" }. */
export function intlFormat(date: DateArg, format?: object, locale?: { locale: string | string[] }): string;
/** By Intl.RelativeTimeFormat: in 1 day; { locale, unit, numeric, style }. */
export function intlFormatDistance(later: DateArg, earlier: DateArg, options?: object): string;

// Intervals.
/** Invalid dates throw TypeError; `assertPositive` (false) refuses start after end. */
export function interval(start: DateArg, end: DateArg, options?: { assertPositive?: boolean }): Interval;
export function intervalToDuration(interval: Interval): Duration;
export function isWithinInterval(date: DateArg, interval: Interval): boolean;
/** `inclusive` (false): touching ends count. */
export function areIntervalsOverlapping(a: Interval, b: Interval, options?: { inclusive?: boolean }): boolean;
export function getOverlappingDaysInIntervals(a: Interval, b: Interval): number;
export function clamp(date: DateArg, interval: Interval): Date;

// The rest.
/** -1, 0 or 1, for Array.sort. */
export function compareAsc(a: DateArg, b: DateArg): number;
export function compareDesc(a: DateArg, b: DateArg): number;
export function max(dates: DateArg[], options?: Options): Date;
export function min(dates: DateArg[], options?: Options): Date;
export function closestTo(date: DateArg, dates: DateArg[]): Date | undefined;
export function closestIndexTo(date: DateArg, dates: DateArg[]): number | undefined;
/** `nearestTo` (1): 1 to 12 hours. */
export function roundToNearestHours(date: DateArg, options?: { nearestTo?: number; roundingMethod?: Rounding }): Date;
/** `nearestTo` (1): 1 to 30 minutes. */
export function roundToNearestMinutes(date: DateArg, options?: { nearestTo?: number; roundingMethod?: Rounding }): Date;
/** month: 0 to 11. */
export function set(
  date: DateArg,
  values: { year?: number; month?: number; date?: number; hours?: number; minutes?: number; seconds?: number;
    milliseconds?: number },
): Date;
/** Milliseconds, a month taken as 30.436875 days. */
export function milliseconds(duration: Duration): number;
export function isDate(value: unknown): value is Date;
export function isValid(date: unknown): boolean;
/** month: 0 to 11. */
export function isExists(year: number, month: number, day: number): boolean;
/** For this run: a run never sees another's. */
export function setDefaultOptions(options: Options): void;
export function getDefaultOptions(): Options;
export function constructFrom(model: unknown, value: DateArg): Date;
export function constructNow(model: unknown): Date;
export function transpose(date: DateArg, constructor: unknown): Date;
/** The library's tables behind format and parse, letter to function. */
export const formatters: object;
export const lightFormatters: object;
export const longFormatters: object;
export const parsers: object;

/** On the host, synchronous. A zone is an IANA name in any case, `UTC`, `Z` or an offset such as `+02:00`. */
declare module "@nodetool-ai/sandbox-dates/zones" {
  /** A Date, epoch milliseconds, or ISO 8601 text (UTC without an offset); years 1 to 9999, no Invalid Date. */
  export type Instant = Date | number | string;
  /** Of a time that a transition skips or doubles. Without it: the offset before a gap, the first of two. */
  export type Ambiguous = "earlier" | "later" | "reject";
  export interface ZonedFields {
    year: number;
    /** 1 to 12 */
    month: number;
    day: number;
    hour: number;
    minute: number;
    second: number;
    millisecond: number;
    /** 1 (Monday) to 7 (Sunday) */
    weekday: number;
    /** East of UTC is positive; old local times have fractions. */
    offsetMinutes: number;
    /** `CET`, or `+03` where a zone has no letters */
    abbreviation: string;
    /** `2024-03-31T09:30:00.000+02:00` */
    iso: string;
  }
  export interface ReadOptions {
    /** Which of day and month comes first, where a text does not say; needed for `12.07.2022`. */
    dayFirst?: boolean;
    yearFirst?: boolean;
    /** The zone of texts without one: UTC by default. */
    zone?: string;
    ambiguous?: Ambiguous;
    /** date-fns tokens, at most 20, tried in order; then nothing else is read. */
    formats?: string[];
  }
  /** The instant at which the zone's clocks show a time. Text with an offset is that instant. */
  export function fromZonedTime(
    wallClock: string | Date | number | (Pick<ZonedFields, "year" | "month" | "day"> & Partial<ZonedFields>),
    zone: string,
    options?: { ambiguous?: Ambiguous },
  ): Date;
  export function toZonedTime(date: Instant, zone: string): ZonedFields;
  /** date-fns' tokens; `z` is the abbreviation. A letter that is no token throws RangeError. */
  export function formatInTimeZone(date: Instant, zone: string, pattern: string): string;
  /** Milliseconds east of UTC; of this moment without a date. */
  export function getTimezoneOffset(zone: string, date?: Instant): number;
  /** Every IANA name, sorted. */
  export function zones(): string[];
  /** Free English text, at most 200 characters; what cannot be read in one way alone is an error. */
  export function parseDate(text: string, options?: ReadOptions): Date;
  /** At most 250000 values. An empty value is null and no misfit. */
  export function parseColumn(
    values: (string | null | undefined)[],
    options?: ReadOptions,
  ): { dates: (Date | null)[]; format: string; misfits: number[] };
  /** DTSTART, RRULE, RDATE and EXDATE lines; `from` and `to` are included; `zone` is that of a floating DTSTART. */
  export function occurrences(
    rule: string,
    options?: { from?: Instant; to?: Instant; /** 100, at most 10000 */ limit?: number; zone?: string },
  ): Date[];
  /** Whole numbers. Plural names move, singular ones set, `weekday` ("MO", "FR(-1)") comes last. UTC without a zone. */
  export function relative(
    date: Instant,
    move: {
      years?: number; months?: number; weeks?: number; days?: number; hours?: number; minutes?: number; seconds?: number;
      milliseconds?: number; year?: number; month?: number; day?: number; hour?: number; minute?: number;
      second?: number; millisecond?: number; weekday?: string;
    },
    zone?: string,
  ): Date;
  /** Midnight UTC of Easter Sunday, 1583 to 4099. */
  export function easter(year: number): Date;
  const all: {
    fromZonedTime: typeof fromZonedTime;
    toZonedTime: typeof toZonedTime;
    formatInTimeZone: typeof formatInTimeZone;
    getTimezoneOffset: typeof getTimezoneOffset;
    zones: typeof zones;
    parseDate: typeof parseDate;
    parseColumn: typeof parseColumn;
    occurrences: typeof occurrences;
    relative: typeof relative;
    easter: typeof easter;
  };
  export default all;
}
