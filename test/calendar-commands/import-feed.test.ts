/** `import <address of a feed>`: an .ics or .csv is read from its address as it is from a file, once or again and again. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { type CommandOptions, importCommand } from '../../scripts/calendar/import/command.ts';
import { isFeed } from '../../scripts/calendar/import/feed.ts';
import { defaultLimits } from '../../scripts/calendar/import/limits.ts';
import { calendarWithFiles, iCalendar, vevent } from './support/calendar-with-files.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** What the server answers, by path. */
const answers = new Map<string, Answer>();
const server = createServer((request, response) => {
  const answer = answers.get(new URL(request.url ?? '', 'http://x').pathname);
  if (answer === undefined) response.writeHead(404).end();
  else answer(response, request);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
const root = `http://${host}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const sends =
  (text: string, type = 'text/calendar', status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(text);
const leadsTo =
  (location: string): Answer =>
  (response) =>
    response.writeHead(302, { location }).end();

const fair = (title = 'Fair', ...lines: string[]) =>
  iCalendar(...lines, ...vevent('1', `SUMMARY:${title}`, 'DTSTART:20310501T100000Z', 'LOCATION:Hall'));

/** Imports an address. Returns the output. */
async function run(
  calendar: ReturnType<typeof calendarWithFiles>,
  address: string,
  options: Partial<CommandOptions> = {},
): Promise<string> {
  const output: string[] = [];
  await importCommand(address, await calendar.open(), {
    isDryRun: false,
    say: (line) => output.push(line),
    wait: async () => {},
    ...options,
  });
  return output.join('\n');
}

test.each([
  ['https://a.example/events.ics', true],
  ['https://a.example/private/basic.ICS?token=1', true],
  ['https://a.example/events.csv', true],
  ['webcal://a.example/published/2/abc', true],
  ['https://a.example/remote.php/dav/public-calendars/abc?export', true],
  ['https://a.example/events/list/?ical=1', true],
  ['https://a.example/spreadsheets/d/1/export?format=csv&gid=0', true],
  ['https://a.example', false],
  ['a.example', false],
  ['https://a.example/?rest_route=/tribe/events/v1', false],
])('%s is a feed: %s', (address, expected) => expect(isFeed(address)).toBe(expected));

test('a feed is imported again from its address, by http and webcal, and where its site leads', async () => {
  const calendar = calendarWithFiles();
  const town = (title?: string) => fair(title, 'X-WR-CALNAME:Town');
  answers.set('/a.ics', sends(town()));
  expect(await run(calendar, `${root}/a.ics`)).toContain('1 new + 0 changed + 0 unchanged');
  answers.set('/b', sends(town()));
  answers.set('/moved.ics', leadsTo('/b'));
  expect(await run(calendar, `${root}/moved.ics`)).toContain('0 new + 0 changed + 1 unchanged');
  answers.set('/a.ics', sends(town('Fayre')));
  expect(await run(calendar, `webcal://${host}/a.ics`)).toContain('0 new + 1 changed + 0 unchanged');
  expect(await calendar.records()).toMatchObject([{ title: 'Fayre', venue: { venue: 'Hall' } }]);
});

test('a table and an iCalendar file without an extension are known by what they are', async () => {
  const calendar = calendarWithFiles();
  answers.set('/export', sends('title,start_date\nTable,2031-05-02 10:00\n', 'text/csv'));
  answers.set('/cal', sends(`\uFEFF${fair()}`, 'text/plain'));
  await run(calendar, `${root}/export?format=csv`);
  await run(calendar, `${root}/cal?export`);
  expect([...(await calendar.events()).keys()].sort()).toEqual(['Fair', 'Table']);
});

test('two feeds without a name that number their events are two sources, and what vanished is named', async () => {
  const calendar = calendarWithFiles();
  const chess = iCalendar(...vevent('1', 'SUMMARY:Chess', 'DTSTART:20310502T100000Z'));
  answers.set('/town.ics', sends(fair()));
  answers.set('/club.ics', sends(chess));
  for (const expected of ['1 new', '1 unchanged'])
    for (const name of ['town', 'club'])
      expect(await run(calendar, `${root}/${name}.ics`)).toContain(expected);
  answers.set('/club.ics', sends(iCalendar(...vevent('2', 'SUMMARY:Go', 'DTSTART:20310503T100000Z'))));
  expect(await run(calendar, `${root}/club.ics`)).toContain('Vanished from the file since the last run');
  expect(await run(calendar, `${root}/club.ics`, { prunesMissing: true })).toContain(
    'Vanished from the file since the last run, and moved to the trash: "Chess 2031-05-02 12:00:00".',
  );
  const { stored } = calendar;
  expect((await stored()).filter((item) => 'status' in item && item.status === 'trash')).toMatchObject([
    { title: 'Chess' },
  ]);
});

