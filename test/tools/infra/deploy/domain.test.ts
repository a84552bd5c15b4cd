/** A name of one's own at the app that callers reach. */

import { Resolver } from 'node:dns/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deploy } from '../../../../infra/deploy/deploy.ts';
import { type DomainNames, namesInDns } from '../../../../infra/deploy/domain-names.ts';
import { defaultStack, stackNames } from '../../../../infra/deploy/environments.ts';
import { mustBeAllowed } from '../../../../infra/deploy/guards.ts';
import { profileValues } from '../../../../infra/deploy/values.ts';
import { startNameServer } from '../../../support/name-server.ts';
import { RememberedAzure } from '../../../support/remembered-azure.ts';
import { newFolder } from '../../../support/temporary-folder.ts';
import { values } from './fixtures.ts';

const name = 'events.example.org';
const host = 'func-dev.azurewebsites.net';
const whole = { [name]: [`${host.toUpperCase()}.`], [`asuid.${name}`]: ['proof'] };
const vault = { name, keyVaultId: '/vaults/kv', certificateName: 'events' };

/** An environment and its DNS, which a test changes, or has in a name server. */
function begin(inDns?: DomainNames) {
  const azure = new RememberedAzure(`https://${host}`);
  const execute = azure.machine();
  const folder = join(newFolder(), 'deployments');
  const records = new Map<string, readonly string[]>();
  const found = async (asked: string) => records.get(asked) ?? [];
  const names: DomainNames = inDns ?? { aliases: found, texts: found };
  const run = async (stack: string, step: string, domain?: object) => {
    const said: string[] = [];
    const asked = domain ? ['--set', `customDomain=${JSON.stringify(domain)}`] : [];
    const words = [step, '-e', 'dev', '--stack', stack, '--yes', '--wait', '0', '--max-attempts', '1'];
    const code = await deploy([...words, ...values, '--set', 'apiClientId=api', ...asked], {
      environment: {},
      say: (line) => said.push(line),
      complain: (line) => said.push(line),
      ask: async () => false,
      execute,
      names,
      today: () => azure.today,
      signal: new AbortController().signal,
      folder,
    });
    return { code, said: said.join('\n') };
  };
  /** The calls so far that change something in Azure. */
  const changes = () => azure.calls.filter((call) => /sub create| apply |hostname add/.test(call));
  const set = (more: Readonly<Record<string, readonly string[]>>) => {
    for (const [asked, list] of Object.entries(more)) records.set(asked, list);
  };
  return { azure, run, records, set, changes };
}

