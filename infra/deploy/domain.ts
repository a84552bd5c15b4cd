/** A name of one's own: what must stand in DNS before Azure takes it, and its binding to the app that callers reach. */

import type { Context } from './context.ts';
import { namesInDns, Unanswered } from './domain-names.ts';
import { UsageError } from './options.ts';
import { needOutput, textOutput } from './outputs.ts';
import { outputsOf } from './stacks/index.ts';
import { effectiveValues } from './values.ts';

/** A record that must stand in DNS, and what stands there. */
interface DomainRecord {
  readonly name: string;
  readonly type: 'CNAME' | 'TXT';
  readonly value: string;
  readonly found: readonly string[];
  /** Why nobody knows what stands there. */
  readonly unanswered?: string;
  /** Whether Azure takes the name without it: with a certificate of one's own the alias may come later, when callers shall move. */
  readonly isNeeded: boolean;
}

/** The name that was asked for, and the app that it shall be bound to. */
interface Domain {
  readonly name: string;
  readonly app: string;
  readonly group: string;
  /** The name that Azure gave the app. */
  readonly host: string;
  readonly verificationId: string;
  readonly hasOwnCertificate: boolean;
}

/** Prints the records that the name needs, and which of them are there. Throws an error where DNS does not say. */
export async function printDomain(context: Context): Promise<void> {
  const domain = await domainOf(context);
  if (domain === undefined)
    throw new UsageError('Name the domain: customDomain={"name":"events.example.org"}.');
  const records = await recordsOf(context, domain);
  context.say(`${domain.name} leads to the app ${domain.app} with these records in DNS:`);
  for (const record of records) context.say(described(record));
  if (await isBound(context, domain)) context.say('The name is bound to the app.');
  else if (missingOf(records).length === 0)
    context.say('All that Azure asks for is there: the step provision binds it.');
  const reasons = unanswered(records);
  if (reasons.length > 0) throw new Error(reasons.join('\n'));
}

/** Checks whether a name that was asked for can be bound, or is bound. Throws an error that says what is missing, or why that is not known. */
export async function mustBeBindable(context: Context): Promise<void> {
  const domain = await domainOf(context);
  if (domain !== undefined && !(await isBound(context, domain))) await mustBeReady(context, domain);
}

/** Throws a UsageError that says what a name lacks that is not bound yet, or an error where DNS does not say. */
async function mustBeReady(context: Context, domain: Domain): Promise<void> {
  await mustTakeCertificates(context, domain);
  const missing = missingOf(await recordsOf(context, domain));
  if (missing.length === 0 || context.options.dryRun) return;
  const lines = missing.map(described).join('\n');
  const reasons = unanswered(missing);
  if (reasons.length > 0)
    throw new Error(
      `It is not known whether ${domain.name} is ready, since it needs these records in its DNS.\n${lines}\n${reasons.join('\n')}`,
    );
  throw new UsageError(
    `${domain.name} is not ready: make these records in its DNS, and run the step again when they can be seen.\n${lines}`,
  );
}

/**
 * Binds a name that was asked for to its app, before the templates give it a certificate: Azure issues one for bound names only. One that
 * is bound stays as it is, since binding it again would take its certificate away.
 */
export async function bindDomain(context: Context): Promise<void> {
  const domain = await domainOf(context);
  if (domain === undefined || (await isBound(context, domain))) return;
  await mustBeReady(context, domain);
  const { name, app, group } = domain;
  const place = ['--resource-group', group, '--name', app, '--hostname', name];
  await context.run('az', ['functionapp', 'config', 'hostname', 'add', ...place, '--output', 'none']);
}

