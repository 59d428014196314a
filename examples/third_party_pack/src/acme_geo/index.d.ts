declare module "acme-geo" {
  /** [latitude, longitude] in degrees */
  export type Point = [number, number];
  /** Kilometres between two points, along the surface. */
  export function distance(from: Point, to: Point): number;
  /** The direction in which one leaves `from` towards `to`: degrees from north, clockwise. */
  export function bearing(from: Point, to: Point): number;
}

declare module "acme-geo/geohash" {
  /** The geohash of a point, of 1 to 12 characters. */
  export function encode(point: [number, number], length?: number): string;
}
