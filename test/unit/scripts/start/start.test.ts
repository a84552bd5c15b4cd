/** `npm start` and `npm run dev` as a user runs them. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const project = join(import.meta.dirname, '../../../..');

// Each of these starts whole systems, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });
const patiently = { timeout: 60_000 };

const { PATH, NODE_COMPILE_CACHE } = process.env;

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start ø-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) await ended(child, 'SIGTERM');
  rmSync(folder, { recursive: true });
});

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await exit)[0];
}

interface Start {
  readonly environment?: Readonly<Record<string, string>>;
  readonly parameters?: readonly string[];
  /** The words to wait for. */
  readonly until?: string;
  readonly root?: string;
}

/** Starts it and waits until it says the words, or ends. */
async function start({
  environment,
  parameters = [],
  until = 'Ctrl-C stops it.',
  root = project,
}: Start = {}) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'scripts/start/main.ts', ...parameters],
    {
      cwd: root,
      env: { PATH, NODE_COMPILE_CACHE, LOCAL_STATE: folder, PORT: '0', SAMPLE_DATA: 'off', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  children.push(child);
  let output = '';
  const said = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes(until)) said.resolve();
    });
  }
  await Promise.race([said.promise, once(child, 'close')]);
  return { child, output: () => output };
}

/** Kills one of the processes that it has started. */
function killPart({ pid: parent }: ChildProcess, part: 'tables' | 'functions-host'): void {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const [pid] =
    lines.find(([, ppid, ...args]) => ppid === String(parent) && args.join(' ').includes(`local/${part}/`)) ??
    [];
  process.kill(Number(pid), 'SIGKILL');
}

test('with --flex the host answers preflights for the configured origins, and takes the scheme from the front end', async () => {
  const { output } = await start({
    environment: { WEBSITE_CORS_ALLOWED_ORIGINS: '["https://a.example"]' },
    parameters: ['--flex'],
  });
  const url = /answers at (\S+),/.exec(output())?.[1] ?? '';
  const preflight = (origin: string) =>
    fetch(`${url}/health`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
    });
  const allowed = async (origin: string) =>
    (await preflight(origin)).headers.get('access-control-allow-origin');
  expect(await allowed('https://a.example')).toBe('https://a.example');
  expect(await allowed('https://b.example')).toBeNull();
  const document = await fetch(`${url}/openapi.json`, { headers: { 'X-Forwarded-Proto': 'https' } });
  expect(await document.json()).toMatchObject({ servers: [{ url: url.replace('http:', 'https:') }] });
});

test.each([
  ['/svc/v1', 'my/calendar', '/svc/v1/my/calendar'],
  ['/', '/', ''],
])(
  'it loads the sample calendar under the base path %s and the calendar path %s',
  async (base, calendar, path) => {
    const { output } = await start({
      environment: { SAMPLE_DATA: 'on', SERVICE_API_BASE_URL: base, CALENDAR_BASE_PATH: calendar },
    });
    const list = /curl "(\S+per_page=3)"/.exec(output())?.[1] ?? output();
    expect(new URL(list).pathname).toBe(`${path}/events`);
    const { total } = (await (await fetch(list)).json()) as { total: number };
    expect(total).toBeGreaterThan(0);
  },
);

test('it names what puts a route prefix before the base path', async () => {
  const override = 'AzureFunctionsJobHost__extensions__http__routePrefix';
  const { output } = await start({ environment: { SAMPLE_DATA: 'on', [override]: 'other' } });
  expect(output()).toContain(`the app setting ${override} puts a route prefix before every path`);
  expect(output()).toMatch(/but is not ready .*\n {2}\S+\/health answers 404/);
});

test('it names the true cause where the sample calendar cannot be loaded, and goes on', async () => {
  const { output } = await start({
    environment: { SAMPLE_DATA: 'on', AppRegistration__TenantId: '99999999-9999-4999-8999-999999999999' },
  });
  expect(output()).toContain('Cannot load the sample calendar: ');
  expect(output()).toMatch(
    /not ready .*\n {2}identity-provider: .* name different tenants\. \(configuration\)/,
  );
});

test('it takes over what a killed one has left, serves, refuses a second one, and stops cleanly on Ctrl-C', async () => {
  // The number of the killed process lives on in another one.
  writeFileSync(join(folder, 'running.pid'), String(process.pid));
  const first = await start({ parameters: ['--inspect=0'] });
  const address = /answers at (\S+),/.exec(first.output())?.[1];
  expect((await fetch(`${address}/health`)).status).toBe(200);
  await letsDebuggersFindTheSource(first.output());

  const second = await start();
  expect(second.output()).toBe(
    `npm start runs already: process ${first.child.pid} has the state in ${folder}.\n` +
      'Stop that one, or start another one beside it: PORT=0 LOCAL_STATE=memory npm start\n',
  );
  expect(await ended(second.child, 'SIGTERM')).toBe(1);

  expect(await ended(first.child, 'SIGINT')).toBe(0);
  await expect(fetch(`${address}/health`)).rejects.toThrow();
});

