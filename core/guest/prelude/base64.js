// atob and btoa: a character a byte, as browsers have them. toBase64 and fromBase64 are the better pair.
//
// No template literals in these files: the engine joins them by String.prototype.concat, which a program may replace.
(function (global, native, kit) {
  "use strict";

  const { String, TypeError } = global;

  const textOf = (value, given, name) => {
    if (given === 0) throw new TypeError(name + ": 1 argument needed, and 0 came");
    if (typeof value === "symbol") throw new TypeError(name + ": a symbol is no text");
    return String(value);
  };

  const btoa = function btoa(data) {
    const made = native.btoa(textOf(data, arguments.length, "btoa"));
    if (made === null)
      throw kit.named("InvalidCharacterError", "btoa: a character is outside of Latin-1; toBase64 takes any text, as UTF-8");
    return made;
  };

  const atob = function atob(data) {
    const made = native.atob(textOf(data, arguments.length, "atob"));
    if (made === null) throw kit.named("InvalidCharacterError", "atob: the text is not base64");
    return made;
  };

  kit.expose({ atob, btoa });
})
