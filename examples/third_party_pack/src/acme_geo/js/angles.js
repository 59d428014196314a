export const radians = (degrees) => (degrees * Math.PI) / 180;
export const degrees = (radians) => (radians * 180) / Math.PI;

// A point as [latitude, longitude] in degrees, or the reason why it is none.
export function checked(point, where) {
  const [latitude, longitude] = Array.isArray(point) ? point : [];
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
    throw new RangeError(`${where}: a point is [latitude, longitude] in degrees, not ${JSON.stringify(point)}`);
  }
  return [latitude, longitude];
}