test('a feed that is cut, and events that it has and that are refused, prune nothing', async () => {
  const calendar = calendarWithFiles();
  const events = (second: string) => [
    'X-WR-CALNAME:Town',
    ...vevent('1', 'SUMMARY:A', 'DTSTART:20310501T100000Z'),
    ...vevent('2', 'SUMMARY:B', second),
  ];
  const whole = iCalendar(...events('DTSTART:20310502T100000Z'));
  answers.set('/a.ics', sends(whole));
  await run(calendar, `${root}/a.ics`);
  answers.set('/a.ics', sends(whole.slice(0, whole.indexOf('UID:2'))));
  expect(await run(calendar, `${root}/a.ics`, { prunesMissing: true })).toContain(
    'Nothing is pruned, since the file may lack events',
  );
  answers.set('/a.ics', sends(iCalendar(...events('DTSTART:20310231T100000Z'))));
  const refused = await run(calendar, `${root}/a.ics`, { prunesMissing: true });
  expect(refused).toContain('refused: B');
  expect(refused).not.toContain('Vanished');
  expect([...(await calendar.events()).keys()].sort()).toEqual(['A', 'B']);
});

describe('an address that is no feed', () => {
  test.each<[string, Answer, string]>([
    [
      'a page',
      sends('<!DOCTYPE html><html><head><title>Sign in</title></head>', 'text/html'),
      'it is no feed, but an HTML page: "Sign in"',
    ],
    ['401', sends('', 'text/plain', 401), 'it answers 401: it wants --user and --password, or is not shared'],
    ['404', sends('', 'text/plain', 404), 'it answers 404: there is no feed at this address'],
    ['503', sends('', 'text/plain', 503), 'it answers 503'],
    ['nothing', sends(''), 'its answer is empty'],
    ['silence', () => {}, 'the site does not answer within 0.2 seconds'],
    [
      'half of it',
      (response) => response.writeHead(200).write('BEGIN:VCALENDAR\r\n'),
      'it takes more than 0.2 seconds',
    ],
    [
      'an end before its end',
      (response) => {
        response.writeHead(200, { 'content-length': 9_999 });
        response.write('BEGIN:VCALENDAR\r\n', () => response.destroy());
      },
      'its answer ends early',
    ],
    [
      'another site',
      leadsTo('https://other.example/a.ics'),
      'it leads to another site: https://other.example/',
    ],
    ['itself', leadsTo('/x.ics'), 'it leads from one address to the next'],
    [
      'too much',
      sends(`${fair()}${' '.repeat(5_000)}`),
      'it has more than 0 MiB, and an import reads that much',
    ],
  ])('is refused where it answers %s', async (_title, answer, reason) => {
    const calendar = calendarWithFiles();
    answers.set('/x.ics', answer);
    const limits = { ...defaultLimits, feedMs: 200, fileBytes: { '.ics': 4_000 } };
    await expect(run(calendar, `${root}/x.ics`, { limits })).rejects.toThrow(
      `Cannot read ${root}/x.ics: ${reason}`,
    );
    expect(await calendar.stored()).toEqual([]);
  });

  test('is refused where it is text of another kind', async () => {
    answers.set('/x.ics', sends('{"events":[]}', 'application/json'));
    await expect(run(calendarWithFiles(), `${root}/x.ics`)).rejects.toThrow(
      `${root}/x.ics is no iCalendar: it has no lines from BEGIN:VCALENDAR to END:VCALENDAR.`,
    );
  });
});

test('a user and a password are sent, and one in the address is refused with what to do', async () => {
  const calendar = calendarWithFiles();
  const authorization = `Basic ${Buffer.from('ann:abcd EFGH').toString('base64')}`;
  answers.set('/a.ics', (response, { headers }) =>
    sends(headers.authorization === authorization ? fair() : '', 'text/calendar', 200)(response, {} as never),
  );
  expect(await run(calendar, `${root}/a.ics`, { user: 'ann', password: 'abcd EFGH' })).toContain('1 new');
  await expect(run(calendar, `http://ann:x@${host}/a.ics`)).rejects.toThrow('--user and --password');
  await expect(
    run(calendar, 'http://feeds.example.org/a.ics', { user: 'ann', password: 'x' }),
  ).rejects.toThrow('A password is sent over https only.');
});

test('--watch reads it again and again, and goes on after a run that failed', async () => {
  const calendar = calendarWithFiles();
  const nights = [sends(fair()), sends('', 'text/plain', 404), sends(fair('Fayre'))];
  const output: string[] = [];
  const stopped = new Error('stopped');
  answers.set('/a.ics', (response, request) => nights[0]?.(response, request));
  const watching = importCommand(`${root}/a.ics`, await calendar.open(), {
    isDryRun: false,
    watch: '1h',
    say: (line) => output.push(line),
    wait: async (milliseconds) => {
      if (milliseconds !== 3_600_000) return;
      nights.shift();
      if (nights.length === 0) throw stopped;
    },
  });
  await expect(watching).rejects.toBe(stopped);
  expect(output.join('\n')).toMatch(/1 new[\s\S]*it answers 404[\s\S]*1 changed/);
});
