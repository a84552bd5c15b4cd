/**
 * The answers of Microsoft's Functions host, request by request (recording.json), replayed against the emulator. With FUNCTIONS_HOST they
 * are replayed against a host at that address, which serves the app beside this file.
 */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RawReply, sendRaw } from '../../../../test/support/raw-http.ts';
import { type FunctionsHost, startFunctionsHost } from '../../start.ts';
import recording from './recording.json' with { type: 'json' };

interface RecordedReply {
  readonly status: number;
  /** Null for a header that must not be there. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly cookies?: readonly string[];
  readonly json?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly continued?: boolean;
  readonly closed?: boolean;
}

interface Case {
  readonly name: string;
  readonly lines: readonly string[];
  readonly body?: string;
  readonly keepAlive?: boolean;
  readonly answer: RecordedReply;
}

let host: FunctionsHost | undefined;
let hostUrl = process.env['FUNCTIONS_HOST'];
beforeAll(async () => {
  if (hostUrl !== undefined) return;
  host = await startFunctionsHost({ app: join(import.meta.dirname, 'app'), port: 0, settings: {} });
  hostUrl = host.url;
});
afterAll(() => host?.stop());

test('the host answers as it is recorded', async () => {
  const cases = recording.cases as unknown as readonly Case[];
  for (const testCase of cases) {
    const { answer, name } = testCase;
    const reply = await sendRaw(hostUrl ?? '', requestText(testCase));
    expect(seen(reply, answer), name).toEqual(expected(answer));
    if (answer.json !== undefined) expect(JSON.parse(fromUtf8(reply.body)), name).toMatchObject(answer.json);
  }
});

function requestText({ lines, body = '', keepAlive = false }: Case): string {
  const all = keepAlive ? lines : [...lines, 'Connection: close'];
  const text = all.map((line) => `${line}\r\n`).join('');
  return `${text.replace(/\{(.)\*(\d+)\}/g, (_, character: string, count) => character.repeat(Number(count)))}\r\n${body}`;
}

function expected({ json, ...answer }: RecordedReply): RecordedReply {
  return answer;
}

/** The reply, as far as the answer speaks of it. */
function seen(
  { status, headers, body, continued, closed }: RawReply,
  recorded: RecordedReply,
): RecordedReply {
  return {
    status,
    ...(recorded.headers && {
      headers: Object.fromEntries(
        Object.keys(recorded.headers).map((name) => [name, headers[name]?.join('|') ?? null]),
      ),
    }),
    ...(recorded.cookies && { cookies: headers['set-cookie'] ?? [] }),
    ...(recorded.text !== undefined && { text: body }),
    ...(recorded.continued !== undefined && { continued }),
    ...(recorded.closed !== undefined && { closed }),
  };
}

function fromUtf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
