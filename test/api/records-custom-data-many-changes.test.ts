/** PUT of one identifier of many objects: as single PUTs would do, all or each, by tags, in few statements. */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { numRuns } from '../support/properties.ts';
import { recordsAs, typeNumber } from '../support/records.ts';

const app = useApp();
const { main, customization } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');
const bjorn = recordsAs(app, 'bjorn@example.org');
const collection = '/v8.0/journalized-cases';
const lenient = { Prefer: 'handling=lenient' };

interface Item {
  readonly id: string;
  readonly etag?: string;
  readonly value: unknown;
}

interface Answer {
  readonly id: string;
  readonly result: string;
  readonly status: number;
  readonly etag?: string;
  readonly problem?: { readonly code: string; readonly errors?: readonly { readonly pointer: string }[] };
}

/** Creates cases that a mark finds; their identifiers end with their index. */
async function createCases(count: number) {
  const mark = randomUUID();
  const typeID = typeNumber(app, 'journalized-cases');
  await main(`DECLARE @i int = 0;
WHILE @i < ${count}
BEGIN
  INSERT INTO dbo.tObjProperties (objectID, moduleID, typeID) VALUES (CONCAT(N'${mark}-', @i), 2, ${typeID});
  INSERT INTO dbo.tJournalizedCases (propID, parentPropID, number, title, bkStr30)
  SELECT TOP (1) SCOPE_IDENTITY(), propID, CONCAT(N'${mark.slice(0, 8)}/', @i), N'Case', N'${mark}' FROM dbo.tDiaries;
  SET @i = @i + 1;
END`);
  const rows = await main(
    `SELECT propID FROM dbo.tJournalizedCases WHERE bkStr30 = N'${mark}' ORDER BY propID`,
  );
  const identifier = `w${mark.slice(0, 8)}`;
  return {
    identifier,
    propIDs: rows.map((row) => Number(row['propID'])),
    ids: rows.map((_, index) => `${mark}-${index}`),
    path: `${collection}/custom-data/${identifier}`,
    list: `${collection}/custom-data/${identifier}?bkStr30=${mark}&limit=1000`,
  };
}

type Cases = Awaited<ReturnType<typeof createCases>>;

/** Makes a view with one row for each object, and a procedure that writes it; `body` comes first in it. */
async function withView({ identifier }: Cases, body = '') {
  await customization(`CREATE TABLE dbo.[rows_${identifier}] (propID int NOT NULL PRIMARY KEY, status nvarchar(20) NULL, amount decimal(18, 2) NULL,
  share float NULL, day date NULL, isOpen bit NULL, calls int NOT NULL DEFAULT 0)`);
  await customization(
    `CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT propID, status, amount, share, day, isOpen FROM dbo.[rows_${identifier}]`,
  );
  await customization(`CREATE PROCEDURE dbo.[pCustomData_${identifier}_Set] @propID int, @usrPropID int, @pstatus nvarchar(20) = N'none', @pamount decimal(18, 2) = NULL,
  @pshare float = NULL, @pday date = NULL, @pisOpen bit = NULL AS
BEGIN
${body}
UPDATE dbo.[rows_${identifier}] SET status = @pstatus, amount = @pamount, share = @pshare, day = @pday, isOpen = @pisOpen, calls = calls + 1 WHERE propID = @propID;
IF @@ROWCOUNT = 0 INSERT INTO dbo.[rows_${identifier}] (propID, status, amount, share, day, isOpen, calls) VALUES (@propID, @pstatus, @pamount, @pshare, @pday, @pisOpen, 1);
END`);
  await customization(
    `INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind) VALUES (${typeNumber(app, 'journalized-cases')}, N'${identifier}', 'REF')`,
  );
}

/** Reads the list; none where no object has the identifier yet. */
const listOf = async ({ list }: Cases) => {
  const { status, json } = await alice('GET', list);
  return status === 404 ? [] : (json as Item[]);
};
const put = (cases: Cases, body: unknown, headers: Record<string, string> = {}, as = alice) =>
  as('PUT', cases.path, { body: typeof body === 'string' ? body : JSON.stringify(body), headers });
