/** What is looked up in the databases, with parameters of which lengths, and how long it is remembered. */

import { describe, expect, test } from 'vitest';
import { Objects } from '../../../../functions/records/objects/find.ts';
import { objectKinds } from '../../../../functions/records/objects/kinds.ts';
import { UserBindings } from '../../../../functions/records/users/user-bindings.ts';
import { Users } from '../../../../functions/records/users/users.ts';
import type { Database } from '../../../../shared/sql/database.ts';
import type { Parameters, SqlValue } from '../../../../shared/sql/values.ts';
import { useFakeClock } from '../../../support/timers.ts';

/** A database that answers each statement with one row, and the parameters of each. */
function databaseOf(row: (parameters: Parameters) => Readonly<Record<string, SqlValue>>) {
  const asked: Parameters[] = [];
  const database: Database = {
    async query(_, parameters = {}) {
      asked.push(parameters);
      const columns = Object.keys(row(parameters)).map((name) => ({ name, type: 'nvarchar', scale: 0 }));
      return [{ columns, rows: [Object.values(row(parameters))] }];
    },
  };
  return { database, asked };
}

/** What is looked up, each under a number. */
function lookUps() {
  const users = databaseOf(({ email }) => ({
    usrPropID: 7,
    langID: 1033,
    account: 'ann',
    name: 'Ann',
    email: email?.value as string,
  }));
  const directory = new Users(() => 'service');
  const service = databaseOf(() => ({ usrPropID: 1, langID: 1033, account: 'service', name: 'Service' }));
  const objects = databaseOf(({ objectID }) => ({
    propID: 5,
    typeID: 2,
    objectID: objectID?.value as string,
  }));
  const found = new Objects(() => ({ diaries: 2 }));
  const bindings = databaseOf(() => ({ objectId: 'oid' }));
  const bound = new UserBindings(() => true);
  const nvarchar = (value: string, length: number) => ({ type: 'nvarchar', value, length });
  return {
    'a user by address': {
      asked: users.asked,
      look: (number: number) => directory.byEmail(users.database, `u${number}@example.org`),
      parameters: { email: nvarchar('u1@example.org', 254) },
    },
    'the account of the service': {
      asked: service.asked,
      look: () => directory.service(service.database),
      parameters: { account: nvarchar('service', 128) },
    },
    'an object': {
      asked: objects.asked,
      look: (number: number) => found.propIdOf(objects.database, objectKinds.diary, `o${number}`),
      parameters: { objectID: nvarchar('o1', 64) },
    },
    'a binding': {
      asked: bindings.asked,
      look: (number: number) => bound.isBoundTo(bindings.database, number, 'oid'),
      parameters: { usrPropID: { type: 'int', value: 1 }, objectId: nvarchar('oid', 128) },
    },
  };
}

type Name = keyof ReturnType<typeof lookUps>;
const names = Object.keys(lookUps()) as Name[];

describe.each(names)('%s', (name) => {
  test('is asked for with its parameters, and again after five seconds', async () => {
    const pass = useFakeClock();
    const { asked, look, parameters } = lookUps()[name];
    await look(1);
    pass(4_999);
    await look(1);
    expect(asked).toEqual([parameters]);
    pass(1);
    await look(1);
    expect(asked).toEqual([parameters, parameters]);
  });
});

test('an identifier of more than 64 characters stands for no object, and is not asked for', async () => {
  const { database, asked } = databaseOf(({ objectID }) => ({
    propID: 5,
    typeID: 2,
    objectID: objectID?.value as string,
  }));
  const objects = new Objects(() => ({ diaries: 2 }));
  expect(await objects.propIdOf(database, objectKinds.diary, 'x'.repeat(64))).toBe(5);
  await expect(objects.propIdOf(database, objectKinds.diary, 'x'.repeat(65))).rejects.toMatchObject({
    code: 'object-not-found',
  });
  expect(asked).toHaveLength(1);
});

test('an object of another type is not found, and a kind without a number is of no type', async () => {
  const { database } = databaseOf(({ objectID }) => ({
    propID: 5,
    typeID: 2,
    objectID: objectID?.value as string,
  }));
  const objects = new Objects(() => ({ diaries: 3 }));
  await expect(objects.propIdOf(database, objectKinds.diary, 'o1')).rejects.toMatchObject({
    code: 'object-not-found',
  });
  expect([objects.typeOf(objectKinds.diary), objects.typeOf(objectKinds.deed)]).toEqual([3, -1]);
});
