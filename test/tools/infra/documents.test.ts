import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import host from '../../../host.json' with { type: 'json' };
import concurrency from '../../../infra/concurrency.json' with { type: 'json' };
import notForAzure from '../../../infra/facts/not-for-azure.json' with { type: 'json' };
import alerts from '../../../infra/queries/alerts.json' with { type: 'json' };
import { variables } from '../../../shared/config/variables.ts';
import { errorCodes } from '../../../shared/errors/codes.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = ['deploy', 'run', 'restore', 'reference'].map((page) => `docs/${page}.md`);
const operations = pages.map(read).join('\n');

/** The cells of every table row whose first cell is a code word. */
const rows = new Map(
  [...operations.matchAll(/^\| *`([\w-]+)` *\|(.*)\|$/gm)].map(([, name = '', rest = '']) => [
    name,
    rest.split('|').map((cell) => cell.trim()),
  ]),
);

/** Codes of errors that an operator mends: of what is misconfigured and what is unavailable. */
const codesForOperators = Object.entries(errorCodes)
  .filter(([, { kind }]) => kind === 'misconfigured' || kind === 'unavailable')
  .map(([code]) => code)
  .concat('base-url-mismatch', 'too-many-passwords');

describe('the pages for operators', () => {
  test('has every setting, and why it is not set in Azure', () => {
    expect(Object.keys(variables).filter((name) => !rows.has(name))).toEqual([]);
    const reasons = Object.entries(notForAzure).map(([name, reason]) => [name, `not set: ${reason}`]);
    expect(reasons.map(([name = '']) => [name, rows.get(name)?.[1]])).toEqual(reasons);
  });

  test('counts the private endpoints and alerts of prod that are planned', () => {
    const plan = read('infra/check/plans/prod.txt');
    const names = /^Insights\/scheduledQueryRules = (.*)$/m.exec(plan)?.[1]?.split(', ') ?? [];
    const cost = read('docs/reference.md');
    expect({
      endpoints: /endpoints x 7\.30, prod: (\d+)/.exec(cost)?.[1],
      logAlerts: /log alerts in dev, else (\d+)/.exec(cost)?.[1],
    }).toEqual({
      endpoints: String([...plan.matchAll(/^Network\/privateEndpoints: /gm)].length),
      logAlerts: String(names.length),
    });
  });

  test('has a recipe for every code that operators mend', () => {
    const isRecipe = (code: string) => rows.get(code)?.every((cell) => cell.length > 10);
    expect(codesForOperators.filter((code) => !isRecipe(code))).toEqual([]);
  });

  test('has a recipe for every refusal of the gateway', () => {
    const codes = [...read('infra/gateway/policy.xml').matchAll(/"code", "([\w-]+)"/g)].map(
      ([, code]) => code,
    );
    expect(codes.length).toBeGreaterThan(3);
    expect(codes.filter((code) => !rows.has(code ?? ''))).toEqual([]);
  });

  test('has a first step for every alert, and for none that there is not', () => {
    const [, table = ''] = /^\| Alert \|.*\n\|[-|]*\n((?:\|.*\n)*)/m.exec(read('docs/run.md')) ?? [];
    const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(
      ([, cell = '']) => cell.match(/[\w-]+/g) ?? [],
    );
    const all = [...alerts.metricAlerts, ...alerts.logAlerts].map(({ name }) => name);
    expect(named.sort()).toEqual([...all, 'health', 'calendar-health'].sort());
  });

  test('has the requests of each size of an instance, of which the host locally takes the most', () => {
    const table = [...read('docs/reference.md').matchAll(/^\| (512|2048|4096) \|(.*)\|$/gm)].map(
      ([, size = '', rest = '']) => {
        const cells = rest.split('|').map((cell) => cell.trim());
        return [size, Number(cells[0]), Number(cells[3])];
      },
    );
    const { requestsInFlight, scaleOutAt } = concurrency;
    const sizes = Object.keys(requestsInFlight) as (keyof typeof requestsInFlight)[];
    expect(table).toEqual(sizes.map((size) => [size, requestsInFlight[size], scaleOutAt[size]]));
    expect(host.extensions.http.maxOutstandingRequests).toBe(Math.max(...Object.values(requestsInFlight)));
  });

  test('have only links and files that are there', () => {
    const slug = (heading: string) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(' ', '-');
    const headings = (file: string) =>
      [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading));
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([, path = '', anchor]) => {
        const target = path === '' ? page : join('docs', path);
        if (!existsSync(join(root, target))) return [`${page}: ${path}`];
        return anchor === undefined || headings(target).includes(anchor)
          ? []
          : [`${page}: ${path}#${anchor}`];
      }),
    );
    expect(broken).toEqual([]);
    const files = [...operations.matchAll(/\b(infra\/[\w./-]+\.\w+)/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    for (const [, module = '', type = '', symbol = ''] of operations.matchAll(/module\.(\w+)\.(\w+)\.(\w+)/g))
      expect(read(`infra/terraform/modules/${module}/main.tf`)).toContain(`resource "${type}" "${symbol}"`);
  });
});
