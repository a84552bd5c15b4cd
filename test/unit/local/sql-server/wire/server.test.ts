import { describe, expect, test } from 'vitest';
import { ScriptedEngine } from '../../../../support/sql-server/scripted-engine.ts';
import { connect, startWire } from '../../../../support/sql-server/wire-server.ts';

describe('the wire, driven by mssql', () => {
  test('answers SELECT 1 as a batch', async () => {
    await using server = await startWire(new ScriptedEngine());
    await using pool = await connect(server.port);
    const { recordset, rowsAffected } = await pool.request().batch('SELECT 1');
    expect({ rows: [...recordset], rowsAffected }).toEqual({ rows: [{ '': 1 }], rowsAffected: [1] });
  });
});