const single = (cases: Cases, index: number) =>
  `${collection}/${cases.ids[index]}/custom-data/${cases.identifier}`;

describe.each(['stored values', 'a view with a procedure'])('%s', (kind) => {
  const isView = kind !== 'stored values';
  const prepare = async (count: number, body?: string) => {
    const cases = await createCases(count);
    if (isView) await withView(cases, body);
    return cases;
  };
  const row = (status: string, amount: string) => `{"status":"${status}","amount":${amount}}`;

  test('a list is sent back: what is changed is stored, the rest is left alone', async () => {
    const cases = await prepare(3);
    const first = await put(
      cases,
      `[${cases.ids.map((id, index) => `{"id":"${id}","value":${row('applied', `${index}.10`)}}`).join(',')}]`,
    );
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject(
      cases.ids.map((id) => ({ id, result: isView ? 'stored' : 'created', status: isView ? 200 : 201 })),
    );
    const { text } = await alice('GET', cases.list);
    const answers = first.json as Answer[];
    const listed = JSON.parse(text) as Item[];
    expect(listed.map(({ etag }) => etag)).toEqual(answers.map(({ etag }) => etag));
    for (const [index, { etag }] of answers.entries())
      expect((await alice('GET', single(cases, index))).headers.get('etag')).toBe(etag);
    const edited = text.replace('"amount":1.10', '"amount":99.90');
    const second = await put(cases, edited);
    expect((second.json as Answer[]).map(({ result }) => result)).toEqual([
      'unchanged',
      'stored',
      'unchanged',
    ]);
    expect(JSON.stringify(await listOf(cases))).toContain('99.9');
    const again = await put(cases, edited);
    expect(again).toMatchObject({
      status: 409,
      json: {
        code: 'custom-data-not-all-stored',
        errors: [{ pointer: '/1', detail: expect.stringContaining('412 precondition-failed') }],
      },
    });
    const each = await put(cases, edited, lenient);
    expect(each.headers.get('preference-applied')).toBe('handling=lenient');
    expect((each.json as Answer[]).map(({ result, status }) => [result, status])).toEqual([
      ['unchanged', 200],
      ['refused', 412],
      ['unchanged', 200],
    ]);
  });

  test('all or each: as single PUTs, against a model, with others who write meanwhile', {
    timeout: 120_000,
  }, async () => {
    const count = 5;
    const cases = await prepare(count, "IF @pstatus = N'bad' THROW 50001, N'Not that.', 1;");
    const statusValue = fc.constantFrom('applied', 'granted', ...(isView ? ['bad'] : []));
    const change = fc.record({
      index: fc.nat(count),
      status: statusValue,
      amount: fc.integer({ min: 0, max: 3 }),
      tag: fc.constantFrom('none', 'present', 'old', 'any'),
    });
    const scenario = fc.record({
      changes: fc.uniqueArray(change, { minLength: 1, maxLength: count + 1, selector: ({ index }) => index }),
      isStrict: fc.boolean(),
      other: fc.option(fc.nat(count - 1), { nil: undefined }),
    });
    const present: (string | undefined)[] = Array.from({ length: count });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ changes, isStrict, other }) => {
        const before = await listOf(cases);
        const tagOf = new Map(before.map(({ id, etag = '' }) => [id, etag]));
        if (other !== undefined) {
          // Somebody else was faster: tags that were read are old.
          const value = row('other', String(Math.floor(Math.random() * 1e6)));
          expect((await bjorn('PUT', single(cases, other), { body: value })).status).toBeLessThan(300);
          present[other] = value;
        }
        const body = changes.map(({ index, status, amount, tag }) => {
          const id = cases.ids[index] ?? 'nothing';
          const tags: Record<string, string | undefined> = {
            present: tagOf.get(id),
            old: '"one.old"',
            any: '*',
          };
          const etag = tags[tag];
          return {
            id,
            ...(etag === undefined ? {} : { etag }),
            value: JSON.parse(row(status, String(amount))) as unknown,
          };
        });
        const verdict = changes.map(({ index, status, amount, tag }) => {
          if (index === count) return 404;
          const exists = isView || present[index] !== undefined;
          const isRead = tagOf.has(cases.ids[index] ?? '');
          const value = row(status, String(amount));
          const isSame = present[index] !== undefined && JSON.stringify(JSON.parse(present[index])) === value;
          if (tag === 'old') return 412;
          if (tag === 'any' && !exists) return 412;
          if (tag === 'present' && isRead && other === index) return 412;
          const isTagged = tag === 'any' || (tag === 'present' && isRead);
          if (isTagged && isSame) return 200;
          if (status === 'bad') return 422;
          return exists ? 200 : 201;
        });
        const reply = await put(cases, body, isStrict ? { Prefer: 'handling=strict' } : lenient);
        const isRefused = isStrict && verdict.some((status) => status >= 300);
        if (isRefused) {
          expect(reply.status).toBe(409);
        } else {
          expect((reply.json as Answer[]).map(({ status }) => status)).toEqual(verdict);
          for (const [place, { index, status, amount }] of changes.entries())
            if ((verdict[place] ?? 500) < 300) present[index] = row(status, String(amount));
        }
        const after = new Map((await listOf(cases)).map(({ id, value }) => [id, value]));
        for (const [index, id] of cases.ids.entries()) {
          const value = present[index];
          if (value === undefined) continue;
          expect(after.get(id)).toMatchObject(JSON.parse(value) as object);
        }
      }),
      numRuns(30),
    );
  });

  test('one call of many that two send at once: each object has one winner', async () => {
    const cases = await prepare(20);
    await put(
      cases,
      cases.ids.map((id) => ({ id, value: { status: 'a', amount: 0 } })),
    );
    const read = await listOf(cases);
    const bodies = ['x', 'y', 'z'].map((status, index) =>
      read.map(({ id, etag }) => ({ id, etag, value: { status, amount: index } })),
    );
    const replies = await Promise.all(
      bodies.map((body, index) => put(cases, body, lenient, index === 0 ? alice : bjorn)),
    );
    const winners = cases.ids.map((_, place) =>
      replies.map(({ json }) => (json as Answer[])[place]?.status).filter((status) => status === 200),
    );
    expect(winners.every((statuses) => statuses.length === 1)).toBe(true);
    const again = await listOf(cases);
    const strict = await Promise.all(
      ['p', 'q', 'r'].map((status) =>
        put(
          cases,
          again.map(({ id, etag }) => ({ id, etag, value: { status, amount: 9 } })),
        ),
      ),
    );
    expect(strict.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const stored = new Set((await listOf(cases)).map(({ value }) => (value as { status: string }).status));
    expect(stored.size).toBe(1);
  });

  // What a machine that does much else can do in the time of a request, and more than one statement of `lenient` has.
  const many = isView ? 100 : 300;
  test(`${many} objects are one call`, { timeout: 120_000 }, async () => {
    const cases = await prepare(many);
    for (const [status, headers] of [
      ['strict', {}],
      ['lenient', lenient],
    ] as const) {
      const values = cases.ids.map((id, index) => ({
        id,
        value: { status, amount: index, day: '2026-11-21', isOpen: true },
      }));
      const reply = await put(cases, values, headers);
      expect(reply.status).toBe(200);
      expect((reply.json as Answer[]).filter(({ result }) => result === 'refused')).toEqual([]);
    }
    const list = await listOf(cases);
    expect(list.filter(({ value }) => (value as { status: string }).status === 'lenient')).toHaveLength(many);
    const answers = (await put(cases, list)).json as Answer[];
    expect(answers.every(({ result }) => result === 'unchanged')).toBe(true);
    const changes = (await alice('GET', `${collection}/${cases.ids.at(-1)}/changes`)).json;
    expect(JSON.stringify(changes)).toContain('custom-data');
  });
});

