/** The records API over a connection that breaks: nothing half-written, an answer in time, recovery without a restart. */

import { describe, expect, inject, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { createObjects, documentWithSource, recordsAs } from '../support/records.ts';
import { createDatabasesBehindProxy } from '../support/sql-server-behind-proxy.ts';
import { containsStatement } from '../support/tcp-proxy.ts';

const { proxy, settings } = await createDatabasesBehindProxy();
const app = useApp({ settings, prepareDatabases: false });
const alice = recordsAs(app, 'alice@example.org');
const path = '/v7/documents/document-letter/custom-data';

interface State {
  readonly remark?: string;
  readonly invoice: { readonly number: string };
  readonly invoiceHistory: readonly unknown[];
}

async function state(): Promise<State> {
  return (await alice('GET', path)).json as State;
}

const change = (number: string) => ({
  remark: number,
  invoice: { number, amount: 1, dueDate: null, paid: true },
});

/**
 * Returns what tells the chunks of a reply, which follow one another, that come before the COMMIT is done: our statements tell at once
 * which of their steps begins, so the first chunk is not yet behind it.
 */
function untilCommitted(): (chunk: Buffer) => boolean {
  const step = Buffer.from('$step ', 'utf16le');
  const commit = Buffer.from('$step commit', 'utf16le');
  /** Bytes behind the text of a message: the name of the server and the line. What is longer is more than this message. */
  const restOfMessage = 64;
  let isTold = false;
  return (chunk) => {
    if (isTold) return false;
    const at = chunk.indexOf(commit);
    if (at < 0) return chunk.includes(step);
    isTold = true;
    return chunk.length - at - commit.length < restOfMessage;
  };
}

/** Cuts a connection that has sent its COMMIT once that is done, before the client hears of it. Others may be answered first, such as one that the pool opens. */
function cutBehindCommit(connection: object, whenCut: () => void): void {
  const isBefore = untilCommitted();
  proxy.onReply = (answered, chunk) => {
    if (answered !== connection || isBefore(chunk)) return 'pass';
    whenCut();
    return 'cut';
  };
}

/** Breaks the next connection that carries a statement; unless told, the one with COMMIT. */
function breakOnce(when: 'before' | 'during' | 'after', statement = 'COMMIT TRANSACTION'): void {
  let broken = false;
  proxy.onRequest = (bytes, connection) => {
    if (broken || !containsStatement(bytes, statement)) return 'pass';
    broken = true;
    if (when === 'before') return 'cut';
    if (when === 'during') return 'pass-then-cut';
    cutBehindCommit(connection, () => {
      proxy.onReply = undefined;
    });
    return 'pass';
  };
}

describe('a connection that is lost', () => {
  test('before COMMIT reaches the server leaves everything as it was', async () => {
    const before = await state();
    breakOnce('before');
    const reply = await alice('PUT', path, { body: change('before') });
    expect({ status: reply.status, json: reply.json }).toMatchObject({
      status: 503,
      json: { code: 'outcome-unknown' },
    });
    expect(reply.headers.get('retry-after')).toBe('5');
    expect(await state()).toEqual(before);
  });

  test('during COMMIT leaves all or nothing', async () => {
    const before = await state();
    breakOnce('during');
    expect((await alice('PUT', path, { body: change('during') })).status).toBe(503);
    const after = await state();
    const stored = after.remark === 'during';
    expect({ number: after.invoice.number === 'during', history: after.invoiceHistory.length }).toEqual({
      number: stored,
      history: before.invoiceHistory.length + (stored ? 1 : 0),
    });
  });

  test('after COMMIT leaves the change stored, once', async () => {
    const before = await state();
    breakOnce('after');
    expect((await alice('PUT', path, { body: change('after') })).status).toBe(503);
    const after = await state();
    expect({
      remark: after.remark,
      number: after.invoice.number,
      history: after.invoiceHistory.length,
    }).toEqual({ remark: 'after', number: 'after', history: before.invoiceHistory.length + 1 });
  });

  test.each(['before', 'during', 'after'] as const)(
    '%s COMMIT does not matter when only JSON values are stored',
    async (when) => {
      breakOnce(when);
      expect((await alice('PUT', path, { body: { remark: `json ${when}` } })).status).toBe(200);
      expect(await state()).toMatchObject({ remark: `json ${when}` });
    },
  );

  test('behind the outcome, while sources are read again, is no error of the change', async () => {
    const { path: there, identifier } = await documentWithSource(app, 'REF', (name) => [
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS
SELECT REPLICATE(CAST(N'x' AS nvarchar(max)), 200000) AS value`,
    ]);
    let chunks = 0;
    proxy.onRequest = (bytes) => {
      if (containsStatement(bytes, 'COMMIT TRANSACTION'))
        proxy.onReply = () => (++chunks > 1 ? 'cut' : 'pass');
      return 'pass';
    };
    const { status, headers } = await alice('PUT', there, { body: { remark: 'stored' } });
    proxy.onRequest = undefined;
    proxy.onReply = undefined;
    expect([status, headers.get('etag')]).toEqual([200, null]);
    expect(chunks).toBeGreaterThan(1);
    expect((await alice('GET', `${there}?identifiers=remark`)).text).toBe('{"remark":"stored"}');
    expect((await alice('GET', `${there}/${identifier}`)).status).toBe(200);
  });

  test('behind the outcome, in a source that takes too long, is no error of the change', async () => {
    const { path: there, identifier } = await documentWithSource(app, 'REF', (name) => [
      `CREATE TABLE dbo.[table_${name}] (value int NOT NULL)`,
      `INSERT INTO dbo.[table_${name}] VALUES (1)`,
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS
IF (SELECT value FROM dbo.[table_${name}]) = 2 WAITFOR DELAY '00:10:00';
SELECT value FROM dbo.[table_${name}]`,
      `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pvalue int AS
UPDATE dbo.[table_${name}] SET value = @pvalue`,
    ]);
    const body = { remark: 'stored', [identifier]: { value: 2 } };
    const { status, headers } = await alice('PUT', there, { body });
    expect([status, headers.get('etag')]).toEqual([200, null]);
    expect((await alice('GET', `${there}/remark`)).text).toBe('"stored"');
  });

  test('does not create an object twice', async () => {
    const list = async () => (await alice('GET', '/v8.0/diaries')).json as unknown[];
    const before = await list();
    breakOnce('after');
    expect((await alice('POST', '/v8.0/diaries', { body: { title: 'Once', year: 2026 } })).status).toBe(201);
    expect(await list()).toHaveLength(before.length + 1);
  });
});

describe('a PUT of many whose connection is lost', () => {
  const ids = ['document-letter', 'document-contract'];
  const many = '/v8.0/documents/custom-data/of-many';
  const tagged = (value: string, etags: readonly (string | undefined)[]) =>
    ids.map((id, index) => ({ id, ...(etags[index] === undefined ? {} : { etag: etags[index] }), value }));
  const valuesOf = async () =>
    Promise.all(
      ids.map(async (id) => (await alice('GET', `/v8.0/documents/${id}/custom-data/of-many`)).json),
    );

  test.each([
    ['before', 'strict', false],
    ['after', 'strict', true],
    ['before', 'lenient', false],
    ['after', 'lenient', true],
  ] as const)(
    '%s COMMIT (%s) says so, and the same call can be sent again',
    async (when, handling, isStored) => {
      const headers = { Prefer: `handling=${handling}` };
      const first = await alice('PUT', many, { body: tagged('first', []), headers });
      const etags = (first.json as { etag: string }[]).map(({ etag }) => etag);
      breakOnce(when);
      const reply = await alice('PUT', many, { body: tagged(`${when} ${handling}`, etags), headers });
      if (handling === 'strict')
        expect(reply).toMatchObject({ status: 503, json: { code: 'outcome-unknown' } });
      else
        expect(reply).toMatchObject({
          status: 200,
          json: ids.map(() => ({ result: 'refused', status: 503, problem: { code: 'outcome-unknown' } })),
        });
      const expected = isStored ? `${when} ${handling}` : 'first';
      await expect.poll(valuesOf).toEqual(ids.map(() => expected));
      const again = await alice('PUT', many, {
        body: tagged(`${when} ${handling}`, etags),
        headers: { Prefer: 'handling=lenient' },
      });
      expect((again.json as { status: number }[]).map(({ status }) => status)).toEqual(
        ids.map(() => (isStored ? 412 : 200)),
      );
    },
  );
});

describe('a creation with an Idempotency-Key whose connection is lost', () => {
  const unknown = {
    status: 503,
    json: {
      code: 'outcome-unknown',
      hint: 'Send the request again with the same Idempotency-Key: the object is created once.',
    },
  };
  const list = async () => (await alice('GET', '/v8.0/diaries')).json as unknown[];

  function create(key: string) {
    const headers = { 'Idempotency-Key': key };
    return alice('POST', '/v8.0/diaries', { body: { title: key, year: 2026 }, headers });
  }

  test.each(['before', 'during', 'after'] as const)(
    '%s COMMIT is created once by the same request, and found by the next',
    async (when) => {
      const before = await list();
      breakOnce(when);
      const reply = await create(`key ${when}`);
      expect([reply.status, reply.headers.get('idempotent-replayed')]).toEqual([201, null]);
      const again = await create(`key ${when}`);
      expect([again.json, again.headers.get('idempotent-replayed')]).toEqual([reply.json, 'true']);
      expect(await list()).toHaveLength(before.length + 1);
    },
  );

  test.each(['before', 'after'] as const)(
    '%s COMMIT to a server that is gone then, leaves an outcome that the next request finds',
    async (when) => {
      const before = await list();
      proxy.onRequest = (bytes, connection) => {
        if (!containsStatement(bytes, 'COMMIT TRANSACTION')) return 'pass';
        if (when === 'before') {
          proxy.gone = true;
          return 'cut';
        }
        cutBehindCommit(connection, () => {
          proxy.gone = true;
        });
        return 'pass';
      };
      const reply = await create(`gone ${when}`);
      Object.assign(proxy, { onRequest: undefined, onReply: undefined, gone: false });
      expect(reply).toMatchObject(unknown);
      await expect.poll(async () => (await create(`gone ${when}`)).status).toBe(201);
      const again = await create(`gone ${when}`);
      expect(again).toMatchObject({ status: 201, json: { title: `gone ${when}` } });
      expect(await list()).toHaveLength(before.length + 1);
    },
  );
});

describe('a connection that is lost under a condition', () => {
  const unknown = {
    status: 503,
    json: {
      code: 'outcome-unknown',
      hint: 'Read the object before you repeat the change; it was stored as a whole or not at all.',
    },
    wait: '5',
  };

  async function newDocument() {
    const { document } = await createObjects(alice);
    return `/v8.0/documents/${document}`;
  }

  test.each(['before', 'after'] as const)(
    '%s COMMIT of a PUT with If-Match leaves the outcome unknown, since a second one could not succeed',
    async (when) => {
      const customData = `${await newDocument()}/custom-data`;
      const etag = (await alice('GET', customData)).headers.get('etag') ?? '';
      breakOnce(when);
      const reply = await alice('PUT', customData, { body: { a: 1 }, headers: { 'If-Match': etag } });
      expect({
        status: reply.status,
        json: reply.json,
        wait: reply.headers.get('retry-after'),
      }).toMatchObject(unknown);
      expect((await alice('GET', customData)).json).toEqual(when === 'after' ? { a: 1 } : {});
    },
  );

  test.each(['before', 'after'] as const)(
    '%s the change of a PATCH with If-Match leaves the outcome unknown',
    async (when) => {
      const document = await newDocument();
      const etag = (await alice('GET', document)).headers.get('etag') ?? '';
      breakOnce(when, 'UPDATE dbo.tDocuments');
      const reply = await alice('PATCH', document, { body: { title: 'New' }, headers: { 'If-Match': etag } });
      expect({
        status: reply.status,
        json: reply.json,
        wait: reply.headers.get('retry-after'),
      }).toMatchObject(unknown);
      expect((await alice('GET', document)).json).toMatchObject({
        title: when === 'after' ? 'New' : 'Document',
      });
    },
  );

  test.each(['before', 'during', 'after'] as const)(
    '%s the change does not matter for a PATCH without a condition',
    async (when) => {
      const document = await newDocument();
      breakOnce(when, 'UPDATE dbo.tDocuments');
      expect((await alice('PATCH', document, { body: { title: 'New' } })).json).toMatchObject({
        title: 'New',
      });
    },
  );

  test.each<[string, string, string, object]>([
    ['a creation', 'POST', '/v8.0/diaries', { title: 'Unknown', year: 2026 }],
    ['a PUT of JSON values', 'PUT', '/custom-data', { a: 'Unknown' }],
    ['a PATCH', 'PATCH', '', { title: 'Unknown' }],
  ])('of %s, to a server that is gone then, leaves the outcome unknown', async (_, method, below, body) => {
    const changed = method === 'POST' ? below : `${await newDocument()}${below}`;
    proxy.onRequest = (bytes, connection) => {
      if (!containsStatement(bytes, 'COMMIT TRANSACTION')) return 'pass';
      cutBehindCommit(connection, () => {
        proxy.gone = true;
      });
      return 'pass';
    };
    const { status, json } = await alice(method, changed, { body });
    Object.assign(proxy, { onRequest: undefined, onReply: undefined, gone: false });
    expect({ status, json, wait: '5' }).toMatchObject(unknown);
    await expect.poll(async () => (await alice('GET', changed)).text).toContain('Unknown');
  });

  /** Has the next change of a document cut off, and another caller change it before it is sent again. */
  function changeBehind(when: 'before' | 'after', change: () => Promise<unknown>): Promise<unknown> {
    breakOnce(when, 'UPDATE dbo.tDocuments');
    const breaks = proxy.onRequest;
    return new Promise((done, failed) => {
      let first: object | undefined;
      proxy.onRequest = (bytes, connection) => {
        if (!containsStatement(bytes, 'UPDATE dbo.tDocuments')) return 'pass';
        first ??= connection;
        if (connection === first) return breaks?.(bytes, connection) ?? 'pass';
        proxy.onRequest = undefined;
        change()
          .then(done, failed)
          .finally(() => proxy.release());
        return 'hold';
      };
    });
  }

  test.each(['before', 'after'] as const)(
    '%s the change of a PATCH without a condition does not undo what others store before it is sent again',
    async (when) => {
      await using direct = await app.startAnother({ DB_SERVER: `127.0.0.1,${inject('sqlServerPort')}` });
      const document = await newDocument();
      const others = changeBehind(when, () =>
        alice('PATCH', document, { base: direct.base, body: { title: 'Of others' } }),
      );
      const reply = await alice('PATCH', document, { body: { title: 'New' } });
      expect(await others).toMatchObject({ status: 200, json: { title: 'Of others' } });
      expect({
        status: reply.status,
        json: reply.json,
        wait: reply.headers.get('retry-after'),
      }).toMatchObject(unknown);
      expect((await alice('GET', document)).json).toMatchObject({ title: 'Of others' });
    },
  );

  test('after the change of a PATCH without a condition is no fault where others have changed other fields', async () => {
    await using direct = await app.startAnother({ DB_SERVER: `127.0.0.1,${inject('sqlServerPort')}` });
    const document = await newDocument();
    const body = { title: 'New', bkFloat01: 1.1, bkDate01: '2031-05-01', bkInt01: 0, bkStr01: null };
    const others = changeBehind('after', () =>
      alice('PATCH', document, { base: direct.base, body: { description: 'Of others' } }),
    );
    const reply = await alice('PATCH', document, { body });
    await others;
    expect(reply).toMatchObject({ status: 200, json: { ...body, description: 'Of others' } });
  });
});

describe('a server that', () => {
  test('is gone answers 503, and the next request after it is back succeeds', async () => {
    await state();
    proxy.gone = true;
    proxy.cutAll();
    const replies = await Promise.all(Array.from({ length: 10 }, () => alice('GET', path)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
    expect(replies.some(({ text }) => text.includes('DB_SERVER'))).toBe(false);
    expect(replies.every(({ headers }) => headers.get('retry-after') !== null)).toBe(true);
    proxy.gone = false;
    await expect.poll(async () => (await alice('GET', path)).status).toBe(200);
  });

  test('does not answer any more is 503, and is used again when it does', async () => {
    await state();
    proxy.silent = true;
    expect((await alice('GET', path)).status).toBe(503);
    proxy.silent = false;
    proxy.cutAll();
    await expect.poll(async () => (await alice('GET', path)).status).toBe(200);
  });
});
