/**
 * Runs the Bicep compiler: the one on the PATH, the one that the Azure CLI has installed, or one that `dotnet restore` fetches. One process
 * answers all requests over JSON-RPC, since each start takes seconds.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node.js';
import { runTool } from '../command.ts';
import { root } from '../root.ts';

/** The oldest version that knows every resource type of the templates; with an older one, types are unknown (BCP081). */
const oldest = [0, 45] as const;

/** A diagnostic of the compiler. */
export interface Diagnostic {
  readonly source: string;
  readonly range: { readonly start: { readonly line: number; readonly char: number } };
  readonly level: string;
  readonly code: string;
  readonly message: string;
}

/** A compiler at work. */
export interface BicepCompiler {
  /** `bicep 0.47.16`, with where it was found. */
  readonly name: string;
  readonly command: string;
  /** Asks for something. Throws an error with the compiler's words. */
  readonly ask: (method: string, parameters: object) => Promise<Record<string, unknown>>;
}

const found = new Map<string, Promise<BicepCompiler | string>>();

/** Finds and starts the compiler once; gives the reason where it is missing. */
export function bicepCompiler(places: readonly Place[] = allPlaces): Promise<BicepCompiler | string> {
  const key = places.map(({ name }) => name).join();
  const compiler = found.get(key) ?? find(places);
  found.set(key, compiler);
  return compiler;
}

/** Where a compiler may be. */
export interface Place {
  readonly name: string;
  /** The path of the command; undefined: not there. */
  readonly command: () => Promise<string | undefined>;
}

const binary = process.platform === 'win32' ? 'bicep.exe' : 'bicep';
const ofAzureCli = join(process.env['AZURE_CONFIG_DIR'] ?? join(homedir(), '.azure'), 'bin', binary);
const allPlaces: readonly Place[] = [
  { name: 'the PATH', command: async () => 'bicep' },
  { name: 'the Azure CLI', command: async () => (existsSync(ofAzureCli) ? ofAzureCli : undefined) },
  { name: 'dotnet restore', command: restored },
];

async function find(places: readonly Place[]): Promise<BicepCompiler | string> {
  for (const place of places) {
    const command = await place.command();
    if (command === undefined) continue;
    const { code, output } = await runTool(command, ['--version'], {
      folder: root,
      environment: bicepEnvironment,
    });
    if (code !== 0) continue;
    const version = /\d+\.\d+\.\d+/.exec(output)?.[0] ?? '';
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major === oldest[0] && minor < oldest[1])
      return `Bicep ${version} of ${place.name} is too old: the templates need ${oldest.join('.')} or later`;
    return { name: `bicep ${version} of ${place.name}`, command, ask: startServer(command) };
  }
  return `no Bicep compiler: not in ${places.map(({ name }) => name).join(', ')}`;
}

/** The compiler needs no data about languages, which a small machine may lack. */
export const bicepEnvironment = { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };

/** Restores the compiler's package with NuGet, once. */
async function restored(): Promise<string | undefined> {
  const system = { linux: 'linux', darwin: 'osx', win32: 'win' }[process.platform as string];
  if (system === undefined) return undefined;
  const platform = `${system}-${process.arch}`;
  const packages = join(root, '.local/bicep');
  const project = join(root, 'infra/check/bicep/compiler.csproj');
  const command = join(packages, `azure.bicep.commandline.${platform}/0.47.16/tools`, binary);
  if (!existsSync(command)) {
    const output = [`-p:Platform=${platform}`, `-p:BaseIntermediateOutputPath=${packages}/obj/`];
    const words = ['restore', project, '--packages', packages, ...output];
    if ((await runTool('dotnet', words, { folder: root })).code !== 0) return undefined;
    // NuGet unpacks without the right to execute.
    if (process.platform !== 'win32') await runTool('chmod', ['+x', command], { folder: root });
  }
  return command;
}

/**
 * Starts the compiler as a server at the first request, and returns the function that sends requests to it. The server ends with this
 * process, and does not keep it alive while idle.
 */
function startServer(command: string): BicepCompiler['ask'] {
  const start = () => {
    const child = spawn(command, ['jsonrpc', '--stdio'], {
      env: { ...process.env, ...bicepEnvironment },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    process.once('exit', () => child.kill());
    const reader = new StreamMessageReader(child.stdout);
    const writer = new StreamMessageWriter(child.stdin);
    const connection = createMessageConnection(reader, writer);
    connection.onClose(() => connection.dispose());
    connection.listen();
    const handles = [child, child.stdin, child.stdout] as unknown as { ref(): void; unref(): void }[];
    return { connection, handles };
  };
  let server: ReturnType<typeof start> | undefined;
  let waiting = 0;
  return async (method, parameters) => {
    server ??= start();
    const { connection, handles } = server;
    waiting += 1;
    for (const handle of handles) handle.ref();
    try {
      return await connection.sendRequest<Record<string, unknown>>(method, parameters);
    } finally {
      waiting -= 1;
      if (waiting === 0) for (const handle of handles) handle.unref();
    }
  };
}