/** The name of the values, with its app; undefined: none was asked for. Throws a UsageError while the app is not there. */
async function domainOf(context: Context): Promise<Domain | undefined> {
  const values = effectiveValues(context.options);
  const { name, keyVaultId } = values['custom_domain'] as { name?: string; keyVaultId?: string };
  if (name === undefined) return undefined;
  const outputs = await outputsOf(context);
  const prefix = values['calendar_app'] === true ? 'CALENDAR' : 'FUNCTION';
  const app = textOutput(outputs, `${prefix}_APP_NAME`);
  const url = textOutput(outputs, `${prefix}_APP_URL`);
  const verificationId = textOutput(outputs, 'DOMAIN_VERIFICATION_ID');
  const isKnown = app !== '' && URL.canParse(url) && verificationId !== '';
  if (!isKnown && !context.options.dryRun)
    throw new UsageError(
      `${name} can be bound when its app is there, whose name its DNS must have: run the step provision without customDomain first, then the step domain, which prints the records.`,
    );
  return {
    name,
    app: app || `<${prefix}_APP_NAME>`,
    group: needOutput(outputs, 'AZURE_RESOURCE_GROUP'),
    host: URL.canParse(url) ? new URL(url).hostname : url,
    verificationId,
    hasOwnCertificate: keyVaultId !== undefined,
  };
}

async function recordsOf(
  { names = namesInDns(), options }: Context,
  { name, host, verificationId, hasOwnCertificate }: Domain,
): Promise<readonly DomainRecord[]> {
  const proof = `asuid.${name}`;
  const [alias, text] = await Promise.all([
    options.dryRun ? nothing : lookUp(names.aliases(name)),
    options.dryRun ? nothing : lookUp(names.texts(proof)),
  ]);
  return [
    { ...alias, name, type: 'CNAME', value: host, isNeeded: !hasOwnCertificate },
    { ...text, name: proof, type: 'TXT', value: verificationId, isNeeded: true },
  ];
}

const nothing: Pick<DomainRecord, 'found' | 'unanswered'> = { found: [] };

async function lookUp(records: Promise<readonly string[]>): Promise<typeof nothing> {
  try {
    return { found: await records };
  } catch (error) {
    if (error instanceof Unanswered) return { found: [], unanswered: error.message };
    throw error;
  }
}

/** Names in DNS have no case, and may end in a dot; Azure's proof has no case either. */
const plain = (text: string) => text.toLowerCase().replace(/\.$/, '');
const isThere = ({ value, found }: DomainRecord) => found.map(plain).includes(plain(value));

const missingOf = (records: readonly DomainRecord[]) =>
  records.filter((record) => record.isNeeded && !isThere(record));

/** Why nobody knows of some of the records whether they are there, each reason once. */
const unanswered = (records: readonly DomainRecord[]) => [
  ...new Set(records.flatMap((record) => record.unanswered ?? [])),
];

function described(record: DomainRecord): string {
  const { name, type, value, found } = record;
  const other = found.length === 0 ? 'missing' : `now ${found.join(', ')}`;
  const state = record.unanswered === undefined ? other : 'not known';
  return `  ${name}  ${type}  ${value}  (${isThere(record) ? 'there' : state})`;
}

async function isBound({ run, options }: Context, { name, app, group }: Domain): Promise<boolean> {
  const place = ['--resource-group', group, '--webapp-name', app, '--query', '[].name', '--output', 'tsv'];
  const list = await run('az', ['functionapp', 'config', 'hostname', 'list', ...place], { quiet: true });
  const bound = list.split('\n').map((line) => line.trim().split('/').at(-1));
  return !options.dryRun && bound.includes(name);
}

/** An app of an earlier version can have no certificates, and Azure does not change that. */
async function mustTakeCertificates({ run }: Context, { app, group, name }: Domain): Promise<void> {
  const place = ['--resource-group', group, '--resource-type', 'Microsoft.Web/sites', '--name', app];
  const query = ['--query', 'properties.siteScopedCertificatesEnabled', '--output', 'tsv'];
  const said = await run('az', ['resource', 'show', ...place, ...query], { quiet: true });
  if (said.trim() !== 'false') return;
  throw new UsageError(
    `The app ${app} was made before apps could have certificates, so ${name} cannot be bound to it: delete it (az functionapp delete --resource-group ${group} --name ${app}), and run provision without customDomain and push, which make it anew.`,
  );
}