describe('procedures', () => {
  test('get what was sent, with defaults for the rest, and doubles digit for digit', async () => {
    const cases = await createCases(4);
    await withView(cases);
    const values = [
      '{"share":0.30000000000000004,"status":"a"}',
      '{"amount":1234567890123456.78,"isOpen":false}',
      '{"status":"\\"quoted\\" \\u00e5","day":"2026-02-28"}',
      '{"share":-1.5e300}',
    ];
    const body = `[${values.map((value, index) => `{"value":${value},"id":"${cases.ids[index]}"}`).join(',')}]`;
    expect((await put(cases, body)).status).toBe(200);
    expect((await alice('GET', cases.list)).text.replaceAll(/"etag":"[^,]*,/g, '')).toBe(
      `[${[
        '{"status":"a","amount":null,"share":0.30000000000000004,"day":null,"isOpen":null}',
        '{"status":"none","amount":1234567890123456.78,"share":null,"day":null,"isOpen":false}',
        '{"status":"\\"quoted\\" å","amount":null,"share":null,"day":"2026-02-28","isOpen":null}',
        '{"status":"none","amount":null,"share":-1.5e+300,"day":null,"isOpen":null}',
      ]
        .map((value, index) => `{"id":"${cases.ids[index]}","value":${value}}`)
        .join(',')}]`,
    );
  });

  test('say which object they refuse, and which property of it', async () => {
    const cases = await createCases(4);
    await withView(
      cases,
      "IF @pamount < 0 THROW 50001, N'Not below zero.', 1; IF @pamount = 0 THROW 50403, N'Not for you.', 1;",
    );
    const body = [
      { id: cases.ids[0], value: { amount: 1 } },
      { id: cases.ids[1], value: { amount: -1 } },
      { id: cases.ids[2], value: { amount: 0 } },
      { id: cases.ids[3], value: { amount: 1.234, colour: 'red' } },
    ];
    const { json } = await put(cases, body, lenient);
    expect(json).toMatchObject([
      { status: 200, result: 'stored' },
      {
        status: 422,
        problem: { code: 'custom-data-refused', detail: 'Cannot store custom data: Not below zero.' },
      },
      { status: 403, problem: { code: 'custom-data-forbidden' } },
      {
        status: 400,
        problem: { code: 'invalid-body', errors: [{ pointer: '/colour' }, { pointer: '/amount' }] },
      },
    ]);
    const strict = await put(cases, body);
    expect(strict.json).toMatchObject({
      status: 409,
      errors: [
        {
          pointer: '/3',
          detail: expect.stringMatching(
            /^400 invalid-body: .* \/colour .*; \/amount must have at most 16 digits before and 2 after the point\.$/,
          ),
        },
      ],
    });
    expect((await put(cases, body.slice(0, 3))).json).toMatchObject({
      status: 409,
      errors: [{ pointer: '/1' }],
    });
    const [row] = await customization(`SELECT SUM(calls) AS calls FROM dbo.[rows_${cases.identifier}]`);
    expect(row?.['calls']).toBe(1);
  });

  test.each([
    ['ROLLBACK TRANSACTION', 'ROLLBACK TRANSACTION; BEGIN TRANSACTION;', false],
    ['COMMIT TRANSACTION', 'COMMIT TRANSACTION; BEGIN TRANSACTION;', true],
  ])('that end the transaction by %s are named', async (_, statement, isCommitted) => {
    const cases = await createCases(3);
    await withView(cases, `IF @pstatus = N'end' BEGIN ${statement} END;`);
    const body = [
      { id: cases.ids[0], value: { status: 'a' } },
      { id: cases.ids[1], value: { status: 'end' } },
      { id: cases.ids[2], value: { status: 'c' } },
    ];
    expect((await put(cases, body, lenient)).json).toMatchObject([
      { status: 200 },
      {
        status: 500,
        problem: {
          code: 'custom-data-source-failed',
          detail: expect.stringContaining(
            isCommitted ? 'was committed' : `pCustomData_${cases.identifier}_Set`,
          ),
        },
      },
      { status: 200 },
    ]);
    const other = { ...cases, ids: cases.ids.toReversed() };
    const strict = await put(
      other,
      body.map((item) => ({ ...item, value: { ...item.value, amount: 7 } })),
    );
    expect(strict.status).toBe(409);
    const rows = (await listOf(cases)).map(
      ({ value }) => (value as { amount: number | null } | null)?.amount ?? null,
    );
    expect(rows.filter((amount) => amount === 7).length > 0).toBe(isCommitted);
  });

  test('that fail of a value which is there already are left out, as in a single PUT', async () => {
    const cases = await createCases(2);
    await withView(cases);
    await put(
      cases,
      cases.ids.map((id) => ({ id, value: { status: 'a' } })),
    );
    await customization(`CREATE OR ALTER PROCEDURE dbo.[pCustomData_${cases.identifier}_Set] @propID int, @usrPropID int, @pstatus nvarchar(20) = NULL, @pamount decimal(18, 2) = NULL,
  @pshare float = NULL, @pday date = NULL, @pisOpen bit = NULL AS
IF @pstatus = N'a' THROW 50001, N'Closed.', 1; ELSE UPDATE dbo.[rows_${cases.identifier}] SET status = @pstatus WHERE propID = @propID`);
    const [first, second] = await listOf(cases);
    const body = [
      { id: first?.id, value: first?.value },
      { id: second?.id, value: { ...(second?.value as object), status: 'b' } },
    ];
    for (const headers of [lenient, {}])
      expect((await put(cases, body, headers)).json).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  test('may write a list of rows, or take it as a whole', async () => {
    const cases = await createCases(2);
    const { identifier } = cases;
    await customization(`CREATE TABLE dbo.[rows_${identifier}] (propID int NOT NULL, n int NOT NULL)`);
    await customization(
      `CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT propID, n FROM dbo.[rows_${identifier}]`,
    );
    await customization(
      `CREATE PROCEDURE dbo.[pCustomData_${identifier}_Set] @propID int, @usrPropID int, @langID int, @json nvarchar(max) AS
BEGIN
DELETE FROM dbo.[rows_${identifier}] WHERE propID = @propID;
INSERT INTO dbo.[rows_${identifier}] SELECT @propID, n FROM OPENJSON(@json) WITH (n int);
END`,
    );
    await customization(
      `INSERT INTO dbo.tCustomDataTypes (typeID, customDataIdentifier, kind, shape) VALUES (${typeNumber(app, 'journalized-cases')}, N'${identifier}', 'REF', 'many')`,
    );
    const body = [
      { id: cases.ids[0], value: [{ n: 1 }, { n: 2 }] },
      { id: cases.ids[1], value: [] },
    ];
    expect((await put(cases, body)).status).toBe(200);
    expect(await listOf(cases)).toMatchObject(body);
  });

  test('of a source that is read by a procedure have tags, too', async () => {
    const cases = await createCases(3);
    await withView(cases);
    await customization(
      `CREATE PROCEDURE dbo.[pCustomData_${cases.identifier}_Get] @propID int, @usrPropID int, @langID int AS SELECT status FROM dbo.[rows_${cases.identifier}] WHERE propID = @propID`,
    );
    await put(
      cases,
      cases.ids.map((id) => ({ id, value: { status: 'a' } })),
    );
    const items = (await listOf(cases)).map((item, index) =>
      index === 1 ? { ...item, value: { status: 'b' } } : item,
    );
    expect(((await put(cases, items)).json as Answer[]).map(({ result }) => result)).toEqual([
      'unchanged',
      'stored',
      'unchanged',
    ]);
    expect(((await put(cases, items, lenient)).json as Answer[]).map(({ status }) => status)).toEqual([
      200, 412, 200,
    ]);
  });
});

describe('requests', () => {
  test.each([
    ['{}', '', 'array'],
    ['[1]', '/0', 'object'],
    ['[{"value":1}]', '/0/id', 'missing'],
    ['[{"id":"a"}]', '/0/value', 'missing'],
    ['[{"id":"a","value":1,"tag":"x"}]', '/0/tag', ''],
    ['[{"id":"a","value":1},{"id":"b","value":1},{"id":"a","value":2}]', '/2/id', 'that of /0'],
    ['[{"id":"a","value":1,"etag":"one.x"}]', '/0/etag', 'in quotes'],
    ['[{"id":"a","value":1,"etag":null}]', '/0/etag', 'string'],
    ['[{"id":"\\ud83d","value":1}]', '/0/id', 'surrogate'],
    ['[{"id":"\\u0000","value":1}]', '/0/id', 'U+0000'],
    ['[{"id":"a","value":1,"id":"b"}]', '/0/id', 'twice'],
    ['[{"id":"a","value":1,"\\u0076alue":2}]', '/0/value', 'twice'],
    [
      JSON.stringify(Array.from({ length: 1_001 }, (_, index) => ({ id: String(index), value: 1 }))),
      '',
      '1000',
    ],
  ])('%.60s is 400', async (body, pointer, detail) => {
    const { status, json } = await alice('PUT', `${collection}/custom-data/notes`, { body });
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { code: 'invalid-body', errors: [{ pointer, detail: expect.stringContaining(detail) }] },
    });
  });

  test('a value that no database keeps is refused for its object alone; a condition on all is refused', async () => {
    const cases = await createCases(2);
    const body = `[{"id":"${cases.ids[0]}","value":{"a":"\\ud83d"}},{"id":"${cases.ids[1]}","value":1.10}]`;
    expect((await put(cases, body, lenient)).json).toMatchObject([
      { status: 400, problem: { code: 'invalid-body', errors: [{ pointer: '/a' }] } },
      { status: 201 },
    ]);
    expect((await alice('GET', single(cases, 1))).text).toBe('1.10');
    for (const [header, value] of [
      ['If-Match', '"one.x"'],
      ['If-None-Match', '*'],
    ] as const)
      expect(await put(cases, '[]', { [header]: value })).toMatchObject({
        status: 400,
        json: { errors: [{ pointer: `header:${header}` }] },
      });
    expect((await put(cases, '[]')).json).toEqual([]);
    expect((await app.call('PUT', cases.path, { body: '[]' })).status).toBe(401);
    expect((await alice('PUT', `${collection}/custom-data/${'x'.repeat(129)}`, { body: '[]' })).status).toBe(
      400,
    );
  });

  test.each([
    ['handling=lenient', 'lenient'],
    ['Handling = "LENIENT" ; foo', 'lenient'],
    ['respond-async;x="a,b", handling=lenient, handling=strict', 'lenient'],
    ['handling="lenient', undefined],
    ['foo="a,handling=lenient"', undefined],
    ['foo="a\\",handling=lenient"', undefined],
    ['handling=maybe', undefined],
  ])('Prefer: %s', async (preference, expected) => {
    const { status, headers } = await alice('PUT', `${collection}/custom-data/notes`, {
      body: '[{"id":"nobody","value":1}]',
      headers: { Prefer: preference },
    });
    expect(status).toBe(expected === undefined ? 409 : 200);
    expect(headers.get('preference-applied') ?? undefined).toBe(expected && `handling=${expected}`);
  });

  test('the tag of another scope is 412, and says so', async () => {
    const cases = await createCases(1);
    await put(cases, [{ id: cases.ids[0], value: 1 }]);
    const whole = await alice('GET', `${collection}/${cases.ids[0]}/custom-data`);
    const reply = await put(
      cases,
      [{ id: cases.ids[0], etag: whole.headers.get('etag'), value: 2 }],
      lenient,
    );
    expect(reply.json).toMatchObject([
      { status: 412, problem: { detail: expect.stringContaining('all custom data') } },
    ]);
  });

  test('CSV has the tags where it is asked for them', async () => {
    const cases = await createCases(1);
    await withView(cases);
    await put(cases, [{ id: cases.ids[0], value: { status: 'a' } }]);
    const [item] = await listOf(cases);
    const { text } = await alice('GET', `${cases.list}&etags=true&columns=etag,status`, {
      headers: { Accept: 'text/csv' },
    });
    expect(text.split('\r\n')).toEqual([
      `id,etag,${cases.identifier}.etag,status`,
      `${item?.id},"${item?.etag?.replaceAll('"', '""')}",,a`,
      '',
    ]);
  });
});