describe.each(stackNames)('with %s', (stack) => {
  test('a name is refused until its app and its records are there, then bound once, and kept', async () => {
    const { azure, run, records, set, changes } = begin();
    for (const step of ['preflight', 'provision', 'domain']) {
      const { code, said } = await run(stack, step, { name });
      expect({ code, made: changes() }).toEqual({ code: 2, made: [] });
      expect(said).toContain('run the step provision without customDomain first, then the step domain');
    }
    expect((await run(stack, 'provision')).code).toBe(0);
    const made = changes();

    const asked = await run(stack, 'domain', { name });
    expect(asked.code).toBe(0);
    expect(asked.said).toContain(`  ${name}  CNAME  ${host}  (missing)`);
    expect(asked.said).toContain(`  asuid.${name}  TXT  PROOF  (missing)`);
    set({ [name]: ['old.example.org'], [`asuid.${name}`]: ['another proof'] });
    for (const step of ['preflight', 'provision']) {
      const { code, said } = await run(stack, step, { name });
      expect({ code, made: changes() }).toEqual({ code: 2, made });
      expect(said).toContain(`  ${name}  CNAME  ${host}  (now old.example.org)`);
      expect(said).toContain(`  asuid.${name}  TXT  PROOF  (now another proof)`);
    }

    set(whole);
    expect((await run(stack, 'domain', { name })).said).toContain('the step provision binds it');
    expect((await run(stack, 'preflight', { name })).code).toBe(0);
    expect((await run(stack, 'provision', { name })).code).toBe(0);
    // Another run, while DNS does not have the records: what is bound stays, with its certificate.
    records.clear();
    expect((await run(stack, 'provision', { name })).code).toBe(0);
    expect((await run(stack, 'domain', { name })).said).toContain('The name is bound to the app.');
    expect([...azure.hostNames]).toEqual([[name, { certificate: true }]]);
    expect(changes().filter((call) => call.includes('hostname add'))).toHaveLength(1);

    const { code, said } = await run(stack, 'teardown');
    expect({ code, groups: azure.groups.size }).toEqual({ code: 0, groups: 0 });
    expect(said).toContain(`Remove the records ${name} (CNAME) and asuid.${name} (TXT)`);
  });

  test('a binding that fails changes nothing else, and the next run goes on', async () => {
    const { azure, run, set, changes } = begin();
    expect((await run(stack, 'provision')).code).toBe(0);
    set(whole);
    const before = changes().length;
    azure.failures.push({
      call: /hostname add/,
      words: 'A TXT record pointing from asuid.events was not found.',
    });
    const { code, said } = await run(stack, 'provision', { name });
    expect({ code, changes: changes().length - before }).toEqual({ code: 1, changes: 1 });
    expect(said).toContain('Azure does not see the DNS records of customDomain yet');
    expect((await run(stack, 'provision', { name })).code).toBe(0);
    expect(azure.hostNames.get(name)).toEqual({ certificate: true });
  });
});

test('with a certificate of a key vault the alias may come later, when callers shall move', async () => {
  const { azure, run, set } = begin();
  await run(defaultStack, 'provision');
  set({ [name]: ['old.example.org'] });
  expect((await run(defaultStack, 'provision', vault)).code).toBe(2);
  set({ [`asuid.${name}`]: ['PROOF'] });
  expect((await run(defaultStack, 'provision', vault)).code).toBe(0);
  expect(azure.hostNames.get(name)).toEqual({ certificate: true });
});

test('an app that was made before apps had certificates is named, with the way out', async () => {
  const { azure, run, set, changes } = begin();
  await run(defaultStack, 'provision');
  const made = changes();
  set(whole);
  azure.siteCertificates = 'false';
  const { code, said } = await run(defaultStack, 'provision', { name });
  expect({ code, made: changes() }).toEqual({ code: 2, made });
  const [group] = azure.groups.keys();
  expect(said).toContain(`az functionapp delete --resource-group ${group} --name func-dev`);
});

test('the step domain without a name says how to give one', async () => {
  const { code, said } = await begin().run(defaultStack, 'domain');
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining('customDomain={"name"') });
});

