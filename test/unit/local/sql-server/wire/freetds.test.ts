/** An independent client: `tsql` of FreeTDS (Debian package freetds-bin). Where it is not installed these tests do not run. */
import { spawn, spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../../../local/sql-server/engine/session.ts';
import { ScriptedEngine } from '../../../../support/sql-server/scripted-engine.ts';
import { PASSWORD, startWire } from '../../../../support/sql-server/wire-server.ts';

const installed = spawnSync('tsql', ['-C']).status === 0;

interface Outcome {
  readonly lines: string[];
  readonly errors: string[];
}

/** Runs a script in `tsql` and returns what it prints, without its greeting and prompts. */
async function tsql(port: number, script: string, password = PASSWORD): Promise<Outcome> {
  const client = spawn(
    'tsql',
    ['-H', '127.0.0.1', '-p', String(port), '-U', 'sa', '-P', password, '-D', 'main', '-o', 'q'],
    {
      env: { ...process.env, LC_ALL: 'C.UTF-8', TDSVER: '7.4' },
    },
  );
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  client.stdout.on('data', (chunk) => out.push(chunk));
  client.stderr.on('data', (chunk) => err.push(chunk));
  client.stdin.on('error', () => {});
  client.stdin.end(script);
  await new Promise((resolve) => client.once('close', resolve));
  const lines = (chunks: Buffer[]) =>
    Buffer.concat(chunks)
      .toString()
      .split('\n')
      .filter((line) => line.trim() !== '');
  return { lines: lines(out), errors: lines(err) };
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

describe.runIf(installed)('tsql of FreeTDS', () => {
  test('logs in and prints a result set', async () => {
    await using server = await startWire(new ScriptedEngine({ row: () => row }));
    const { lines } = await tsql(server.port, 'row\ngo\nexit\n');
    expect(lines).toEqual([
      'i\td\tn\tv\tg\tb\tm',
      '-9007199254740993\t-1.10\tžluť\té€\t6F9619FF-8B86-D011-B42D-00C04FC964FF\t01ff\t12.5000',
      '1\tNULL\tNULL\tNULL\tNULL\tNULL\tNULL',
    ]);
  });

  test('prints an error, and goes on', async () => {
    await using server = await startWire(new ScriptedEngine({ row: () => row.slice(0, 1) }));
    const { lines, errors } = await tsql(server.port, 'nothing\ngo\nrow\ngo\nexit\n');
    expect(errors.join()).toContain('Msg 2812 (severity 16, state 62) from local Line 1');
    expect(lines).toEqual(['i\td\tn\tv\tg\tb\tm']);
  });

  test('hears that its password is wrong', async () => {
    await using server = await startWire(new ScriptedEngine());
    const { errors } = await tsql(server.port, 'exit\n', 'wrong');
    expect(errors.join()).toContain("Login failed for user 'sa'.");
  });
});
