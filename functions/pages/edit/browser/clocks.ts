/** What clocks show in a zone: in spring they skip an hour. */

/** Returns a time, `2030-03-31T02:30`, or the one that clocks of a zone show then, where they skip it. */
export function timeOnClocks(time: string, zone: string): string {
  const asUtc = Date.parse(`${time}Z`);
  // A year that is still being typed has no clocks yet.
  if (Number.isNaN(asUtc) || asUtc < Date.UTC(1900)) return time;
  // Zones such as UTC+5:30, which the browser does not know, never change their clocks.
  if (zone !== 'UTC' && !Intl.supportedValuesOf('timeZone').includes(zone)) return time;
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const clockAt = (instant: number) => format.format(instant).replace(' ', 'T');
  const offsetAt = (instant: number) =>
    Date.parse(`${clockAt(instant)}Z`) - Math.floor(instant / 60_000) * 60_000;
  const day = 24 * 60 * 60 * 1000;
  // The offsets before and after a change of the clocks; the first is that which a skipped time is counted with.
  const candidates = [asUtc - offsetAt(asUtc - day), asUtc - offsetAt(asUtc + day)];
  return candidates.map(clockAt).find((shown) => shown === time) ?? clockAt(candidates[0] ?? asUtc);
}
