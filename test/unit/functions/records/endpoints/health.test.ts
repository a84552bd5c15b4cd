/** What the check of the databases asks for, within which time, and for how long missing sources are remembered. */

import { expect, test } from 'vitest';
import { recordsDependency } from '../../../../../functions/records/endpoints/health.ts';
import type { RecordsService } from '../../../../../functions/records/operations/records-service.ts';
import { CodedError } from '../../../../../shared/errors.ts';
import type { DependencyState } from '../../../../../shared/http/health.ts';
import type { Database } from '../../../../../shared/sql/database.ts';
import { useFakeClock } from '../../../../support/timers.ts';

/** The dependency over databases without anything in them, and what it asks of them. */
function dependency(settingsError?: CodedError) {
  const asked: string[] = [];
  const deadlines: number[] = [];
  const databaseOf = (key: string): Database => ({
    async query(_sql, _parameters, { name = 'statement' } = {}) {
      asked.push(`${key}: ${name}`);
      return Array.from({ length: 4 }, () => ({ columns: [], rows: [] }));
    },
  });
  const failing = { main: false, customization: false };
  const databases = () => ({ main: databaseOf('main'), customization: databaseOf('customization') });
  const service = {
    databases: {
      failing,
      close: async () => {},
      within: databases,
      beyondPools(deadline: number) {
        deadlines.push(deadline - Date.now());
        return databases();
      },
    },
    users: { service: async () => void asked.push('the account of the service') },
    objects: { confirm: async () => void asked.push('the procedure') },
    bindings: { isOn: () => false },
    served: { kinds: [], metadata: [], kindOf: () => undefined },
    sources: {},
    settingsError,
  } as unknown as RecordsService;
  return { asked, deadlines, failing, ...recordsDependency(service) };
}

function ready(code?: string): DependencyState {
  const times = { since: new Date().toISOString(), milliseconds: 1, threshold: 2_000 };
  return { state: 'ready', ...(code === undefined ? {} : { code }), ...times };
}

test('the check asks for the account, the procedure, registrations and rights, in eight seconds', async () => {
  useFakeClock();
  const { asked, deadlines, check } = dependency();
  await check();
  expect(asked.slice(0, 3)).toEqual([
    'the account of the service',
    'the procedure',
    'customization: read registrations',
  ]);
  expect(asked.slice(3).toSorted()).toEqual(['customization: check rights', 'main: check rights']);
  expect(deadlines).toEqual([8_000]);
});

test('the check fails with a setting that is unusable', async () => {
  const { check } = dependency(
    new CodedError('configuration', 'Not usable.', { facts: { setting: 'OBJECT_TYPES' } }),
  );
  await expect(check()).rejects.toMatchObject({ code: 'configuration' });
});

test.each([
  [false, false, false],
  [true, false, true],
  [false, true, true],
])(
  'where the last use of the databases failed (%s, %s) it is checked again: %s',
  (main, customization, again) => {
    const { failing, shouldRecheck } = dependency();
    Object.assign(failing, { main, customization });
    expect(shouldRecheck?.(ready())).toBe(again);
  },
);

test('a database whose connections were all in use is checked again', () => {
  const { shouldRecheck } = dependency();
  expect(shouldRecheck?.(ready('database-busy'))).toBe(true);
  expect(shouldRecheck?.(ready('schema-ahead'))).toBe(false);
});

test('missing sources are remembered for a minute', async () => {
  const pass = useFakeClock();
  const { asked, details } = dependency();
  const looked: number[] = [];
  for (const milliseconds of [0, 59_999, 1]) {
    pass(milliseconds);
    expect(await details?.['missingSources']?.read()).toEqual([]);
    looked.push(asked.length);
  }
  expect([looked, asked[0]]).toEqual([[1, 1, 2], 'customization: find missing sources']);
});
