/** What is asked of the databases, whole, as it is stored in `statements.txt`: after a change on purpose, `npm test -- records/statements -u` writes it again. */

import { expect, test } from 'vitest';
import { findMissingSources } from '../../../../shared/records/custom-data/missing-sources.ts';
import {
  type Registration,
  readRegistrations,
  readWriteSnapshot,
} from '../../../../shared/records/custom-data/registrations.ts';
import { type Reference, readSources } from '../../../../shared/records/custom-data/sources.ts';
import { storeCustomData } from '../../../../shared/records/custom-data/store.ts';
import { createObjects } from '../../../../shared/records/objects/find.ts';
import { objectKinds } from '../../../../shared/records/objects/kinds.ts';
import { readLabels } from '../../../../shared/records/objects/labels.ts';
import { searchObjects } from '../../../../shared/records/objects/search.ts';
import {
  createObject,
  listObjects,
  readObject,
  updateObject,
} from '../../../../shared/records/objects/store.ts';
import { listReferenceData, readReferenceData } from '../../../../shared/records/reference-data.ts';
import { checkRights } from '../../../../shared/records/rights.ts';
import { isSchemaAhead } from '../../../../shared/records/schema.ts';
import { createUserBindings } from '../../../../shared/records/user-bindings.ts';
import { createUsers } from '../../../../shared/records/users.ts';
import type { Database } from '../../../../shared/sql/database.ts';
import type { ResultSet } from '../../../../shared/sql/values.ts';

/** A database that notes what it is asked, and answers with one result. */
function database(result: ResultSet = { columns: [], rows: [] }) {
  const asked: string[] = [];
  const noting: Database = {
    async query(sql, parameters = {}, options = {}) {
      const values = Object.entries(parameters).map(([name, { value, ...type }]) => {
        const given = typeof value === 'function' ? value() : value;
        const shown = /^[\da-f-]{36}$/.test(String(given)) ? 'a UUID' : given;
        return `  @${name} ${Object.values(type).join(' ')}: ${JSON.stringify(shown)}`;
      });
      asked.push(JSON.stringify(options), ...values, sql.trim(), '');
      return [result];
    },
  };
  return { asked, noting };
}

const user = { usrPropID: 2, langID: 1033, account: 'alice', name: 'Alice Archer' };
const { diary, journalizedCase, deed } = objectKinds;

const reference = (identifier: string, source: Partial<Reference['source']>): Registration => ({
  ...{ identifier, kind: 'REF', shape: undefined },
  source: { hasProcedure: false, view: 'usable', ...source },
});
const registrations: readonly Registration[] = [
  { identifier: 'plain', kind: 'JSON', customData: '{}' },
  reference('called', { hasProcedure: true, view: 'missing' }),
  { ...(reference('view]ed', {}) as Reference), kind: 'REF_RO' },
];
const call = {
  ...{ identifier: 'called', pointer: '/called', source: '{}', unknown: [], errors: [] },
  arguments: [{ name: '@pname', parameter: { type: 'nvarchar', length: 20, value: 'x' } as const }],
};
const parameter = { name: '@LANGid', type: 'int', maxLength: 4, precision: 10, scale: 0 };
const snapshot = { registrations, version: 3, setParameters: new Map([['called', [parameter]]]) };
const change = { rows: [{ name: 'plain', text: '{"a":1}' }], calls: [], snapshot, conditional: false };
const of = { propID: 7, typeID: 5, user };
const fields = {
  title: 'T',
  description: null,
  bkStr1: 'a',
  bkInt02: 3,
  bkDate03: '2026-01-02',
  bkFloat04: 1.5,
};
const search = { where: {}, sort: [], page: { limit: 11, offset: 20 }, total: false };

const operations: Readonly<Record<string, (item: Database) => Promise<unknown>>> = {
  'create a diary': (main) =>
    createObject(main, diary, { ...fields, year: 2026 }, { typeID: 2, parentPropID: undefined }),
  'create a case': (main) => createObject(main, journalizedCase, fields, { typeID: 3, parentPropID: 9 }),
  'read a deed': (main) => readObject(main, deed, 7),
  'update a deed': (main) => updateObject(main, deed, 7, fields, undefined),
  'update a deed with a condition': (main) => updateObject(main, deed, 7, fields, ['"a"']),
  'update nothing of a deed': (main) => updateObject(main, deed, 7, {}, undefined),
  'list deeds': (main) => listObjects(main, deed, { parentPropID: 9, page: { limit: 11, offset: 20 } }),
  'search diaries': (main) => searchObjects(main, diary, search),
  'search cases': (main) =>
    searchObjects(main, journalizedCase, {
      ...search,
      where: {
        ...{ bkStr1: 'a', bkInt1: 1, 'bkStr02[contains]': '5%_[x]\\', 'bkStr3[startsWith]': 'b' },
        ...{ 'bkInt1[from]': 1, 'bkDate1[to]': '2026-01-01', 'bkFloat1[from]': 0.5 },
      },
      sort: ['-bkStr1', 'title', 'createdAt', '-updatedAt', 'number', 'bkFloat30'],
      total: true,
    }),
  'search for what no column can hold': (main) =>
    searchObjects(main, deed, { ...search, where: { 'bkStr1[contains]': 'x'.repeat(256) } }),
  'find an object': (main) => createObjects(() => ({ deeds: 4 })).propIdOf(main, deed, 'x'.repeat(64)),
  'find an object with too long an id': (main) =>
    createObjects(() => ({ deeds: 4 })).propIdOf(main, deed, 'x'.repeat(65)),
  'confirm the procedure': (main) => createObjects(() => ({})).confirm(main),
  'read labels': (customization) => readLabels(customization, { typeID: 5, langID: 1033 }),
  'find a user': (main) => createUsers(() => 'service').byEmail(main, 'Ann@Example.org'),
  'find the account of the service': (main) => createUsers(() => 'service').service(main),
  'bind a user': (customization) => createUserBindings(() => true).isBoundTo(customization, 2, 'object'),
  'list reference data': listReferenceData,
  'read reference data': (main) => readReferenceData(main, 'x'.repeat(120), 1033),
  'read reference data with too long a name': (main) => readReferenceData(main, 'x'.repeat(121), 1033),
  'read registrations': (customization) => readRegistrations(customization, { propID: 7 }),
  'read registrations before a write': (customization) => readWriteSnapshot(customization, of),
  'find missing sources': findMissingSources,
  'read sources': (customization) => readSources(customization, registrations.slice(1) as Reference[], of),
  'store custom data': (customization) => storeCustomData(customization, of, change),
  'store custom data with calls, under a condition': (customization) =>
    storeCustomData(customization, of, { ...change, calls: [call, call], conditional: true }),
  'store custom data without sources': (customization) =>
    storeCustomData(
      customization,
      { propID: 7, user },
      {
        ...change,
        snapshot: { ...snapshot, registrations: registrations.slice(0, 1) },
      },
    ),
  'read the versions of the schema': (both) => isSchemaAhead({ main: both, customization: both }),
  'check the rights': (both) => checkRights({ main: both, customization: both }, [], false),
  'check the rights to metadata and bindings': (both) =>
    checkRights({ main: both, customization: both }, ['tDiaries'], true),
};

test('the databases are asked as it is stored', async () => {
  const lines: string[] = [];
  for (const [title, operation] of Object.entries(operations)) {
    const { asked, noting } = database();
    const outcome = await operation(noting).then(
      () => 'done',
      ({ code, message }: { code?: string; message: string }) => code ?? message,
    );
    lines.push(`# ${title}: ${outcome}`, ...asked);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('statements.txt');
});
