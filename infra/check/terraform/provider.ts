/**
 * An emulator of Terraform's providers, so that `init`, `validate`, `plan` and `test` work without Azure and without downloads.
 * It speaks the plugin protocol, version 6, over plain TCP; Terraform attaches to it through TF_REATTACH_PROVIDERS.
 */

import { fileURLToPath } from 'node:url';
import { type GrpcObject, loadPackageDefinition, Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServiceClientConstructor } from '@grpc/grpc-js/build/src/make-client.js';
import { loadSync } from '@grpc/proto-loader';
import { decode, ExtData, encode } from '@msgpack/msgpack';
import { labelOf } from '../plan/azure-form.ts';
import type { Data } from '../plan/data.ts';
import { subscriptionId, tenantId } from '../plan/ids.ts';
import { dataSources, resourceTypes } from './facts.ts';
import { providerSchema } from './provider-schema.ts';

const addresses = {
  azurerm: 'registry.terraform.io/hashicorp/azurerm',
  azuread: 'registry.terraform.io/hashicorp/azuread',
  azapi: 'registry.terraform.io/azure/azapi',
};
const ids: Readonly<Record<string, string>> = { subscription_id: subscriptionId, tenant_id: tenantId };
const someId = '00000000-0000-0000-0000-000000000000';
/** A value that is known only after the change was made. */
const unknown = new ExtData(0, new Uint8Array([0]));

interface DynamicValue {
  msgpack: Uint8Array;
}
interface Call<Request> {
  request: Request;
}
type Reply = (error: Error | null, response?: unknown) => void;

/** A running emulator: the value for TF_REATTACH_PROVIDERS, and how to stop it. */
export interface ProviderEmulator {
  readonly reattach: string;
  readonly stop: () => void;
}

/** Starts the emulator on a free port of this machine. With `labels` what only Azure knows is a label, so that a plan says what goes where; else it is unknown, as with the real providers. */
export async function startProviderEmulator({ labels = false } = {}): Promise<ProviderEmulator> {
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
  server.addService(providerService(), { ...handlers(labels) });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { reattach: reattachTo(port), stop: () => server.forceShutdown() };
}

function providerService() {
  const file = fileURLToPath(new URL('tfplugin6.proto', import.meta.url));
  const { tfplugin6 } = loadPackageDefinition(loadSync(file, { enums: String, defaults: true }));
  return ((tfplugin6 as GrpcObject)['Provider'] as ServiceClientConstructor).service;
}

function reattachTo(port: number): string {
  const attached = {
    Protocol: 'grpc',
    ProtocolVersion: 6,
    Pid: process.pid,
    Test: true,
    Addr: { Network: 'tcp', String: `127.0.0.1:${port}` },
  };
  return JSON.stringify(Object.fromEntries(Object.values(addresses).map((name) => [name, attached])));
}

function handlers(labels: boolean) {
  const nothingToSay = (_: unknown, reply: Reply) => reply(null, { diagnostics: [] });
  return {
    GetProviderSchema: (_: unknown, reply: Reply) => reply(null, providerSchema()),
    ValidateProviderConfig: nothingToSay,
    ConfigureProvider: nothingToSay,
    ValidateDataResourceConfig: nothingToSay,
    StopProvider: (_: unknown, reply: Reply) => reply(null, {}),
    ValidateResourceConfig: nothingToSay,
    PlanResourceChange: (
      { request }: Call<{ typeName: string; proposedNewState: DynamicValue }>,
      reply: Reply,
    ) => {
      const { typeName, proposedNewState } = request;
      const proposed = decode(proposedNewState.msgpack);
      try {
        const state = withComputed(typeName, proposed, labels ? labelsOf(typeName, proposed) : () => unknown);
        reply(null, { plannedState: { msgpack: encode(state) }, legacyTypeSystem: true });
      } catch (error) {
        reply(null, { diagnostics: [{ severity: 'ERROR', summary: String(error) }] });
      }
    },
    ReadDataSource: ({ request }: Call<{ typeName: string }>, reply: Reply) => {
      const names = dataSources[request.typeName] ?? [];
      const state = Object.fromEntries(names.map((name) => [name, dynamic(ids[name] ?? someId)]));
      reply(null, { state: { msgpack: encode(state) } });
    },
  };
}

/** Sets what only Azure would know (ids, addresses). Returns null for a resource that is removed. */
function withComputed(typeName: string, proposed: unknown, knownValue: (name: string) => unknown): unknown {
  if (!isRecord(proposed)) return proposed;
  const type = resourceTypes[typeName];
  const state: Record<string, unknown> = { ...proposed };
  for (const name of type?.computed ?? []) state[name] ??= knownValue(name);
  for (const [name, args] of Object.entries(type?.blocks ?? {})) {
    const computed = Object.keys(args).filter((argument) => args[argument]?.computed);
    if (computed.length > 0)
      setComputed(state[name], computed, (argument) => knownValue(`${name}.0.${argument}`));
  }
  return state;
}

/** Sets attributes in nested blocks; their list is preceded by its type, as every dynamic value is. */
function setComputed(list: unknown, names: readonly string[], knownValue: (name: string) => unknown): void {
  const [, blocks] = Array.isArray(list) ? list : [];
  if (!Array.isArray(blocks)) return;
  for (const block of blocks) for (const name of names) block[name] = knownValue(name);
}

/** Returns what gives the labels of a resource's attributes; what infra/check/plan/azure-form.ts knows no label of stays unknown. */
function labelsOf(typeName: string, proposed: unknown): (name: string) => unknown {
  const args = plain(proposed);
  if (!isRecord(args)) return () => unknown;
  return (name) => {
    const label = labelOf(typeName, args as Record<string, Data>, name);
    return label === undefined ? unknown : dynamic(label);
  };
}

/** A value where the schema says dynamic: its type as JSON, then the value. */
function dynamic(value: string | object): [Buffer, unknown] {
  return [Buffer.from(JSON.stringify(typeOf(value))), value];
}
const typeOf = (value: unknown): unknown =>
  isRecord(value)
    ? ['object', Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, typeOf(inner)]))]
    : 'string';

/** A decoded configuration without the type notes of dynamic values; unknown values become undefined. */
function plain(value: unknown): unknown {
  if (value instanceof ExtData) return undefined;
  if (Array.isArray(value))
    return value.length === 2 && value[0] instanceof Uint8Array ? plain(value[1]) : value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}
