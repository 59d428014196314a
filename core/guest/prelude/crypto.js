// crypto: random bytes from the host, and digests of bytes that the host makes.
(function (global, native, kit) {
  "use strict";

  const { ArrayBuffer, Error, Object, Reflect, SharedArrayBuffer, String, Symbol, TypeError, RangeError, Uint8Array } = global;
  const { apply, getPrototypeOf } = Reflect;
  const { getOwnPropertyDescriptor } = Object;
  const { callSync, random, toHex } = native;
  const { isView } = ArrayBuffer;
  const slice = String.prototype.slice;
  const getter = (object, name) => getOwnPropertyDescriptor(object, name).get;
  const TypedArray = getPrototypeOf(Uint8Array.prototype);
  const typeOf = getter(TypedArray, Symbol.toStringTag);
  const viewLength = getter(TypedArray, "byteLength");
  const viewBuffer = getter(TypedArray, "buffer");
  const bufferLength = getter(ArrayBuffer.prototype, "byteLength");
  const sharedLength = getter(SharedArrayBuffer.prototype, "byteLength");
  const set = TypedArray.set;
  const bufferOf = (bytes) => apply(viewBuffer, bytes, []);

  const MAX_RANDOM_BYTES = 65536;
  const MAX_NAME = 40;

  const answers = (getLength, value) => {
    try {
      apply(getLength, value, []);
      return true;
    } catch {
      return false; // no buffer of this kind
    }
  };
  const isBuffer = (value) => answers(bufferLength, value) || answers(sharedLength, value);
  const isBytes = (value) => isView(value) || (typeof value === "object" && value !== null && isBuffer(value));

  // What a program may give as bytes: text (the host takes its UTF-8), bytes as they lie in memory, or numbers.
  const bytesOf = (value, what) => {
    if (typeof value === "string" || isBytes(value)) return value;
    if (typeof value === "object" && value !== null) {
      const length = value.length;
      if (typeof length === "number" && length >= 0) {
        const bytes = new Uint8Array(length);
        for (let i = 0; i < bytes.length; i++) bytes[i] = value[i];
        return bytes;
      }
    }
    throw new Error("crypto: " + what + " must be a string or Uint8Array");
  };

  const shown = (name) => {
    const text = typeof name === "string" ? name : String(name);
    return text.length > MAX_NAME ? apply(slice, text, [0, MAX_NAME]) + "..." : text;
  };
  const unsupported = (where, name) =>
    where + ': unsupported algorithm "' + shown(name) + '" (use SHA-1, SHA-256, SHA-384 or SHA-512)';
  const refuse = (algorithm) => {
    throw new Error(unsupported("crypto", algorithm));
  };

  // null is the host's answer to an algorithm that it does not have.
  const hash = (algorithm, data) => (typeof algorithm === "string" ? callSync("crypto", "digest", algorithm, data) : null);

  const randomUUID = function randomUUID() {
    const bytes = random(16);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = toHex(bytes);
    const part = (start, end) => apply(slice, hex, [start, end]);
    return part(0, 8) + "-" + part(8, 12) + "-" + part(12, 16) + "-" + part(16, 20) + "-" + part(20);
  };

  const fill = (view) => {
    const type = apply(typeOf, view, []);
    if (type === undefined || type === "Float16Array" || type === "Float32Array" || type === "Float64Array")
      throw kit.named("TypeMismatchError", "crypto.getRandomValues: expected an array of integers");
    const length = apply(viewLength, view, []);
    if (length > MAX_RANDOM_BYTES)
      throw kit.named("QuotaExceededError", "crypto.getRandomValues: " + length + " bytes are more than the " + MAX_RANDOM_BYTES + " of one call");
    apply(set, kit.viewOf(view), [random(length)]);
    return view;
  };
  // A length, as the reference has it, or an array to fill, as browsers do.
  const getRandomValues = function getRandomValues(length) {
    if (isView(length)) return fill(length);
    if (typeof length !== "number" || !(length >= 0))
      throw new TypeError("crypto.getRandomValues: length must be a non-negative number");
    return random(length < MAX_RANDOM_BYTES ? length : MAX_RANDOM_BYTES);
  };

  const digest = async function digest(algorithm, data) {
    return hash(algorithm, bytesOf(data, "data")) ?? refuse(algorithm);
  };
  const hmac = async function hmac(algorithm, key, data) {
    if (typeof algorithm !== "string") refuse(algorithm);
    return callSync("crypto", "hmac", algorithm, bytesOf(key, "key"), bytesOf(data, "data")) ?? refuse(algorithm);
  };
  const timingSafeEqual = function timingSafeEqual(a, b) {
    if (!isBytes(a) || !isBytes(b)) throw new TypeError("crypto.timingSafeEqual: expected two arrays of bytes");
    const equal = callSync("crypto", "equal", a, b);
    if (equal === null) throw new RangeError("crypto.timingSafeEqual: both must have the same length");
    return equal;
  };

  const subtle = {
    digest: async function digest(algorithm, data) {
      const name = typeof algorithm === "object" && algorithm !== null ? algorithm.name : algorithm;
      if (!isBytes(data)) throw new TypeError("crypto.subtle.digest: data must be an ArrayBuffer or a view of one");
      const bytes = hash(name, data);
      if (bytes === null)
        throw kit.named("NotSupportedError", unsupported("crypto.subtle.digest", name));
      return bufferOf(bytes);
    },
  };

  kit.expose({ crypto: { randomUUID, getRandomValues, digest, hmac, timingSafeEqual, subtle } });
})
