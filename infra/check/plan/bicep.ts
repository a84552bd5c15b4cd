/** Plans of the Bicep stack: the compiler's own snapshot of a parameter file. */

import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BicepCompiler, bicepCompiler, type Diagnostic } from '../bicep/compiler.ts';
import { publishGraphTypes } from '../bicep/graph-types.ts';
import { closed } from './arm-value.ts';
import type { Data } from './data.ts';
import { hashIn, subscriptionId, tenantId, withOneSuffix } from './ids.ts';
import {
  nameInGraph,
  normalized,
  type Plan,
  type PlannedResource,
  type Question,
  ToolMissing,
} from './plan.ts';
import { computedOnce, filesOf, workFolder } from './work-folder.ts';

type Files = ReadonlyMap<string, string>;
type Values = Readonly<Record<string, Data>>;

/** Plans a template with the values of a parameter file for the given variables of the environment. */
export async function planBicep(
  files: Files,
  parameterFile: string,
  environment: Readonly<Record<string, string>>,
  more: Values = {},
): Promise<Plan> {
  const compiler = await bicepCompiler();
  if (typeof compiler === 'string') throw new ToolMissing(compiler);
  const text = await computedOnce(
    filesOf('bicep', files),
    [compiler.name, parameterFile, environment, more],
    async () => {
      const folder = await bicepFolder(files, compiler);
      const path = join(folder, dirname(parameterFile), `${nextName()}.bicepparam`);
      writeFileSync(path, withValues(files.get(parameterFile) ?? '', environment, more));
      const metadata = { tenantId, subscriptionId, location: 'westeurope' };
      try {
        return String((await compiler.ask('bicep/getSnapshot', { path, metadata }))['snapshot']);
      } catch (error) {
        const faults = await complaints(compiler, path);
        throw faults.length > 0 ? new Error(faults.join('; '), { cause: error }) : error;
      }
    },
  );
  return readSnapshot(text);
}

/** Plans a set. */
export const planWithBicep = (files: Files, { template, environment, parameters }: Question): Promise<Plan> =>
  planBicep(
    files,
    template === 'main' ? 'infra/bicep/main.bicepparam' : 'infra/bicep/entra/main.bicepparam',
    environment,
    parameters,
  );

/** What the compiler has against a parameter file and its template: errors and warnings. */
export async function complaints(compiler: BicepCompiler, path: string): Promise<string[]> {
  const { diagnostics } = await compiler.ask('bicep/compileParams', { path, parameterOverrides: {} });
  return (diagnostics as Diagnostic[])
    .filter(({ level, code }) => level !== 'Info' && code !== 'BCP104')
    .map(({ source, range, code, message }) => {
      const file = source.slice(Math.max(0, source.lastIndexOf('/infra/') + 1));
      return `${file}(${range.start.line + 1},${range.start.char + 1}): ${code}: ${message}`;
    });
}

let count = 0;
/** Returns the name of a parameter file that was not there before. */
export const nextName = () => `set-${++count}`;

const extension = /"br:([^/"]+)[^"]*microsoftgraph[^"]*"/;
const configuration = 'infra/bicep/bicepconfig.json';

/** Checks whether the registry of the Graph extension answers. */
export async function hasRegistry(files: Files): Promise<boolean> {
  const registry = extension.exec(files.get(configuration) ?? '')?.[1];
  const asked = fetch(`https://${registry}/v2/`, { signal: AbortSignal.timeout(2000) });
  return asked.then(({ ok }) => ok).catch(() => false);
}

/** The files in a folder, with a description of the Graph extension in place of its registry, which a machine may not reach. */
export async function bicepFolder(files: Files, compiler: BicepCompiler): Promise<string> {
  const stackFiles = filesOf('bicep', files);
  const text = stackFiles.get(configuration)?.replace(extension, '"./graph.tgz"') ?? '';
  const folder = workFolder(new Map(stackFiles).set(configuration, text));
  copyFileSync(await publishGraphTypes(compiler.command), join(folder, dirname(configuration), 'graph.tgz'));
  return folder;
}

/** A parameter file with literals in place of variables of the environment, and other values for some parameters. */
export function withValues(
  text: string,
  environment: Readonly<Record<string, string>>,
  more: Values,
): string {
  const read = text.replaceAll(
    /readEnvironmentVariable\('(\w+)'(?:, *('[^']*'))?\)/g,
    (call, name, other) => {
      const value = environment[name];
      return value === undefined ? (other ?? call) : literal(value);
    },
  );
  const without = Object.keys(more).reduce(
    (rest, name) => rest.replace(new RegExp(`^param ${name} = .*\\n`, 'm'), ''),
    read,
  );
  return `${without}\n${Object.entries(more)
    .map(([name, value]) => `param ${name} = ${literal(value)}\n`)
    .join('')}`;
}

/** A value as Bicep writes it, on one line. */
function literal(value: Data): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const quoted = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('${', '\\${').replaceAll('\n', '\\n')}'`;
  return typeof value === 'string' ? quoted : `json(${quoted})`;
}

interface Predicted {
  readonly id?: string;
  readonly type: string;
  readonly properties?: Record<string, Data>;
  readonly [name: string]: Data | undefined;
}

function readSnapshot(json: string): Plan {
  const { predictedResources, outputs = {} } = JSON.parse(withOneSuffix(json)) as {
    predictedResources: readonly Predicted[];
    outputs?: Record<string, Data>;
  };
  const names = symbolsOf(predictedResources);
  const resources = predictedResources.map((item): PlannedResource => {
    if (item.type.startsWith('Microsoft.Graph/')) {
      const [type = ''] = item.type.split('@');
      const body = closed(item.properties ?? {}, names) as PlannedResource['body'];
      return { type, id: `${type}/${nameInGraph(body)}`, body };
    }
    const { id = '', type, name: _, apiVersion: version = '', dependsOn: ___, ...body } = item;
    const closedBody = closed(body as Data) as PlannedResource['body'];
    return { type, id: idOf(String(closed(id)), closedBody), body: closedBody, version: String(version) };
  });
  return normalized(resources, closed(outputs, names) as Plan['outputs'], hashIn(json));
}

/** The id; a role assignment goes by role and principal, since its name is a hash of them. */
function idOf(id: string, { properties }: PlannedResource['body']): string {
  const [scope, name] = id.split(/(?<=\/roleAssignments\/)/);
  if (name === undefined) return id;
  const { roleDefinitionId = '', principalId = '' } = properties as Record<string, string>;
  return `${scope}${roleDefinitionId.split('/').at(-1)} ${principalId}`;
}

/** Names of Graph resources by the symbols of infra/bicep/entra/main.bicep, in the order in which they stand there. */
function symbolsOf(predicted: readonly Predicted[]): Record<string, string> {
  const ofType = (name: string) =>
    predicted.filter(({ type }) => type.startsWith(`Microsoft.Graph/${name}@`));
  const applications = ofType('applications').map(({ properties = {} }) => String(properties['uniqueName']));
  const symbol = (first: string, others: string) => (name: string, at: number) =>
    [at === 0 ? first : `${others}[${at - 1}]`, name] as const;
  return {
    ...Object.fromEntries(applications.map(symbol('application', 'clients'))),
    ...Object.fromEntries(
      applications.map((name) => `<${name}:appId>`).map(symbol('servicePrincipal', 'clientPrincipals')),
    ),
  };
}