describe('what is no name for an app of callers is refused', () => {
  const label = 'x'.repeat(63);
  const refused = (domain: Readonly<Record<string, string>>, more = {}) => {
    try {
      mustBeAllowed({ ...profileValues('small'), alert_emails: ['a@b.c'], custom_domain: domain, ...more });
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };

  test.each([name, 'a.b.c', `${label}.town.example`, 'xn--hndelser-0za.town.example', '1.2-3.example'])(
    '%s is a name',
    (good) => expect(refused({ name: good })).toBe(''),
  );

  test.each([
    '',
    'example.org',
    'localhost',
    `https://${name}`,
    `${name}:443`,
    `${name}/`,
    `${name}.`,
    `.${name}`,
    'events..example.org',
    'Events.example.org',
    '-events.example.org',
    'events-.example.org',
    'ev_ents.example.org',
    '*.example.org',
    `x${label}.town.example`,
    `${`${label}.`.repeat(4)}example`,
    'händelser.town.example',
    `${name}\n`,
  ])('"%s" is none', (bad) => {
    expect(refused({ name: bad })).toContain('customDomain needs a name below a domain of yours');
  });

  test.each([
    [{ keyVaultId: '/vaults/kv', certificateName: 'events' }, {}, 'needs a name below a domain'],
    [{ name, certificateName: 'events' }, {}, 'keyVaultId and certificateName together'],
    [{ name, keyVaultId: '/vaults/kv' }, {}, 'keyVaultId and certificateName together'],
    [{ name }, { gateway_sku: 'StandardV2' }, 'give it to the gateway'],
    [{ name }, { app_public_access: false }, 'give it to the gateway'],
    [{ name }, { app_public_access: false, gateway_sku: 'StandardV2', calendar_app: true }, ''],
    [vault, {}, ''],
  ])('%j with %j: %s', (domain, more, message) => {
    expect(refused(domain, more)).toEqual(message === '' ? '' : expect.stringContaining(message));
  });
});

/** What a name server says, asked once and for half a second at most. */
async function startNames(...server: Parameters<typeof startNameServer>) {
  const { address, close } = await startNameServer(...server);
  onTestFinished(close);
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([address]);
  return { inDns: namesInDns(resolver), close };
}

test('records are those that a name server has; a name that is not there, or has others, has none', async () => {
  const { inDns } = await startNames({
    [`CNAME ${name}`]: [host],
    [`TXT asuid.${name}`]: ['a proof that is longer than one string'],
  });
  expect(await inDns.aliases(name)).toEqual([host]);
  expect(await inDns.texts(`asuid.${name}`)).toEqual(['a proof that is longer than one string']);
  expect([await inDns.texts(name), await inDns.aliases('nobody.example.org')]).toEqual([[], []]);
});

describe('DNS that does not answer is told with what to do, and is no missing record', () => {
  const alias = { [`CNAME ${name}`]: [host] };
  const proof = `asuid.${name}`;

  test.each([
    ['SERVFAIL', 'look whether the domain leads to its name servers'],
    ['REFUSED', 'Let the machine ask another one'],
    ['silence', 'does not answer. Try again in a minute'],
    ['FORMERR', 'gives no answer that can be read (EFORMERR)'],
  ] as const)('%s', async (failure, cure) => {
    const { inDns } = await startNames(alias, { [proof]: failure });
    const { run, changes } = begin(inDns);
    expect((await run(defaultStack, 'provision')).code).toBe(0);
    const made = changes();
    for (const step of ['preflight', 'provision']) {
      const { code, said } = await run(defaultStack, step, { name });
      expect({ code, made: changes() }).toEqual({ code: 1, made });
      expect(said).toContain(`${proof}  TXT  PROOF  (not known)`);
      expect(said).toContain(cure);
      expect(said).not.toContain('query');
    }
    const { code, said } = await run(defaultStack, 'domain', { name });
    expect(code).toBe(1);
    expect(said).toContain(`  ${name}  CNAME  ${host}  (there)\n  ${proof}  TXT  PROOF  (not known)\n`);
    expect(said).toContain(cure);
  });

  test('no network: the records to make are printed, and the reason once', async () => {
    const { inDns, close } = await startNames({});
    close();
    const { run } = begin(inDns);
    expect((await run(defaultStack, 'provision')).code).toBe(0);
    const { code, said } = await run(defaultStack, 'domain', { name });
    expect({ code, unknown: said.split('(not known)').length - 1 }).toEqual({ code: 1, unknown: 2 });
    expect(said.split('This machine reaches no resolver.')).toHaveLength(2);
  });

  test('with a certificate of a key vault the alias is not needed, and nobody waits for an answer', async () => {
    const { inDns } = await startNames({ [`TXT ${proof}`]: ['PROOF'] }, { [name]: 'SERVFAIL' });
    const { azure, run } = begin(inDns);
    expect((await run(defaultStack, 'provision')).code).toBe(0);
    expect((await run(defaultStack, 'provision', vault)).code).toBe(0);
    expect(azure.hostNames.get(name)).toEqual({ certificate: true });
  });
});
