/** Holds the layers of docs/architecture.md, and which may depend on which, by reading the imports. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folders = ['functions', 'shared', 'local', 'packages', 'infra', 'scripts'];

const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/^[a-z-]+\/(?:test|dist|node_modules)\//.test(name))
    .map((name) => `${folder}/${name}`),
);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

/** Imports of our files as paths from the root, those of packages by name. */
function importsOf(file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8');
  const found = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?from\s*'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g,
  );
  return [...found].map(([, type, from, dynamic, bare]) => {
    const target = from ?? dynamic ?? bare ?? '';
    const to = target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target;
    return { from: file, to, typeOnly: type !== undefined };
  });
}

const imports = files.flatMap(importsOf);

/** What measures work: open to all, since it knows nothing of what is measured. */
const telemetry = 'shared/telemetry/';

/** Admission control, queues and chunks. */
const limits = 'shared/limits/';

/** Which layers a layer may import from, besides itself. A file belongs to the longest name that its path begins with. */
const dependencies: Readonly<Record<string, readonly string[]>> = {
  'functions/index.ts': [
    ...['functions/', 'functions/records/', 'functions/calendar/', 'functions/service/', 'functions/pages/'],
    ...['shared/', 'shared/http/', 'shared/auth/', 'shared/sql/', 'shared/calendar/', limits, telemetry],
  ],
  'functions/': ['shared/'],
  'functions/records/': [
    ...['functions/', 'shared/', 'shared/http/', 'shared/auth/', 'shared/sql/', telemetry],
    ...['shared/records/', 'shared/records/objects/', 'shared/records/custom-data/'],
  ],
  'functions/calendar/': [
    ...['functions/', 'shared/', 'shared/http/', 'shared/auth/', limits, telemetry],
    ...['shared/calendar/', 'shared/calendar/model/', 'shared/calendar/log/'],
    ...['shared/calendar/replica/', 'shared/calendar/read/', 'shared/calendar/write/'],
    'shared/calendar/pictures/',
  ],
  'functions/service/': ['functions/', 'shared/', 'shared/http/', 'shared/auth/'],
  'functions/pages/': [
    ...['functions/', 'functions/service/', 'shared/', 'shared/http/', 'shared/calendar/'],
    ...['shared/calendar/model/', 'shared/calendar/pictures/', 'functions/pages/views/'],
  ],
  // What servers and browsers show alike.
  'functions/pages/views/': [],
  'functions/pages/browser/': ['functions/pages/views/'],
  'shared/': [telemetry],
  [telemetry]: ['shared/'],
  [limits]: ['shared/', telemetry],
  'shared/http/': ['shared/', limits, telemetry],
  'shared/auth/': ['shared/', limits, telemetry],
  'shared/sql/': ['shared/', limits, telemetry],
  'shared/records/': ['shared/', limits, 'shared/sql/'],
  'shared/records/objects/': ['shared/', telemetry, 'shared/sql/', 'shared/records/'],
  'shared/records/custom-data/': ['shared/', limits, telemetry, 'shared/sql/', 'shared/records/'],
  'shared/calendar/': [
    ...['shared/', 'shared/calendar/model/', 'shared/calendar/log/'],
    ...['shared/calendar/replica/', 'shared/calendar/read/', 'shared/calendar/read/views/'],
    ...['shared/calendar/search/', 'shared/calendar/write/', 'shared/calendar/pictures/'],
    limits,
    telemetry,
  ],
  'shared/calendar/model/': ['shared/', telemetry],
  'shared/calendar/log/': ['shared/', telemetry],
  'shared/calendar/pictures/': ['shared/', telemetry],
  'shared/calendar/replica/': ['shared/', 'shared/calendar/model/', 'shared/calendar/log/', telemetry],
  'shared/calendar/read/': [
    ...['shared/', 'shared/calendar/model/', 'shared/calendar/log/', 'shared/calendar/replica/'],
    'shared/calendar/search/',
  ],
  'shared/calendar/search/': ['shared/', 'shared/calendar/model/', 'shared/calendar/replica/'],
  'shared/calendar/read/views/': [
    ...['shared/', 'shared/calendar/model/', 'shared/calendar/replica/', 'shared/calendar/read/'],
  ],
  'shared/calendar/write/': [
    ...['shared/', telemetry, 'shared/calendar/model/', 'shared/calendar/log/', 'shared/calendar/replica/'],
    'shared/calendar/pictures/',
  ],
  'infra/': ['shared/', 'scripts/'],
  'local/': [],
  'scripts/': [...['local/', 'shared/', 'shared/sql/', 'shared/records/', 'shared/records/objects/']],
  'packages/': [],
  // The only package that imports from the app (docs/decisions/packages.md).
  'packages/calendar-tools/': [
    ...['shared/', 'shared/calendar/model/', 'shared/calendar/log/', 'shared/calendar/replica/'],
    ...['shared/calendar/read/views/', 'shared/calendar/write/', 'shared/calendar/pictures/'],
  ],
};

