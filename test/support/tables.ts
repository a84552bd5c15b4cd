import { afterAll, beforeAll } from 'vitest';
import { startTables } from '../../local/tables/start-tables.ts';

/**
 * Serves tables to the tests of a file: local ones, or those that TEST_TABLE_CONNECTION_STRING names.
 * `connectionString` may be asked for once the tests run.
 */
export function useTables(): { connectionString(): string } {
  const given = process.env['TEST_TABLE_CONNECTION_STRING'];
  let served = given;
  let stop = async () => {};
  beforeAll(async () => {
    if (given !== undefined) return;
    const tables = await startTables();
    served = tables.connectionString;
    stop = tables.stop;
  });
  afterAll(() => stop());
  return {
    connectionString() {
      if (served === undefined) throw new Error('The tables are not started yet');
      return served;
    },
  };
}
