/** Holds the layers of docs/architecture.md, and which may depend on which, by reading the imports. */

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parts } from '../../scripts/unless-passed.ts';

const root = join(import.meta.dirname, '..', '..');
const folders = ['functions', 'shared', 'local', 'packages', 'infra', 'scripts'];

const everyFile = [...folders, 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/(?:^|\/)(?:dist|node_modules)\//.test(name))
    .map((name) => `${folder}/${name}`),
);
/** Those that are no tests. */
const files = everyFile.filter((file) => !/(?:^|\/)test\//.test(file));

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Imports of our files as paths from the root, those of packages by name. */
function importsOf(file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8');
  const found = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+[^'";]*?from\s*'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g,
  );
  return [...found].map(([, from, dynamic, bare]) => {
    const target = from ?? dynamic ?? bare ?? '';
    const to = target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target;
    return { from: file, to };
  });
}

const everyImport = everyFile.flatMap(importsOf);
const imports = everyImport.filter(({ from }) => files.includes(from));

/** Returns files with all that they import, directly or not. */
function reachedFrom(starts: readonly string[]): string[] {
  const graph = Map.groupBy(everyImport, ({ from }) => from);
  const reached = new Set(starts);
  for (const file of reached) for (const { to } of graph.get(file) ?? []) reached.add(to);
  return [...reached];
}

/** What every room of the app may use: it knows no API. */
const library = [
  'shared/',
  'shared/auth/',
  'shared/http/',
  'shared/limits/',
  'shared/sql/',
  'shared/telemetry/',
];

/** What the calendar and browsers say in the same way. */
const forBrowsers = ['functions/calendar/model/for-browsers/'];

/** What domain code may use: the same without HTTP and sign-in. */
const domainLibrary = ['shared/', 'shared/limits/', 'shared/sql/', 'shared/telemetry/'];

/** Which layers a layer may import from, besides itself. A file belongs to the longest name that its path begins with. */
const dependencies: Readonly<Record<string, readonly string[]>> = {
  'functions/index.ts': [
    'functions/records/endpoints/',
    'functions/calendar/endpoints/',
    'functions/calendar/wire/',
    'functions/calendar/operations/',
    'functions/wordpress/',
    'functions/service/',
    'functions/pages/',
    ...library,
  ],
  // Each API reads downward: endpoints, the form that clients know, operations, and then what these work with.
  'functions/records/endpoints/': [
    'functions/records/sign-in/',
    'functions/records/wire/',
    'functions/records/operations/',
    'functions/records/changes/',
    'functions/records/csv/',
    'functions/records/database/',
    'functions/records/objects/',
    'functions/records/reference-data/',
    'functions/records/users/',
    'shared/custom-data/',
    ...library,
  ],
  'functions/records/wire/': [
    'functions/records/operations/',
    'functions/records/csv/',
    'functions/records/objects/',
    'shared/custom-data/',
    ...library,
  ],
  'functions/records/sign-in/': ['functions/records/operations/', ...library],
  'functions/records/operations/': [
    'functions/records/changes/',
    'functions/records/objects/',
    'functions/records/users/',
    'shared/custom-data/',
    ...library,
  ],
  'functions/records/changes/': ['functions/records/objects/', ...domainLibrary],
  'functions/records/csv/': ['shared/', 'shared/limits/', 'shared/sql/'],
  'functions/records/database/': domainLibrary,
  'functions/records/objects/': ['functions/records/csv/', 'shared/http/', ...domainLibrary],
  'functions/records/reference-data/': ['functions/records/csv/', ...domainLibrary],
  'functions/records/users/': domainLibrary,
  'functions/calendar/endpoints/': [
    'functions/calendar/wire/',
    'functions/calendar/sign-in/',
    'functions/calendar/operations/',
    'functions/calendar/blobs/',
    'functions/calendar/log/',
    'functions/calendar/model/',
    'functions/calendar/pictures/',
    'functions/calendar/read/',
    'functions/calendar/write/',
    ...library,
  ],
  'functions/calendar/wire/': [
    'functions/calendar/operations/',
    'functions/calendar/model/',
    'functions/calendar/pictures/',
    'functions/calendar/read/',
    'functions/calendar/replica/',
    ...library,
  ],
  'functions/calendar/operations/': [
    'functions/calendar/log/',
    'functions/calendar/model/',
    'functions/calendar/pictures/',
    'functions/calendar/read/',
    'functions/calendar/read/views/',
    'functions/calendar/replica/',
    'functions/calendar/search/',
    'functions/calendar/write/',
    ...domainLibrary,
  ],
  'functions/calendar/log/': ['functions/calendar/blobs/', ...domainLibrary],
  'functions/calendar/model/': [...forBrowsers, ...domainLibrary],
  'functions/calendar/blobs/': domainLibrary,
  'functions/calendar/pictures/': ['functions/calendar/blobs/', ...domainLibrary],
  'functions/calendar/replica/': [
    'functions/calendar/log/',
    'functions/calendar/model/',
    ...forBrowsers,
    ...domainLibrary,
  ],
  'functions/calendar/search/': [
    'functions/calendar/model/',
    'functions/calendar/replica/',
    ...domainLibrary,
  ],
  'functions/calendar/read/': [
    'functions/calendar/log/',
    'functions/calendar/model/',
    'functions/calendar/replica/',
    'functions/calendar/search/',
    ...domainLibrary,
  ],
  'functions/calendar/read/views/': [
    'functions/calendar/model/',
    'functions/calendar/read/',
    'functions/calendar/replica/',
    ...forBrowsers,
    ...domainLibrary,
  ],
  'functions/calendar/sign-in/': ['functions/calendar/model/', ...library],
  'functions/calendar/write/': [
    'functions/calendar/log/',
    'functions/calendar/model/',
    'functions/calendar/pictures/',
    'functions/calendar/replica/',
    ...domainLibrary,
  ],
  // Further addresses of the calendar: they know its operations, and it does not know them.
  'functions/wordpress/': [
    'functions/wordpress/tec-v1/',
    'functions/wordpress/wp-v2/',
    'functions/calendar/endpoints/',
    'functions/calendar/wire/',
    'functions/calendar/operations/',
    'functions/calendar/model/',
    'functions/calendar/read/',
    ...forBrowsers,
    ...library,
  ],
  'functions/wordpress/tec-v1/': [
    'functions/calendar/endpoints/',
    'functions/wordpress/',
    'functions/wordpress/wp-v2/',
    'functions/calendar/wire/',
    'functions/calendar/operations/',
    'functions/calendar/model/',
    ...library,
  ],
  'functions/wordpress/wp-v2/': [
    'functions/wordpress/',
    'functions/calendar/wire/',
    'functions/calendar/operations/',
    'functions/calendar/model/',
    'functions/calendar/pictures/',
    'functions/calendar/read/',
    'functions/calendar/write/',
    ...library,
  ],
  'functions/service/': library,
  // The pages by what people open, each with its part in the browser, and what they share.
  'functions/pages/': [
    'functions/pages/site/',
    'functions/pages/edit/',
    'functions/pages/developers/',
    'functions/pages/common/',
    'functions/pages/common/views/',
    'functions/service/',
    'functions/calendar/wire/',
    'functions/calendar/operations/',
    'functions/calendar/model/',
    ...library,
  ],
  'functions/pages/site/': [
    'functions/pages/site/views/',
    'functions/pages/common/',
    'functions/pages/common/views/',
    'functions/calendar/operations/',
    'functions/calendar/read/',
    'functions/calendar/model/',
    ...library,
  ],
  'functions/pages/edit/': [
    'functions/pages/site/',
    'functions/pages/common/',
    'functions/pages/common/views/',
    'functions/calendar/model/',
    'functions/calendar/pictures/',
    ...forBrowsers,
  ],
  'functions/pages/developers/': ['functions/pages/common/', 'shared/auth/'],
  'functions/pages/common/': ['functions/pages/common/views/', 'functions/calendar/model/', ...library],
  // What servers and browsers show alike; of the fields of records they know the types alone.
  'functions/calendar/model/for-browsers/': [],
  'functions/pages/common/views/': ['functions/calendar/model/', ...forBrowsers],
  'functions/pages/site/views/': ['functions/pages/common/views/', ...forBrowsers],
  'functions/pages/common/browser/': ['functions/pages/common/views/'],
  'functions/pages/site/browser/': [
    'functions/pages/common/browser/',
    'functions/pages/common/views/',
    ...forBrowsers,
  ],
  'functions/pages/edit/browser/': [
    'functions/pages/common/browser/',
    'functions/pages/common/views/',
    'functions/pages/site/views/',
  ],
  'functions/pages/records/browser/': [
    'functions/pages/common/browser/',
    'functions/pages/common/views/',
    'shared/',
  ],
  'functions/pages/developers/browser/': ['functions/pages/common/browser/'],
  'shared/': ['shared/telemetry/'],
  'shared/telemetry/': ['shared/'],
  'shared/limits/': ['shared/', 'shared/telemetry/'],
  'shared/http/': ['shared/', 'shared/limits/', 'shared/telemetry/'],
  'shared/auth/': ['shared/', 'shared/limits/', 'shared/telemetry/'],
  'shared/sql/': ['shared/', 'shared/limits/', 'shared/telemetry/'],
  'shared/custom-data/': ['shared/http/', ...domainLibrary],
  'infra/': ['shared/', 'scripts/'],
  'local/': ['packages/'],
  'scripts/': [
    'local/',
    'packages/',
    'shared/',
    'shared/sql/',
    'functions/records/database/',
    'functions/records/objects/',
    'functions/records/users/',
  ],
  // Imports write records that the app could have written itself, by its own tables of fields, and hashes of passwords. Backups are blobs.
  'scripts/calendar/': [
    'scripts/',
    'shared/',
    'functions/calendar/blobs/',
    'functions/calendar/log/',
    'functions/calendar/model/',
    'functions/calendar/pictures/',
    'functions/calendar/read/',
    'functions/calendar/read/views/',
    'functions/calendar/replica/',
    'functions/calendar/write/',
  ],
  'packages/': [],
};

/** The folders of shared/ that belong to the files beside them: the table of codes and the parsers of settings. */
const belonging = ['shared/errors/', 'shared/config/', 'shared/text/'];

/** Returns the layer of a file. A folder of the app that no layer names is a separate layer, which no other may import. */
function layerOf(file: string): string {
  const names = Object.keys(dependencies).filter((name) => file.startsWith(name));
  const deepest = names.reduce((best, name) => (name.length > best.length ? name : best), '');
  const isNested = /^(functions|shared)\/$/.test(deepest) && file.slice(deepest.length).includes('/');
  return isNested && !belonging.some((folder) => file.startsWith(folder)) ? dirname(file) : deepest;
}

/** Packages that one place only may import; every package that the app imports stands here. */
const keepers: Readonly<Record<string, readonly string[]>> = {
  '@azure/data-tables': ['functions/calendar/log/'],
  '@azure/functions': ['shared/http/'],
  '@azure/identity': ['shared/managed-identity.ts'],
  '@azure/storage-blob': ['functions/calendar/blobs/'],
  '@fastify/busboy': ['shared/http/form-parts.ts'],
  '@azure/monitor-opentelemetry-exporter': ['shared/telemetry/'],
  '@opentelemetry/api': ['shared/telemetry/'],
  '@opentelemetry/exporter-metrics-otlp-proto': ['shared/telemetry/'],
  '@opentelemetry/exporter-trace-otlp-proto': ['shared/telemetry/'],
  '@opentelemetry/resources': ['shared/telemetry/'],
  '@opentelemetry/sdk-metrics': ['shared/telemetry/'],
  '@opentelemetry/sdk-trace-base': ['shared/telemetry/'],
  ajv: ['shared/http/validate.ts'],
  'ajv-formats': ['shared/http/validate.ts'],
  entities: ['functions/calendar/model/text/'],
  fullcalendar: ['functions/pages/site/browser/'],
  'html-to-text': ['functions/calendar/model/text/description-text.ts'],
  htmlparser2: ['functions/calendar/model/text/plain-text.ts'],
  'ical.js': ['functions/calendar/read/views/'],
  jsonwebtoken: ['shared/auth/signature.ts'],
  'jwks-rsa': ['shared/auth/signing-keys.ts'],
  leaflet: ['functions/pages/site/browser/'],
  'lru-cache': ['shared/cache.ts'],
  mssql: ['shared/sql/'],
  negotiator: ['shared/http/accept.ts'],
  'oidc-client-ts': ['functions/pages/common/browser/'],
  preact: ['functions/pages/'],
  'preact-render-to-string': ['functions/pages/common/page.tsx'],
  'remove-accents': ['functions/calendar/model/text/'],
  'rrule-temporal': ['functions/calendar/model/dates/'],
  'sanitize-html': ['functions/calendar/model/text/'],
  'swagger-ui-dist': ['functions/pages/developers/browser/'],
  'timezones-ical-library': ['functions/calendar/read/views/'],
  typebox: ['functions/', 'shared/http/', 'functions/calendar/model/fields/'],
  uqr: ['functions/pages/site/record.tsx'],
};

describe('dependencies', () => {
  test.each(Object.entries(dependencies))('%s imports only what it may', (layer, allowed) => {
    const violations = imports.filter(
      ({ from, to }) =>
        layerOf(from) === layer &&
        folders.some((folder) => to.startsWith(`${folder}/`)) &&
        ![layer, ...allowed].includes(layerOf(to)),
    );
    expect(violations).toEqual([]);
  });

  test('of browsers on the calendar are types, but for what is made for browsers', () => {
    const loaded = files
      .filter((file) => /\/(?:views|browser)\//.test(file) && file.startsWith('functions/pages/'))
      .filter((file) =>
        /^import (?!type )[^;]*\.\.\/calendar\/(?!model\/for-browsers\/)/m.test(
          readFileSync(join(root, file), 'utf8'),
        ),
      );
    expect(loaded).toEqual([]);
  });

  test('are said for every folder of the app', () => {
    const layers = files.filter((file) => /^(functions|shared)\//.test(file)).map(layerOf);
    expect([...new Set(layers)].filter((layer) => !(layer in dependencies))).toEqual([]);
  });

  test('on the dev stack go through its doors', () => {
    const doors =
      /^(?:local\/index\.ts|packages\/(?:built|child-process|up-to-date)\.ts|@records-and-calendar\/.*)$/;
    const boxes = ['local/', 'packages/local-sql-server/', 'packages/functions-host/', 'packages/'];
    const boxOf = (file: string) => boxes.find((box) => file.startsWith(box));
    const violations = everyImport.filter(
      ({ from, to }) =>
        (boxOf(to) ?? boxOf(from)) !== boxOf(from) && !doors.test(to) && boxOf(to) !== 'packages/',
    );
    expect(violations).toEqual([]);
  });

  test.each<[part: string, tests: RegExp]>([
    ['dev-stack', /^(?:local|packages)\/(?:[\w-]+\/)?test\/.*\.test\.ts$/],
    ['infra', /^(?:infra\/check\/main|test\/engines\/(?:bicep|commands|existing|plans|queries)\.test)\.ts$/],
  ])('of the part %s of the checks lead to the files that it runs for', (part, tests) => {
    const { paths = [] } = parts[part] ?? {};
    const reached = reachedFrom(everyFile.filter((file) => tests.test(file)));
    expect(reached.length).toBeGreaterThan(50);
    const elsewhere = reached.filter(
      (file) =>
        folders.concat('test').some((folder) => file.startsWith(`${folder}/`)) &&
        ![...paths, 'scripts'].some((path) => file === path || file.startsWith(`${path}/`)),
    );
    expect(elsewhere).toEqual([]);
  });

  test('of local/ on scripts/ do not hide in paths either', () => {
    const starting = files.filter(
      (file) => file.startsWith('local/') && /['"/]scripts['"/]/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(starting).toEqual([]);
  });

  test('have no cycles, of types either', () => {
    expect(cyclesIn(imports)).toEqual([]);
  });
});

function cyclesIn(edges: readonly Import[]): string[][] {
  const graph = Map.groupBy(edges, ({ from }) => from);
  const cycles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file]);
    if (done.has(file) || trail.includes(file)) return;
    for (const { to } of graph.get(file) ?? []) walk(to, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return cycles;
}

test('docs/architecture.md names only files and folders that exist', () => {
  const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
  const paths = [...page.matchAll(/`((?:functions|shared|local|test|packages)\/[\w./-]*)`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('procedures that are not ours are called by one function, which has their connection reset', () => {
  const calling = files.filter(
    (file) =>
      /^(functions|shared)\//.test(file) &&
      /\bEXEC (?!sp_|@lock = sp_)/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(calling).toEqual(['shared/sql/foreign-procedures.ts']);
});

test('commands that install nothing for development import nothing of it', () => {
  const { scripts, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const mains = [
    ...Object.values(scripts),
    ...workflows.flatMap((text) => text.match(/node scripts\/run\.mjs .*/g) ?? []),
  ]
    .filter((line) => !line.includes('--dev'))
    .map((line) => / (\S+\.ts)/.exec(line)?.[1] ?? '');
  const doors = [
    'packages/local-sql-server/start.ts',
    'packages/functions-host/start.ts',
    'packages/built.ts',
  ];
  const reached = reachedFrom([...mains, ...doors, 'functions/index.ts']);
  expect(mains.length).toBeGreaterThan(10);
  expect(Object.keys(devDependencies).filter((name) => reached.includes(name))).toEqual([]);
});

/** What a command of package.json starts: its script, with what that starts in processes of its own, or its test files. */
function startsOf(command: string): string[] {
  const main = / (\S+\.ts)/.exec(command)?.[1];
  if (main?.startsWith('test/bench/')) return everyFile.filter((file) => file.startsWith('test/bench/'));
  if (main !== undefined && !main.startsWith('vitest.')) return [main];
  return command.endsWith('vitest run')
    ? everyFile.filter((file) => /^test\/(?:api|calendar-commands|contract|unit)\/.*\.test\.ts$/.test(file))
    : [];
}

test.each(['infra/check', 'test/engines'])(
  'commands that do not install the tools of %s import none of them',
  (folder) => {
    const [{ scripts }, { devDependencies }] = ['package.json', `${folder}/package.json`].map((file) =>
      JSON.parse(readFileSync(join(root, file), 'utf8')),
    );
    const starts = Object.values<string>(scripts)
      .filter((command) => !command.includes(`--with=${folder} `))
      .flatMap(startsOf);
    expect(starts.length).toBeGreaterThan(300);
    const reached = reachedFrom(starts);
    expect(Object.keys(devDependencies).filter((name) => reached.includes(name))).toEqual([]);
  },
);

describe('packages', () => {
  const ofTheApp = imports
    .filter(
      ({ from, to }) =>
        /^(functions|shared)\//.test(from) && !/^(functions|shared|node:|package\.json$)/.test(to),
    )
    .map(({ from, to }) => ({ from, to: /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to }));

  test.each(Object.entries(keepers))('%s is imported only in %j', (name, places) => {
    const elsewhere = ofTheApp.filter(
      ({ from, to }) => to === name && !places.some((place) => from.startsWith(place)),
    );
    expect(elsewhere).toEqual([]);
  });

  test('that the app imports are all kept somewhere, and are its dependencies but for pages that are copied', () => {
    // What fullcalendar asks for beside itself, and what a style sheet imports.
    const besides = ['temporal-polyfill', '@picocss/pico', '@fontsource/source-sans-3'];
    const { dependencies: installed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect([...new Set(ofTheApp.map(({ to }) => to))].toSorted()).toEqual(Object.keys(keepers).toSorted());
    expect(Object.keys(installed).toSorted()).toEqual([...Object.keys(keepers), ...besides].toSorted());
  });
});
