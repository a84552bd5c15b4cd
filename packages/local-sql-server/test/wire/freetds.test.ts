/** An independent client: `tsql` of FreeTDS (Debian package freetds-bin). Where it is not installed these tests do not run. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/engine/session.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';
import { tsql, tsqlInstalled } from '../support/tsql.ts';
import { PASSWORD, startWire } from '../support/wire-server.ts';

function login(port: number, password = PASSWORD) {
  return { server: '127.0.0.1', port, user: 'sa', password, database: 'main' };
}

const row: Event[] = [
  {
    kind: 'columns',
    columns: [
      { name: 'i', type: { name: 'bigint' }, nullable: false },
      { name: 'd', type: { name: 'decimal', precision: 9, scale: 2 }, nullable: true },
      { name: 'n', type: { name: 'nvarchar', length: 'max' }, nullable: true },
      { name: 'v', type: { name: 'varchar', length: 10 }, nullable: true },
      { name: 'g', type: { name: 'uniqueidentifier' }, nullable: true },
      { name: 'b', type: { name: 'varbinary', length: 'max' }, nullable: true },
      { name: 'm', type: { name: 'money' }, nullable: true },
    ],
  },
  {
    kind: 'row',
    values: [
      -9007199254740993n,
      '-1.10',
      'žluť',
      'é€',
      '6F9619FF-8B86-D011-B42D-00C04FC964FF',
      Buffer.from([1, 255]),
      '12.5000',
    ],
  },
  { kind: 'row', values: [1n, null, null, null, null, null, null] },
  { kind: 'statementDone', count: 2, insideProcedure: false },
];

describe.runIf(tsqlInstalled)('tsql of FreeTDS', () => {
  test('logs in and prints a result set', async () => {
    await using server = await startWire(new ScriptedEngine({ row: () => row }));
    const { lines } = await tsql(login(server.port), 'row\ngo\nexit\n');
    expect(lines).toEqual([
      'i\td\tn\tv\tg\tb\tm',
      '-9007199254740993\t-1.10\tžluť\té€\t6F9619FF-8B86-D011-B42D-00C04FC964FF\t01ff\t12.5000',
      '1\tNULL\tNULL\tNULL\tNULL\tNULL\tNULL',
    ]);
  });

  test('prints an error, and goes on', async () => {
    await using server = await startWire(new ScriptedEngine({ row: () => row.slice(0, 1) }));
    const { lines, errors } = await tsql(login(server.port), 'nothing\ngo\nrow\ngo\nexit\n');
    expect(errors.join()).toContain('Msg 2812 (severity 16, state 62) from local Line 1');
    expect(lines).toEqual(['i\td\tn\tv\tg\tb\tm']);
  });

  test('hears that its password is wrong', async () => {
    await using server = await startWire(new ScriptedEngine());
    const { errors } = await tsql(login(server.port, 'wrong'), 'exit\n');
    expect(errors.join()).toContain("Login failed for user 'sa'.");
  });
});