/** The folders of shared/ that belong to the files beside them: the table of codes and the parsers of settings. */
const parts = [...['shared/errors/', 'shared/config/', 'shared/text/'], 'shared/http/functions-library/'];

/** Returns the layer of a file. A folder of the app that no layer names is a separate layer, which no other may import. */
function layerOf(file: string): string {
  const names = Object.keys(dependencies).filter((name) => file.startsWith(name));
  const deepest = names.reduce((best, name) => (name.length > best.length ? name : best), '');
  const isNested = /^(functions|shared)\/$/.test(deepest) && file.slice(deepest.length).includes('/');
  return isNested && !parts.some((part) => file.startsWith(part)) ? dirname(file) : deepest;
}

/** Packages that one place only may import; every package that the app imports stands here. */
const keepers: Readonly<Record<string, readonly string[]>> = {
  '@azure/data-tables': ['shared/calendar/log/'],
  '@azure/functions': ['shared/http/'],
  '@azure/identity': ['shared/managed-identity.ts'],
  '@azure/storage-blob': ['shared/calendar/pictures/'],
  '@fastify/busboy': ['functions/calendar/wp-v2/media-upload.ts'],
  '@azure/monitor-opentelemetry-exporter': ['shared/telemetry/'],
  '@opentelemetry/api': ['shared/telemetry/'],
  '@opentelemetry/exporter-metrics-otlp-http': ['shared/telemetry/'],
  '@opentelemetry/exporter-metrics-otlp-proto': ['shared/telemetry/'],
  '@opentelemetry/exporter-trace-otlp-http': ['shared/telemetry/'],
  '@opentelemetry/exporter-trace-otlp-proto': ['shared/telemetry/'],
  '@opentelemetry/resources': ['shared/telemetry/'],
  '@opentelemetry/sdk-metrics': ['shared/telemetry/'],
  '@opentelemetry/sdk-trace-base': ['shared/telemetry/'],
  ajv: ['shared/http/validate.ts'],
  'ajv-formats': ['shared/http/validate.ts'],
  entities: ['shared/calendar/model/text/'],
  fullcalendar: ['functions/pages/browser/'],
  'html-to-text': ['shared/calendar/read/views/'],
  'ical.js': ['shared/calendar/read/views/'],
  jsonwebtoken: ['shared/auth/signature.ts'],
  'jwks-rsa': ['shared/auth/signing-keys.ts'],
  leaflet: ['functions/pages/browser/'],
  'lru-cache': ['shared/cache.ts'],
  mssql: ['shared/sql/'],
  negotiator: ['shared/http/accept.ts'],
  'oidc-client-ts': ['functions/pages/browser/'],
  preact: ['functions/pages/'],
  'preact-render-to-string': ['functions/pages/page.tsx'],
  'remove-accents': ['shared/calendar/model/text/'],
  'sanitize-html': ['shared/calendar/model/text/'],
  'timezones-ical-library': ['shared/calendar/read/views/'],
  typebox: ['functions/', 'shared/http/', 'shared/calendar/model/fields/'],
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

  test('are said for every folder of the app', () => {
    const layers = files.filter((file) => /^(functions|shared)\//.test(file)).map(layerOf);
    expect([...new Set(layers)].filter((layer) => !(layer in dependencies))).toEqual([]);
  });

  test('of local/ on scripts/ do not hide in paths either', () => {
    const starting = files.filter(
      (file) => file.startsWith('local/') && /['"/]scripts['"/]/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(starting).toEqual([]);
  });

  const isPackage = ({ from }: Import) => from.startsWith('packages/');

  test('have no cycles in the app, of types either', () => {
    expect(cyclesIn(imports.filter((item) => !isPackage(item)))).toEqual([]);
  });

  test('have no cycles in packages when they run', () => {
    expect(cyclesIn(imports.filter((item) => isPackage(item) && !item.typeOnly))).toEqual([]);
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
    const besides = ['temporal-polyfill', '@picocss/pico'];
    const { dependencies: installed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect([...new Set(ofTheApp.map(({ to }) => to))].toSorted()).toEqual(Object.keys(keepers).toSorted());
    expect(Object.keys(installed).toSorted()).toEqual([...Object.keys(keepers), ...besides].toSorted());
  });
});

describe('files', () => {
  const longerThan = (lines: number, file: string) =>
    readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length > lines;

  test('have at most 300 lines', () => {
    expect(files.filter((file) => longerThan(300, file))).toEqual([]);
  });

  test('of the pages have at most 3,965 lines of code together that are not blank', () => {
    const entries = readdirSync(join(root, 'functions', 'pages'), { recursive: true, withFileTypes: true });
    const texts = entries
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '');
    expect(lines.length).toBeLessThanOrEqual(3965);
  });
});
