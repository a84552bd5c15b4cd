/** Clients that break the protocol. */
import { describe, expect, test, vi } from 'vitest';
import { fc, numRuns } from '../../../../test/support/properties.ts';
import { converse, exchange } from '../support/raw-client.ts';
import { recordConversation } from '../support/recorded-conversation.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';
import { connect, startWire } from '../support/wire-server.ts';

/** A packet of the given type with the given body. */
function packet(type: number, body: Uint8Array, status = 1): Buffer {
  const header = Buffer.from([type, status, (body.length + 8) >> 8, (body.length + 8) & 0xff, 0, 0, 1, 0]);
  return Buffer.concat([header, body]);
}

const PRELOGIN = packet(0x12, Buffer.from([0xff]));

describe('a client that breaks the protocol', () => {
  test.each<[string, Uint8Array]>([
    ['speaks HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
    ['sends a packet that is shorter than its header', Buffer.from([0x12, 1, 0, 7, 0, 0, 0, 0])],
    ['sends a reply', packet(0x04, Buffer.from([0xff]))],
    ['begins with a batch', packet(0x01, Buffer.from('S\0'))],
    ['sends a batch where its login was due', Buffer.concat([PRELOGIN, packet(0x01, Buffer.alloc(4))])],
    ['sends an empty PRELOGIN', packet(0x12, Buffer.alloc(0))],
    ['sends an empty LOGIN7', Buffer.concat([PRELOGIN, packet(0x10, Buffer.alloc(0))])],
    [
      'sends a login without end',
      Buffer.concat([PRELOGIN, ...Array.from({ length: 5 }, () => packet(0x10, Buffer.alloc(32_000), 0))]),
    ],
    ['does not wait for replies', Buffer.concat(Array.from({ length: 20 }, () => PRELOGIN))],
  ])('that %s is told so and closed', async (_name, bytes) => {
    await using server = await startWire(new ScriptedEngine());
    const received = await converse(server.port, bytes, { stay: true });
    expect(received.toString('utf16le', received.indexOf('T\0h\0e\0'))).toContain(
      'protocol stream is incorrect',
    );
    expect(server.log).toEqual([expect.stringMatching(/^Connection \d+ closed: [^\n]*$/)]);
  });

  test('that does not log in within half a minute is cut off', async () => {
    await using server = await startWire(new ScriptedEngine());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const silent = expect(exchange(server.port, [PRELOGIN, PRELOGIN.subarray(0, 4)])).rejects.toThrow(
        'closed',
      );
      await expect.poll(() => vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(30_000);
      await silent;
    } finally {
      vi.useRealTimers();
    }
  });

  test('that leaves in the middle of a packet leaves no trace', async () => {
    const engine = new ScriptedEngine();
    await using server = await startWire(engine);
    await converse(server.port, PRELOGIN.subarray(0, 5));
    expect({ log: server.log, sessions: engine.sessions }).toEqual({ log: [], sessions: [] });
  });
});

describe('conversations with faults in them', () => {
  /** One fault: what is done at which part of which message. */
  const fault = fc.record({
    message: fc.nat({ max: 20 }),
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    change: fc.oneof(
      fc.record({ kind: fc.constant('set' as const), byte: fc.integer({ min: 0, max: 255 }) }),
      fc.record({ kind: fc.constant('flip' as const), bit: fc.nat({ max: 7 }) }),
      fc.record({ kind: fc.constant('cut' as const), length: fc.integer({ min: 1, max: 64 }) }),
      fc.record({
        kind: fc.constant('insert' as const),
        bytes: fc.uint8Array({ minLength: 1, maxLength: 16 }),
      }),
      fc.record({ kind: fc.constant('long' as const), length: fc.integer({ min: 0, max: 0xffff }) }),
    ),
    /** Corrects the packet's length afterwards, so that the fault reaches the layers above. */
    mend: fc.boolean(),
  });

  type Fault = typeof fault extends fc.Arbitrary<infer T> ? T : never;

  function spoil(messages: readonly Buffer[], { message, at, change, mend }: Fault): Buffer[] {
    const index = message % messages.length;
    return messages.map((bytes, position) => {
      if (position !== index) return bytes;
      const spoilt = spoilBytes(bytes, Math.floor(at * bytes.length), change);
      if (mend && spoilt.length >= 8) spoilt.writeUInt16BE(spoilt.length, 2);
      return spoilt;
    });
  }

  function spoilBytes(bytes: Buffer, at: number, change: Fault['change']): Buffer {
    const spoilt = Buffer.from(bytes);
    switch (change.kind) {
      case 'set':
        spoilt[at] = change.byte;
        return spoilt;
      case 'flip':
        spoilt[at] = (spoilt[at] ?? 0) ^ (1 << change.bit);
        return spoilt;
      case 'cut':
        return Buffer.concat([spoilt.subarray(0, at), spoilt.subarray(at + change.length)]);
      case 'insert':
        return Buffer.concat([spoilt.subarray(0, at), change.bytes, spoilt.subarray(at)]);
      case 'long':
        if (at + 2 <= spoilt.length) spoilt.writeUInt16LE(change.length, at);
        return spoilt;
    }
  }

  test('never stop the server, never hang a connection, and never hurt another', async () => {
    const engine = new ScriptedEngine();
    await using server = await startWire(engine);
    const messages = await recordConversation(server.port);
    expect(messages.map((bytes) => bytes[0])).toEqual([0x12, 0x10, 0x01, 0x01, 0x03]);
    await using witness = await connect(server.port);
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 3 }), async (faults) => {
        await converse(server.port, Buffer.concat(faults.reduce(spoil, messages)));
        expect((await witness.request().batch('SELECT 1')).recordset).toEqual([{ '': 1 }]);
      }),
      numRuns(1_000),
    );
    // A fault of ours would be logged with its stack.
    expect(server.log.filter((line) => line.includes('\n'))).toEqual([]);
    await expect.poll(() => engine.sessions.filter(({ log }) => log.at(-1) !== 'close')).toHaveLength(1);
  });
});
