import { checked } from "./angles.js";

const DIGITS = "0123456789bcdefghjkmnpqrstuvwxyz";
const MAX_LENGTH = 12;

/** The geohash of a point; each of its characters says more precisely where it is. */
export function encode(point, length = 9) {
  if (!Number.isInteger(length) || length < 1 || length > MAX_LENGTH) {
    throw new RangeError(`encode: length must be a whole number from 1 to ${MAX_LENGTH}, not ${length}`);
  }
  const [latitude, longitude] = checked(point, "encode");
  const sides = [
    { low: -180, high: 180, value: longitude },
    { low: -90, high: 90, value: latitude },
  ];
  let hash = "";
  for (let bit = 0, digit = 0; hash.length < length; bit += 1) {
    const side = sides[bit % 2];
    const middle = (side.low + side.high) / 2;
    const upper = side.value >= middle;
    side[upper ? "low" : "high"] = middle;
    digit = digit * 2 + (upper ? 1 : 0);
    if (bit % 5 === 4) {
      hash += DIGITS[digit];
      digit = 0;
    }
  }
  return hash;
}
