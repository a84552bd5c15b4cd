/** Settings that are wrong: the log names each at the start, health names all, and the app serves what can do without them. */

import { expect, test } from 'vitest';
import { variables } from '../../shared/config/variables.ts';
import type { SettingName } from '../../shared/config.ts';
import { send, useApp } from '../support/app.ts';

const lines: string[] = [];
const app = useApp({ sampleData: false, log: (line) => lines.push(line) });

/** No parser takes it, but for those that take any text. */
const rubbish = ' %% Passw0rd-of-somebody %% ';
const names = Object.keys(variables) as SettingName[];
const checkedNames = names.filter((name) => {
  try {
    variables[name].parse(rubbish);
    return false;
  } catch {
    return true;
  }
});
/** Texts of the site, of which any is usable, for all to see. */
const textsForAll: readonly SettingName[] = ['SITE_NAME', 'SITE_ADDRESS'];
const required = names.filter((name) => !('fallback' in variables[name]));

/** Starts an app with settings, and returns what its health says of them, with a way to ask for more. */
async function startWith(settings: Readonly<Record<string, string>>) {
  const another = await app.startAnother(settings);
  const { origin } = new URL(another.base);
  const { status, text } = await send('GET', `${origin}/api/health`, {});
  const health = JSON.parse(text) as { ready: boolean; settings?: { setting: string; detail: string }[] };
  return { another, origin, status, health, text };
}

/** Waits until an app is ready: beside busy others its dependencies may take longer than health waits for them. */
const untilReady = (origin: string) =>
  expect.poll(async () => (await send('GET', `${origin}/api/health`, {})).status).toBe(200);

const named = ({ settings = [] }: { settings?: { setting: string }[] }) =>
  settings.map(({ setting }) => setting).toSorted();

/** The settings in groups: an app can do without some, and serves pages with any of the others. */
const groups = [true, false].flatMap((isLenient) => {
  const ofKind = checkedNames.filter((name) => 'isLenient' in variables[name] === isLenient);
  const count = Math.ceil(ofKind.length / 8);
  return Array.from({ length: count }, (_, group) => ({
    isLenient,
    group: ofKind.filter((_, index) => index % count === group),
  }));
});

test.each(groups)(
  'each of $group that is unusable is named, and never its value',
  async ({ isLenient, group }) => {
    const { another, origin, health, text } = await startWith(
      Object.fromEntries(group.map((name) => [name, rubbish])),
    );
    await using _ = another;
    expect(named(health)).toEqual(group.toSorted());
    for (const { setting, detail } of health.settings ?? [])
      expect(detail).toContain(`The setting ${setting} is not usable`);
    for (const name of group)
      await expect
        .poll(() => lines.some((line) => line.includes(`The setting ${name} is not usable`)))
        .toBe(true);
    expect([text, ...lines].filter((line) => line.includes('Passw0rd'))).toEqual([]);
    const page = await send('GET', `${origin}/calendar`, { headers: { Accept: 'text/html' } });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    if (isLenient) {
      expect(page.status).toBe(200);
      await untilReady(origin);
    }
  },
);

test.each(required)('%s that is missing is named', async (name) => {
  const { another, health } = await startWith({ [name]: '' });
  await using _ = another;
  expect(health.settings).toEqual([{ setting: name, detail: `The setting ${name} is missing.` }]);
});

test('all settings that are unusable at once are named, and people get a page', async () => {
  const { another, origin, status, health, text } = await startWith(
    Object.fromEntries(names.filter((name) => !textsForAll.includes(name)).map((name) => [name, rubbish])),
  );
  await using _ = another;
  expect(named(health)).toEqual(checkedNames.toSorted());
  expect([status, health.ready]).toEqual([503, false]);
  expect([text, ...lines].filter((line) => line.includes('Passw0rd'))).toEqual([]);
  for (const path of ['/', '/calendar', '/records', '/api/v8.0/diaries', '/nothing']) {
    const page = await send('GET', origin + path, { headers: { Accept: 'text/html' } });
    if (!path.startsWith('/api')) expect(page.headers.get('content-type'), path).toMatch(/^text\/html/);
    expect(page.text).not.toContain('Passw0rd');
  }
});

test('an app of the calendar alone misses no setting of the records', async () => {
  const { another, origin, health } = await startWith({
    APIS: 'calendar',
    DB_SERVER: '',
    DB_TRUSTED_CONNECTION: '',
    SERVICE_API_USERNAME: '',
  });
  await using _ = another;
  expect(health.settings).toBeUndefined();
  await untilReady(origin);
});
