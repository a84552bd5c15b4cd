/** A crowd that opens the pages of a site at once, as when a town has told of its calendar, against the lists that programs read. */

import { writeManyEvents } from '../../support/many-events.ts';
import { inTurn } from '../benchmark.ts';
import { paced } from '../pace.ts';
import { afterOneRequest, applyLoad, mustBeAnswered, summarize, type TimedReply } from './client.ts';
import { calendar, settingsOfLog } from './fixtures.ts';
import type { Measurement } from './load.ts';

const rounds = paced(9);
const citizens = paced(500, 20);
const venues = paced(1_000, 20);
const events = paced(2_000, 100);
/** The calendar of a town: its name in CALENDAR_NAME. */
const town = 'town';

/** Each round asks for other addresses than the one before, so that no page was made before. */
const pages: readonly ((round: number) => string)[] = [
  (round) => `/calendar?page=${round + 1}`,
  (round) => `/calendar?view=month&date=2${String(round).padStart(3, '0')}-01-01`,
  (round) => `/event/event-${round}/`,
];
/** The gateway says who calls: every citizen has an address of their own. */
const visitor = (connection: number) => ({
  'X-Forwarded-For': `203.0.${113 + (connection >> 8)}.${connection & 255}`,
});

const list = (round: number) => `${calendar}/events?per_page=20&page=${round + 1}`;

export const crowdOfCitizens: Measurement = {
  name: `${citizens} citizens at once on the front page, a month and an event, ${venues} venues`,
  async measure([start], _fixtures, stack) {
    await writeManyEvents({ ...settingsOfLog(stack), calendar: town }, events, venues);
    const app = await start({ CALENDAR_NAME: town, SITE_NAME: 'Town', TRUST_FORWARDED_HEADERS: 'true' });
    let round = 0;
    const seen: TimedReply[][] = [[], []];
    const timeOf = (kind: number, pathOf: (round: number, connection: number) => string) => async () => {
      round += 1;
      const { replies } = await applyLoad(app.url, {
        connections: citizens,
        request: (connection) => ({
          method: 'GET',
          path: pathOf(round, connection),
          headers: visitor(connection),
        }),
        isOver: afterOneRequest,
      });
      seen[kind]?.push(...replies);
      return mustBeAnswered(summarize(replies)).p50;
    };
    try {
      // What makes the pages is loaded with the first of them.
      await applyLoad(app.url, {
        connections: 3,
        request: (connection) => ({ method: 'GET', path: pages[connection]?.(0) ?? '' }),
        isOver: afterOneRequest,
      });
      const [ofPages = Number.NaN, ofLists = Number.NaN] = await inTurn(rounds, [
        timeOf(0, (round, connection) => pages[connection % pages.length]?.(round) ?? ''),
        timeOf(1, list),
      ]);
      const [{ refused, p99, statuses }, ofProgram] = [summarize(seen[0] ?? []), summarize(seen[1] ?? [])];
      return [
        {
          name: crowdOfCitizens.name,
          value: ofPages,
          unit: 'ms (median)',
          against: { name: 'a list of 20 events', value: ofLists },
          ratio: ofPages / ofLists,
          target: 'at most 1.5, 0 refused',
          details: `${refused} refused; p99 ${p99.toFixed(0)} ms; ${statuses} (lists: ${ofProgram.statuses})`,
        },
      ];
    } finally {
      await app.stop();
    }
  },
};
