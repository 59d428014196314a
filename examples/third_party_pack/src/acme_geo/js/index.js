import { checked, degrees, radians } from "./angles.js";

const EARTH_KM = 6371.0088; // the mean radius

/** Kilometres between two points, along the surface (haversine). */
export function distance(from, to) {
  const [lat1, lon1] = checked(from, "distance").map(radians);
  const [lat2, lon2] = checked(to, "distance").map(radians);
  const half = (angle) => Math.sin(angle / 2) ** 2;
  const chord = half(lat2 - lat1) + Math.cos(lat1) * Math.cos(lat2) * half(lon2 - lon1);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** The direction in which one leaves `from` towards `to`: degrees from north, clockwise. */
export function bearing(from, to) {
  const [lat1, lon1] = checked(from, "bearing").map(radians);
  const [lat2, lon2] = checked(to, "bearing").map(radians);
  const east = Math.sin(lon2 - lon1) * Math.cos(lat2);
  const north = Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(lon2 - lon1);
  return (degrees(Math.atan2(east, north)) + 360) % 360;
}