test('it fills the calendar anew when it was interrupted while it did', async () => {
  const first = await start({
    environment: { SAMPLE_DATA: 'on' },
    until: 'Loading the sample calendar',
  });
  await expect
    .poll(
      () => existsSync(join(folder, 'tables', 'filling')) || first.output().includes('stops it'),
      patiently,
    )
    .toBe(true);
  await ended(first.child, 'SIGINT');
  const { output } = await start({ environment: { SAMPLE_DATA: 'on' } });
  // The requests that load samples are not logged; the one below is.
  const said = output();
  const [address] = /http\S+events\/v1/.exec(said) ?? [];
  const events = await fetch(`${address}/events?start_date=2000-01-01&per_page=1`);
  expect(await events.json()).toMatchObject({ total: expect.toSatisfy((total: number) => total > 50) });
  expect(said).not.toMatch(/^(GET|POST|PATCH) (venue|event|\S+events)/m);
});

/** Attaches to the app as a debugger does: it learns of the bundle and of its source map. */
async function letsDebuggersFindTheSource(output: string): Promise<void> {
  const [debuggerAddress = ''] = /ws:\/\/127\.0\.0\.1:\S+/.exec(output) ?? [];
  const bundle = pathToFileURL(join(project, 'dist/functions/index.js')).href;
  expect(await sourceMapOf(debuggerAddress, bundle)).toBe('index.js.map');
  const { sources } = JSON.parse(readFileSync(join(project, 'dist/functions/index.js.map'), 'utf8'));
  expect(sources).toContain('../../functions/index.ts');
}

/** The source map of a script, as Node's debugger names it to whoever attaches. */
async function sourceMapOf(debuggerAddress: string, script: string): Promise<unknown> {
  const client = new WebSocket(debuggerAddress);
  await once(client, 'open');
  const found = Promise.withResolvers<unknown>();
  client.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data));
    if (method === 'Debugger.scriptParsed' && params.url === script) found.resolve(params.sourceMapURL);
  });
  client.send(JSON.stringify({ id: 1, method: 'Debugger.enable' }));
  return found.promise.finally(() => client.close());
}

test('it keeps no state where LOCAL_STATE names a file', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const { child, output } = await start({ environment: { LOCAL_STATE: file } });
  expect({ code: child.exitCode, said: output() }).toEqual({
    code: 1,
    said: expect.stringMatching(`^Cannot keep the state in ${file} \\(LOCAL_STATE\\): .*\n$`),
  });
});

test('it ends when a part of it does, and says which', async () => {
  const { child, output } = await start();
  const closed = once(child, 'close');
  killPart(child, 'tables');
  expect((await closed)[0]).toBe(1);
  expect(output()).toContain('the local tables ended with SIGKILL.');
});

test.each([
  [{ SAMPLE_DATA: 'maybe' }, 'SAMPLE_DATA must be "on" or "off", not "maybe".'],
  [{ PORT: 'x' }, 'PORT must be a number from 0 to 65535, not "x".'],
])('it refuses %j', async (environment, message) => {
  const { child, output } = await start({ environment });
  expect({ code: child.exitCode, said: output().trim() }).toEqual({ code: 1, said: message });
});

test('it says what to do when its port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { child, output } = await start({ environment: { PORT: String(port) } });
  other.close();
  expect({ code: child.exitCode, said: output().trim() }).toEqual({
    code: 1,
    said: `Port ${port} is in use. Choose another one: PORT=0 npm start takes any that is free.`,
  });
});

describe('with --watch', () => {
  /** A project of its own, whose source the test may change. */
  function copyOfTheProject(): string {
    const copy = join(folder, 'project');
    for (const name of [
      'functions',
      'shared',
      'local',
      'scripts',
      'infra/database',
      'host.json',
      'package.json',
    ])
      cpSync(join(project, name), join(copy, name), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
    return copy;
  }

  test('it says what is wrong in a changed source, serves on, and restarts once it is mended', async () => {
    const root = copyOfTheProject();
    const source = join(root, 'functions/records/health.ts');
    const { child, output } = await start({ root, parameters: ['--watch'], until: 'Watching' });
    const status = async () => {
      const address = /answers at (\S+),/.exec(output())?.[1];
      return fetch(`${address}/health`).then(
        (reply) => reply.status,
        () => 'nobody answers',
      );
    };

    cpSync(source, join(folder, 'mended'));
    appendFileSync(source, 'const broken = ;');
    await expect.poll(output, patiently).toContain('Cannot build the app: its source has the errors above.');
    expect(output()).toContain('functions/records/health.ts:');
    expect(await status()).toBe(200);

    writeFileSync(source, "throw new Error('boom');");
    await expect.poll(output, patiently).toContain('The app did not load, every path is 404: Error: boom');
    expect(output()).toMatch(/at .*functions\/records\/health\.ts:1:7/);
    expect(await status()).toBe(404);

    cpSync(join(folder, 'mended'), source);
    await expect.poll(output, patiently).toContain('The app runs again.');
    expect(await status()).toBe(200);

    killPart(child, 'functions-host');
    await expect
      .poll(output, patiently)
      .toContain('the functions host ended with SIGKILL.\nIt starts again when');
    appendFileSync(source, '\n');
    await expect.poll(status, patiently).toBe(200);
  });
});
