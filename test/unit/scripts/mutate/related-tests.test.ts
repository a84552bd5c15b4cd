import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { moduleGraph } from '../../../../scripts/mutate/module-graph.ts';
import { relatedTests } from '../../../../scripts/mutate/related-tests.ts';

function graphOf(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'graph-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return moduleGraph(root, Object.keys(files));
  } finally {
    rmSync(root, { recursive: true });
  }
}

const startsApp = "import '../support/app.ts';";

const graph = graphOf({
  'functions/index.ts': "import { a } from './calendar/venues.ts'; import '../shared/http/handle.ts';",
  'functions/calendar/venues.ts': 'export const a = 1;',
  'shared/http/handle.ts': "export { a } from './parse.ts';",
  'shared/http/parse.ts': "import type { B } from './types.ts';",
  'shared/http/types.ts': 'export type B = 1;',
  'local/functions-host/start.ts': "start(join(import.meta.dirname, 'main.ts'));",
  'local/functions-host/main.ts': "import 'queue';",
  'packages/queue/package.json': '{ "name": "queue", "exports": { ".": "./src/queue.ts" } }',
  'packages/queue/src/queue.ts': '',
  'functions/pages/page.tsx': "import { words } from './words.ts'; export const page = <p>{words}</p>;",
  'functions/pages/words.ts': '',
  'functions/pages/browser/start.ts': '',
  'test/support/chromium.ts': '',
  'test/api/pages-in-browser.test.ts': "import '../support/chromium.ts';",
  'scripts/token.ts': '',
  'test/support/app.ts': "import '../../local/functions-host/start.ts';",
  'test/api/calendar-events.test.ts': startsApp,
  'test/api/calendar-venues.test.ts': startsApp,
  'test/api/records-cases.test.ts': startsApp,
  'test/unit/functions/page.test.ts': "import '../../../functions/pages/page.tsx';",
  'test/unit/local/start.test.ts': "import '../../../local/functions-host/start.ts';",
  'test/unit/shared/http/handle.test.ts': "await import('../../../../shared/http/handle.ts');",
  'test/unit/scripts/token.test.ts': "spawn('node', ['scripts/token.ts']);",
});

describe('relatedTests()', () => {
  test.each<[what: string, file: string, tests: string[]]>([
    [
      'through imports, and through the app',
      'shared/http/parse.ts',
      [
        'test/api/calendar-events.test.ts',
        'test/api/calendar-venues.test.ts',
        'test/api/records-cases.test.ts',
        'test/unit/shared/http/handle.test.ts',
      ],
    ],
    [
      'of its own part only',
      'functions/calendar/venues.ts',
      ['test/api/calendar-events.test.ts', 'test/api/calendar-venues.test.ts'],
    ],
    ['of what a page with JSX imports', 'functions/pages/words.ts', ['test/unit/functions/page.test.ts']],
    ['of a script that is started by its path', 'scripts/token.ts', ['test/unit/scripts/token.test.ts']],
    [
      'of a package of the workspace, in a process that is started',
      'packages/queue/src/queue.ts',
      [
        'test/api/calendar-events.test.ts',
        'test/api/calendar-venues.test.ts',
        'test/api/records-cases.test.ts',
        'test/unit/local/start.test.ts',
      ],
    ],
    [
      'of what runs in a browser: those that drive one',
      'functions/pages/browser/start.ts',
      ['test/api/pages-in-browser.test.ts'],
    ],
    ['none of what only gives types', 'shared/http/types.ts', []],
  ])('%s', (_what, file, tests) => {
    expect(relatedTests(graph, file)).toEqual(tests);
  });
});
