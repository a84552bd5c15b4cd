/** Requests that neither mssql nor tedious sends: the bytes of a real batch, changed. */
import { expect, test } from 'vitest';
import { exchange } from '../support/raw-client.ts';
import { recordConversation } from '../support/recorded-conversation.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';
import { startWire } from '../support/wire-server.ts';

const STATUS = 1;
/** Of ALL_HEADERS' transaction descriptor in a batch: packet header, total length, length, type. */
const DESCRIPTOR = 8 + 4 + 4 + 2;
const LAST_AND_RESET = 0x01 | 0x08;
const LAST_AND_RESET_KEEP_TRANSACTION = 0x01 | 0x10;
const ROW_OF_SELECT_1 = 'd101000000';

/** Logs in, sends the batch `SELECT 1` as changed and once more as it was, and returns both answers. */
async function answers(change: (batch: Buffer) => void): Promise<{ changed: Buffer; unchanged: Buffer }> {
  await using server = await startWire(new ScriptedEngine());
  const [prelogin, login, , batch] = await recordConversation(server.port);
  if (!prelogin || !login || !batch) throw new Error('the conversation is too short');
  const changedBatch = Buffer.from(batch);
  change(changedBatch);
  const [, , changed, unchanged] = await exchange(server.port, [prelogin, login, changedBatch, batch]);
  if (!changed || !unchanged) throw new Error('an answer is missing');
  return { changed, unchanged };
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').toString('hex');
}

test.each<[string, (batch: Buffer) => void, string]>([
  [
    'a batch in a transaction that the server does not know fails with 3971',
    (batch) => batch.writeUInt8(9, DESCRIPTOR),
    utf16('The server failed to resume the transaction. Desc:9.'),
  ],
  [
    'a reset that keeps the transaction is acknowledged, and the batch is answered',
    (batch) => batch.writeUInt8(LAST_AND_RESET_KEEP_TRANSACTION, STATUS),
    'e3030012000081',
  ],
  [
    'a reset with a batch is acknowledged, and the batch is answered',
    (batch) => batch.writeUInt8(LAST_AND_RESET, STATUS),
    'e3030012000081',
  ],
])('%s, and the connection lives on', async (_name, change, expected) => {
  const { changed, unchanged } = await answers(change);
  expect(changed.toString('hex')).toContain(expected);
  expect(unchanged.toString('hex')).toContain(ROW_OF_SELECT_1);
});
