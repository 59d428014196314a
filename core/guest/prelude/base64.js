// atob and btoa: a character a byte, as browsers have them. toBase64 and fromBase64 are the better pair.
//
// No template literals in these files: the engine joins them by String.prototype.concat, which a program may replace.
(function (global, native, kit) {
  "use strict";

  const { Reflect, String, TypeError, Uint8Array } = global;
  const { apply } = Reflect;
  const { charCodeAt } = String.prototype;
  const { fromCharCode } = String;
  const { toBase64, fromBase64 } = native;
  const subarray = Reflect.getPrototypeOf(Uint8Array.prototype).subarray;

  const PIECE = 8192; // characters of one fromCharCode
  const EQUALS = 61;

  const code = (text, at) => apply(charCodeAt, text, [at]);
  const isSpace = (c) => c === 32 || c === 9 || c === 10 || c === 12 || c === 13;
  const isDigit = (c) => (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || (c >= 47 && c <= 57) || c === 43;
  const need = (given, name) => {
    if (given === 0) throw new TypeError(name + ": 1 argument needed, and 0 came");
  };

  const textOf = (value, name) => {
    if (typeof value === "symbol") throw new TypeError(name + ": a symbol is no text");
    return String(value);
  };

  const btoa = function btoa(data) {
    need(arguments.length, "btoa");
    const text = textOf(data, "btoa");
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) {
      const c = code(text, i);
      if (c > 255) throw kit.named("InvalidCharacterError", "btoa: character " + i + " is outside of Latin-1; toBase64 takes any text, as UTF-8");
      bytes[i] = c;
    }
    return toBase64(bytes);
  };

  const atob = function atob(data) {
    need(arguments.length, "atob");
    const text = textOf(data, "atob");
    let digits = 0;
    let padding = 0;
    for (let i = 0; i < text.length; i++) {
      const c = code(text, i);
      if (isSpace(c)) continue;
      if (c === EQUALS) padding++;
      else if (padding || !isDigit(c)) digits = NaN;
      digits++;
    }
    // padding is optional, and where it stands it makes whole groups of four
    const rest = (digits - padding) % 4;
    if (digits !== digits || rest === 1 || padding > 2 || (padding && digits % 4))
      throw kit.named("InvalidCharacterError", "atob: the text is not base64");
    const bytes = fromBase64(text);
    let out = "";
    for (let at = 0; at < bytes.length; at += PIECE) out += apply(fromCharCode, undefined, apply(subarray, bytes, [at, at + PIECE]));
    return out;
  };

  kit.expose({ atob, btoa });
})
