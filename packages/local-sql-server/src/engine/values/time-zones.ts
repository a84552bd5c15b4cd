/** Time zones by their names in Windows, which AT TIME ZONE takes. */
import type { Moment } from './datetime.ts';
import { addTicks, atOffset, ticksPerMinute } from './datetime.ts';

const zones: ReadonlyMap<string, string> = new Map(
  `UTC=UTC;GMT=Europe/London;Greenwich=Atlantic/Reykjavik;W. Europe=Europe/Berlin;Central Europe=Europe/Budapest;Romance=Europe/Paris
Central European=Europe/Warsaw;E. Europe=Europe/Chisinau;FLE=Europe/Kiev;GTB=Europe/Bucharest;Russian=Europe/Moscow;Turkey=Europe/Istanbul
Eastern=America/New_York;Central=America/Chicago;Mountain=America/Denver;US Mountain=America/Phoenix;Pacific=America/Los_Angeles
Alaskan=America/Anchorage;Hawaiian=Pacific/Honolulu;Atlantic=America/Halifax;Newfoundland=America/St_Johns;E. South America=America/Sao_Paulo
Argentina=America/Buenos_Aires;India=Asia/Kolkata;China=Asia/Shanghai;Tokyo=Asia/Tokyo;Korea=Asia/Seoul;Singapore=Asia/Singapore
SE Asia=Asia/Bangkok;Arabian=Asia/Dubai;Arab=Asia/Riyadh;Israel=Asia/Jerusalem;South Africa=Africa/Johannesburg;Egypt=Africa/Cairo
AUS Eastern=Australia/Sydney;E. Australia=Australia/Brisbane;W. Australia=Australia/Perth;New Zealand=Pacific/Auckland`
    .split(/[;\n]/)
    .map((pair) => pair.split('=') as [string, string])
    .map(([name, zone]) => [name === 'UTC' ? 'utc' : `${name} Standard Time`.toLowerCase(), zone]),
);

/** The zone of a name in Windows; undefined for one that this server lacks. */
export function timeZoneNamed(name: string): string | undefined {
  return zones.get(name.trim().toLowerCase());
}

const dayOfUnixEpoch = 719_162;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes east of UTC in a zone, at a moment whose clock is UTC. */
function offsetAt(zone: string, { days, ticks }: Moment): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  const time = (days - dayOfUnixEpoch) * 86_400_000 + ticks / 10_000;
  const text = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

const minutesPerDay = 1440;

/** A moment as the clocks of a zone show it. */
export function inZone(moment: Moment, zone: string): Moment {
  const utc = atOffset(moment, 0);
  return atOffset(utc, offsetAt(zone, utc));
}

/**
 * A local time with its offset in a zone. An hour that comes twice is taken as standard time; one that summer time skips as the hour
 * after it.
 */
export function localInZone(local: Moment, zone: string): Moment {
  const shifted = (minutes: number): Moment => addTicks({ ...local, offset: 0 }, -minutes * ticksPerMinute);
  const before = offsetAt(zone, shifted(minutesPerDay));
  const after = offsetAt(zone, shifted(-minutesPerDay));
  const fitting = [before, after].filter((offset) => offsetAt(zone, shifted(offset)) === offset);
  if (fitting.length) return { ...local, offset: Math.min(...fitting) };
  return atOffset({ ...local, offset: before }, after);
}
