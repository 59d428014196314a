// Intl and format: the host has the locales; this half reads options as the standard says and asks.
//
// No template literals here: see base64.js.
(function (global, native, kit) {
  "use strict";

  const { Array, BigInt, Boolean, Date, Error, Number, Object, RangeError, Reflect, String, Symbol, TypeError } = global;
  const { apply, defineProperty, getPrototypeOf, setPrototypeOf } = Reflect;
  const { callSync, encodeUtf8 } = native;
  const { isArray } = Array;
  const { isFinite, isSafeInteger } = Number;
  const slice = String.prototype.slice;
  const numberOf = Number.prototype.valueOf;
  const bigintOf = BigInt.prototype.valueOf;
  const timeOf = Date.prototype.getTime;
  const clock = Date.now;
  const { define } = kit;
  const ArrayPrototype = Array.prototype;

  const { bare } = kit;
  const plain = (list) => {
    setPrototypeOf(list, ArrayPrototype);
    return list;
  };

  // The host's refusals, as the classes that programs expect.
  const ask = (member, ...given) => {
    const all = bare();
    all[0] = "intl";
    all[1] = member;
    for (let i = 0; i < given.length; i++) all[i + 2] = given[i];
    try {
      return apply(callSync, undefined, all);
    } catch (error) {
      if (error.name === "RangeError") throw new RangeError(error.message);
      if (error.name === "TypeError") throw new TypeError(error.message);
      throw error;
    }
  };

  // --- what options are called, and what they are made of ----------------------------------

  const DIGITS = {
    minimumIntegerDigits: Number, minimumFractionDigits: Number, maximumFractionDigits: Number,
    minimumSignificantDigits: Number, maximumSignificantDigits: Number, roundingMode: String, trailingZeroDisplay: String,
  };
  const OPTIONS = {
    NumberFormat: {
      numberingSystem: String, style: String, currency: String, currencyDisplay: String, currencySign: String, unit: String,
      unitDisplay: String, notation: String, compactDisplay: String, useGrouping: null, signDisplay: String, ...DIGITS,
    },
    DateTimeFormat: {
      numberingSystem: String, hour12: Boolean, hourCycle: String, timeZone: String, weekday: String, era: String, year: String,
      month: String, day: String, dayPeriod: String, hour: String, minute: String, second: String, fractionalSecondDigits: Number,
      timeZoneName: String, dateStyle: String, timeStyle: String,
    },
    ListFormat: { type: String, style: String },
    RelativeTimeFormat: { numberingSystem: String, style: String, numeric: String },
    PluralRules: { type: String, ...DIGITS },
    Collator: { usage: String, sensitivity: String, ignorePunctuation: Boolean, numeric: Boolean, caseFirst: String },
  };
  const NAMES = {};
  for (const kind of Object.keys(OPTIONS)) {
    NAMES[kind] = Object.keys(OPTIONS[kind]);
    setPrototypeOf(OPTIONS[kind], null);
    setPrototypeOf(NAMES[kind], null);
  }

  const optionsOf = (kind, options, only = NAMES[kind]) => {
    const read = { __proto__: null };
    if (options === undefined) return read;
    if (options === null) throw new TypeError("Cannot convert undefined or null to object");
    for (let i = 0; i < only.length; i++) {
      const name = only[i];
      const value = options[name];
      if (value === undefined) continue;
      const type = OPTIONS[kind][name];
      if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
      read[name] = type === null ? (typeof value === "boolean" ? value : String(value)) : type(value);
    }
    return read;
  };

  const MOST_TAGS = 101; // one more than the host takes
  const tagsOf = (locales) => {
    const tags = bare();
    if (locales === undefined) return tags;
    if (typeof locales === "string") {
      tags[0] = locales;
      return tags;
    }
    if (locales === null) throw new TypeError("Cannot convert undefined or null to object");
    const length = +locales.length;
    for (let i = 0; i < length && i < MOST_TAGS; i++) {
      const tag = locales[i];
      if (tag === undefined && !(i in locales)) continue;
      if (typeof tag !== "string" && (typeof tag !== "object" || tag === null))
        throw new TypeError("Incorrect locale information provided");
      tags[tags.length] = String(tag);
    }
    return tags;
  };

  // --- the constructors --------------------------------------------------------------------

  // What only we can read of an object, whatever its prototype.
  class Kept extends (function (object) { return object; }) {
    #kind;
    #tags;
    #options;
    #resolved;
    #bound;
    constructor(object, kind, tags, options, resolved) {
      super(object);
      this.#kind = kind;
      this.#tags = tags;
      this.#options = options;
      this.#resolved = resolved;
    }
    static {
      // Throws for every other object, as the standard wants.
      ofKind = (object, kind, where) => {
        if (typeof object !== "object" || object === null || !(#kind in object) || object.#kind !== kind)
          throw new TypeError("Method Intl." + kind + ".prototype." + where + " called on incompatible receiver");
        return object;
      };
      resolvedOf = (object) => object.#resolved;
      valueOf = (object, member, value) => ask(member, object.#kind, object.#tags, object.#options, value);
      boundOf = (object, make) => (object.#bound ??= make());
    }
  }
  var ofKind, resolvedOf, valueOf, boundOf;

  const Intl = {};
  defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });

  const partsOf = (pairs, extra) => {
    const parts = bare();
    for (let i = 0; i < pairs.length; i++) {
      const type = pairs[i][0];
      const value = pairs[i][1];
      parts[i] = extra === undefined || type === "literal" ? { type, value } : { type, value, unit: extra };
    }
    return plain(parts);
  };
  const copyOf = (resolved) => {
    const copy = {};
    const names = Object_keys(resolved);
    for (let i = 0; i < names.length; i++) {
      const value = resolved[names[i]];
      defineProperty(copy, names[i], {
        __proto__: null, value: isArray(value) ? plain(apply(sliceArray, value, [])) : value, writable: true, enumerable: true, configurable: true,
      });
    }
    return copy;
  };
  const Object_keys = Object.keys;
  const sliceArray = Array.prototype.slice;

  const expose = (kind, needsNew, prepare, members, accessors) => {
    const constructor = { [kind]: function (locales = undefined, options = undefined) {
      if (new.target === undefined && needsNew) throw new TypeError("Constructor Intl." + kind + " requires 'new'");
      const self = new.target === undefined ? Object_create(constructor.prototype) : this;
      const tags = tagsOf(locales);
      const read = prepare(optionsOf(kind, options));
      return new Kept(self, kind, tags, read, kind === "Collator" ? collation(tags, read) : ask("resolve", kind, tags, read));
    } }[kind];
    defineProperty(constructor, "length", { value: 0, configurable: true });
    define(constructor, "supportedLocalesOf", supportedLocalesOf);
    define(constructor.prototype, "resolvedOptions", function resolvedOptions() {
      return copyOf(resolvedOf(ofKind(this, kind, "resolvedOptions")));
    });
    for (const name of Object.keys(members)) define(constructor.prototype, name, members[name]);
    for (const name of Object.keys(accessors)) {
      const make = accessors[name];
      const { get } = Object.getOwnPropertyDescriptor({ get [name]() {
        const self = ofKind(this, kind, name);
        return boundOf(self, () => make(self));
      } }, name);
      defineProperty(constructor.prototype, name, { get, configurable: true });
    }
    defineProperty(constructor.prototype, Symbol.toStringTag, { value: "Intl." + kind, configurable: true });
    define(Intl, kind, constructor);
  };
  const Object_create = Object.create;
  const supportedLocalesOf = function supportedLocalesOf(locales) {
    return ask("supported", tagsOf(locales));
  };
  const asIs = (options) => options;
  define(Intl, "getCanonicalLocales", function getCanonicalLocales(locales) {
    return ask("canonical", tagsOf(locales));
  });

  const numeric = (value) => (typeof value === "bigint" || typeof value === "string" ? value : numberFrom(value));
  const numberFrom = (value) => {
    const primitive = typeof value === "object" && value !== null ? toPrimitive(value) : value;
    return typeof primitive === "bigint" || typeof primitive === "string" ? primitive : +primitive;
  };
  // ToPrimitive with the hint "number", done by the engine: a BigInt stays one.
  const toPrimitive = (value) => {
    let primitive;
    try {
      primitive = value - 0;
    } catch (error) {
      const inner = value.valueOf?.();
      if (typeof inner !== "bigint") throw error;
      primitive = inner;
    }
    return primitive;
  };

  expose("NumberFormat", false, asIs, {
    formatToParts(value) {
      return partsOf(valueOf(ofKind(this, "NumberFormat", "formatToParts"), "parts", numeric(value)));
    },
  }, { format: (self) => (value) => valueOf(self, "format", numeric(value)) });

  const moment = (date) => (date === undefined ? clock() : +date);
  expose("DateTimeFormat", false, asIs, {
    formatToParts(date) {
      return partsOf(valueOf(ofKind(this, "DateTimeFormat", "formatToParts"), "parts", moment(date)));
    },
  }, { format: (self) => (date) => valueOf(self, "format", moment(date)) });

  const textsOf = (items) => {
    const texts = bare();
    if (items === undefined) return texts;
    for (const item of items) {
      if (typeof item !== "string") throw new TypeError("Iterable yielded " + (typeof item === "symbol" ? "a symbol" : String(item)) + " which is not a string");
      texts[texts.length] = item;
    }
    return texts;
  };
  expose("ListFormat", true, asIs, {
    format(list) {
      return valueOf(ofKind(this, "ListFormat", "format"), "format", textsOf(list));
    },
    formatToParts(list) {
      return partsOf(valueOf(ofKind(this, "ListFormat", "formatToParts"), "parts", textsOf(list)));
    },
  }, {});

  const textFrom = (value) => {
    if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
    return String(value);
  };
  expose("RelativeTimeFormat", true, asIs, {
    format(value, unit) {
      return valueOf(ofKind(this, "RelativeTimeFormat", "format"), "format", [+value, textFrom(unit)]);
    },
    formatToParts(value, unit) {
      const name = textFrom(unit);
      const singular = name[name.length - 1] === "s" ? apply(slice, name, [0, -1]) : name;
      return partsOf(valueOf(ofKind(this, "RelativeTimeFormat", "formatToParts"), "parts", [+value, name]), singular);
    },
  }, {});

  expose("PluralRules", true, asIs, {
    select(value) {
      return valueOf(ofKind(this, "PluralRules", "select"), "format", +value);
    },
  }, {});

  // --- Collator: the order of the root locale, near enough, without leaving the guest ------

  const charCodeAt = String.prototype.charCodeAt;
  const normalize = String.prototype.normalize;
  const toLowerCase = String.prototype.toLowerCase;
  const ORDER = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ";
  const WEIGHTS = new global.Uint8Array(128); // of ASCII: two letters that differ in case have one
  for (let i = 0; i < ORDER.length; i++) {
    const code = ORDER.charCodeAt(i);
    WEIGHTS[code] = code >= 65 && code <= 90 ? WEIGHTS[code + 32] : i + 1;
  }
  const FIRST_DIGIT = WEIGHTS[48];
  const LAST_DIGIT = WEIGHTS[57];
  const EXPANDED = { __proto__: null, "\u00df": "ss", "\u00e6": "ae", "\u0153": "oe", "\u00f8": "o\u0338", "\u0111": "d\u0335", "\u0142": "l\u0335", "\u0131": "i\u0307" };

  // Before the digits: spaces, punctuation, symbols. From them on: digits and letters.
  const weightOf = (code) => {
    if (code < 128) return WEIGHTS[code] >= FIRST_DIGIT ? WEIGHTS[code] + 0x20000 : WEIGHTS[code];
    const isSign = (code >= 0xa0 && code <= 0xbf) || (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f);
    return isSign ? code : 0x30000 + code;
  };
  const isMark = (code) => code >= 0x300 && code <= 0x36f;

  // Primary weights one by one; the marks and the cases that go with them.
  const keyOf = (text, options) => {
    const whole = apply(normalize, text, ["NFD"]);
    const key = { weights: bare(), marks: "", cases: "" };
    const take = (piece, isUpper) => {
      for (let i = 0; i < piece.length; i++) {
        const code = apply(charCodeAt, piece, [i]);
        if (isMark(code)) {
          key.marks += piece[i];
          continue;
        }
        const weight = weightOf(code);
        if (weight === 0 || (options.ignorePunctuation && weight < 0x20000)) continue;
        key.weights[key.weights.length] = weight;
        key.marks += "\u0001";
        key.cases += isUpper ? "1" : "0";
      }
    };
    for (let i = 0; i < whole.length; i++) {
      const lower = apply(toLowerCase, whole[i], []);
      take(EXPANDED[lower] ?? lower, lower !== whole[i] || lower in EXPANDED);
    }
    if (options.numeric) key.weights = withNumbers(key.weights);
    return key;
  };
  // Each run of digits becomes its length without leading zeros, then itself: longer numbers are larger.
  const withNumbers = (weights) => {
    const zero = weightOf(48);
    const isDigit = (weight) => weight >= zero && weight < zero + 10;
    const found = bare();
    for (let i = 0; i < weights.length; ) {
      if (!isDigit(weights[i])) {
        found[found.length] = weights[i++];
        continue;
      }
      let end = i;
      while (end < weights.length && isDigit(weights[end])) end++;
      while (i < end - 1 && weights[i] === zero) i++;
      found[found.length] = zero + (end - i) / 0x40000000;
      while (i < end) found[found.length] = weights[i++];
    }
    return found;
  };
  const sign = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const compareKeys = (a, b, options) => {
    const shorter = a.weights.length < b.weights.length ? a.weights.length : b.weights.length;
    for (let i = 0; i < shorter; i++) if (a.weights[i] !== b.weights[i]) return sign(a.weights[i], b.weights[i]);
    if (a.weights.length !== b.weights.length) return sign(a.weights.length, b.weights.length);
    const { sensitivity } = options;
    const byMarks = sensitivity === "base" || sensitivity === "case" ? 0 : sign(a.marks, b.marks);
    if (byMarks !== 0 || sensitivity === "base" || sensitivity === "accent") return byMarks;
    return options.caseFirst === "upper" ? sign(b.cases, a.cases) : sign(a.cases, b.cases);
  };
  // Where the texts first differ decides most pairs: between two ASCII characters of different weight the smaller comes
  // first, whatever follows. Their UTF-8 is what is looked at, because reading bytes is quick.
  const WINDOW = 256;
  const compare = (a, b, options) => {
    if (a === b) return 0;
    if (options.numeric || options.ignorePunctuation || a.length > WINDOW || b.length > WINDOW)
      return compareLong(a, b, options);
    const one = encodeUtf8(a);
    const other = encodeUtf8(b);
    const shorter = one.length < other.length ? one.length : other.length;
    let cases = 0;
    let isAscii = true;
    for (let i = 0; i < shorter; i++) {
      const x = one[i];
      const y = other[i];
      if (x === y) {
        isAscii &&= x < 128;
        continue;
      }
      if (x > 127 || y > 127 || x < 9 || y < 9) return compareKeys(keyOf(a, options), keyOf(b, options), options);
      if (WEIGHTS[x] !== WEIGHTS[y]) {
        // a letter in front of a mark has the mark's weight too, but that comes after every letter's
        return WEIGHTS[x] < WEIGHTS[y] ? -1 : 1;
      }
      if (cases === 0) cases = x > y ? -1 : 1;
    }
    if (!isAscii || one.length !== other.length) {
      const rest = one.length > other.length ? one : other;
      if (isAscii && rest[shorter] < 128 && rest[shorter] >= 9) return one.length < other.length ? -1 : 1;
      return compareKeys(keyOf(a, options), keyOf(b, options), options);
    }
    if (options.sensitivity === "base" || options.sensitivity === "accent") return 0;
    return options.caseFirst === "upper" ? 0 - cases : cases;
  };
  // Long texts, and those of other rules, from shortly before where they differ.
  const compareLong = (a, b, options) => {
    let at = 0;
    while (at + WINDOW < a.length && apply(slice, a, [at, at + WINDOW]) === apply(slice, b, [at, at + WINDOW])) at += WINDOW;
    // back over digits and marks, which belong to what stands before them
    while (at > 0 && !isPlainAt(a, at)) at--;
    return compareKeys(keyOf(apply(slice, a, [at]), options), keyOf(apply(slice, b, [at]), options), options);
  };
  const isPlainAt = (text, at) => {
    const code = apply(charCodeAt, text, [at]);
    return code < 128 && WEIGHTS[code] > LAST_DIGIT;
  };
  const oneOf = (options, name, allowed) => {
    const value = options[name];
    if (value === undefined) return allowed[0];
    for (let i = 0; i < allowed.length; i++) if (allowed[i] === value) return value;
    throw new RangeError("Value " + value + " out of range for Intl.Collator options property " + name);
  };
  const collation = (tags, options) => {
    const supported = tags.length === 0 ? tags : ask("supported", tags);
    return {
      locale: supported.length ? supported[0] : "en-US",
      usage: oneOf(options, "usage", ["sort", "search"]),
      sensitivity: oneOf(options, "sensitivity", ["variant", "base", "accent", "case"]),
      ignorePunctuation: options.ignorePunctuation ?? false,
      collation: "default",
      numeric: options.numeric ?? false,
      caseFirst: oneOf(options, "caseFirst", ["false", "upper", "lower"]),
    };
  };
  expose("Collator", false, asIs, {}, { compare: (self) => (a, b) => compare(textFrom(a), textFrom(b), resolvedOf(self)) });

  const USUAL = { __proto__: null, sensitivity: "variant", ignorePunctuation: false, numeric: false, caseFirst: "false" };
  const methods = {
    localeCompare(that, locales = undefined, options = undefined) {
      if (this === undefined || this === null) throw new TypeError("String.prototype.localeCompare called on null or undefined");
      const self = textFrom(this);
      const other = textFrom(that);
      if (locales === undefined && options === undefined) return compare(self, other, USUAL);
      return compare(self, other, collation(tagsOf(locales), optionsOf("Collator", options)));
    },
  };
  define(String.prototype, "localeCompare", methods.localeCompare);
  defineProperty(methods.localeCompare, "length", { value: 1, configurable: true });

  // --- toLocaleString ----------------------------------------------------------------------

  // A whole number in the default locale is grouped here: it is what most programs ask for, and no call.
  const grouped = (digits) => {
    let out = "";
    let end = digits.length;
    const first = digits[0] === "-" ? 1 : 0;
    for (; end - 3 > first; end -= 3) out = "," + apply(slice, digits, [end - 3, end]) + out;
    return apply(slice, digits, [0, end]) + out;
  };
  const inLocale = (value, locales, options) =>
    ask("format", "NumberFormat", tagsOf(locales), optionsOf("NumberFormat", options), value);
  const locally = {
    number: { toLocaleString(locales = undefined, options = undefined) {
      const value = apply(numberOf, this, []);
      if (locales === undefined && options === undefined && isSafeInteger(value) && (value !== 0 || 1 / value > 0))
        return grouped(String(value));
      return inLocale(value, locales, options);
    } },
    bigint: { toLocaleString(locales = undefined, options = undefined) {
      return inLocale(apply(bigintOf, this, []), locales, options);
    } },
  };
  const dated = (required, defaults) => (time, locales, options) => {
    const tags = tagsOf(locales);
    const read = optionsOf("DateTimeFormat", options);
    if (time !== time) return "Invalid Date";
    read.required = required;
    read.defaults = defaults;
    return ask("format", "DateTimeFormat", tags, read, time);
  };
  const both = dated("any", "all");
  const date = dated("date", "date");
  const time = dated("time", "time");
  const dates = {
    toLocaleString(locales = undefined, options = undefined) {
      return both(apply(timeOf, this, []), locales, options);
    },
    toLocaleDateString(locales = undefined, options = undefined) {
      return date(apply(timeOf, this, []), locales, options);
    },
    toLocaleTimeString(locales = undefined, options = undefined) {
      return time(apply(timeOf, this, []), locales, options);
    },
  };
  for (const [object, made] of [[Number.prototype, locally.number], [BigInt.prototype, locally.bigint], [Date.prototype, dates]])
    for (const name of Object.keys(made)) {
      defineProperty(made[name], "length", { value: 0, configurable: true });
      define(object, name, made[name]);
    }

  // --- format ------------------------------------------------------------------------------

  const names = (...list) => {
    setPrototypeOf(list, null);
    return list;
  };
  const NUMBER = names("style", "currency", "minimumFractionDigits", "maximumFractionDigits", "useGrouping");
  const DATE = names("dateStyle", "timeStyle", "timeZone");
  const LIST = names("type");
  const NONE = names();
  const isFiniteNumber = (value) => typeof value === "number" && isFinite(value);
  const refuse = (sentence) => {
    throw new Error(sentence);
  };
  const written = (kind, value, options, only, fill = asIs) => {
    const given = options === null || options === undefined ? undefined : options;
    const locale = given?.locale;
    return ask("format", kind, tagsOf(locale === undefined ? "en-US" : locale), fill(optionsOf(kind, given, only)), value);
  };
  const medium = (options) => {
    if (options.dateStyle === undefined && options.timeStyle === undefined) options.dateStyle = "medium";
    return options;
  };
  const format = {
    async number(value, options = undefined) {
      if (!isFiniteNumber(value)) refuse("format.number: value must be a finite number");
      return written("NumberFormat", value, options, NUMBER);
    },
    async date(epochMs, options = undefined) {
      if (!isFiniteNumber(epochMs)) refuse("format.date: epochMs must be a finite number of milliseconds");
      return written("DateTimeFormat", epochMs, options, DATE, medium);
    },
    async relativeTime(value, unit, options = undefined) {
      if (!isFiniteNumber(value)) refuse("format.relativeTime: value must be a finite number");
      return written("RelativeTimeFormat", [value, textFrom(unit)], options, NONE);
    },
    async list(items, options = undefined) {
      if (!isArray(items)) refuse("format.list: items must be an array of strings");
      const texts = bare();
      for (let i = 0; i < items.length; i++) texts[i] = textFrom(items[i]);
      return written("ListFormat", texts, options, LIST);
    },
  };

  kit.expose({ Intl, format });
})
