/** Steps until the point leaves the circle of radius 2, at most `most`. */
export function escapeTime(re: number, im: number, most: number): Promise<number>;
