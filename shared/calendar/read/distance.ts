/** Distances on the globe. */

/** Mean radius of the earth in kilometres. */
const radius = 6371.0088;

/** A place, in degrees. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
}

/** Returns the great-circle distance of two places in kilometres (haversine formula). */
export function distance(a: Place, b: Place): number {
  const [fromLat, toLat] = [radians(a.lat), radians(b.lat)];
  const half = (angle: number) => Math.sin(angle / 2) ** 2;
  const chord = half(toLat - fromLat) + Math.cos(fromLat) * Math.cos(toLat) * half(radians(b.lng - a.lng));
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
