import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { credentials, type GrpcObject, loadPackageDefinition, type ServiceError } from '@grpc/grpc-js';
import type { ServiceClientConstructor } from '@grpc/grpc-js/build/src/make-client.js';
import { loadSync } from '@grpc/proto-loader';
import { decode, ExtData, encode } from '@msgpack/msgpack';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkWorkflows } from '../../../infra/check/actionlint.ts';
import { checkBicep } from '../../../infra/check/bicep/layer.ts';
import { readFiles } from '../../../infra/check/project.ts';
import { checkTerraform } from '../../../infra/check/terraform/layer.ts';
import { startProviderEmulator } from '../../../infra/check/terraform/provider.ts';
import { shellTools } from '../../support/fake-tools.ts';

/** A tool that runs the given lines of the shell; `calls` gives the parameters of each call so far. */
function fakeTool(script: string) {
  const { folder, calls } = shellTools({ tool: script });
  return { tool: join(folder, 'tool'), calls: () => calls().map((call) => call.slice('tool '.length)) };
}

const version = (number: string) =>
  `if [ "$1" = version ]; then echo '{"terraform_version": "${number}"}'; exit 0; fi`;

describe('the Terraform layer', () => {
  test('says that it was skipped where there is no terraform', async () => {
    const { skipped, faults } = await checkTerraform(process.cwd(), 'no-such-terraform');
    expect({ skipped, faults }).toEqual({ skipped: 'no terraform on the PATH', faults: [] });
  });

  test('says that it was skipped where terraform is too old for the templates', async () => {
    const { skipped } = await checkTerraform(process.cwd(), fakeTool(version('1.8.5')).tool);
    expect(skipped).toBe('no terraform 1.9 or later');
  });

  test('runs every command on both configurations, attached to the emulated provider', async () => {
    const { tool, calls } = fakeTool(
      `${version('1.9.0')}; case "$TF_REATTACH_PROVIDERS" in *azapi*) ;; *) exit 1;; esac`,
    );
    expect((await checkTerraform(process.cwd(), tool)).faults).toEqual([]);
    const commands = calls().map((call) => call.split(' ')[0]);
    expect(commands.sort()).toEqual(
      ['version', 'fmt', 'init', 'validate', 'plan', 'plan', 'test', 'init', 'validate', 'test'].sort(),
    );
  });

  test('reports what terraform said, and runs nothing after it', async () => {
    const { tool, calls } = fakeTool(
      `${version('1.15.0')}; if [ "$1" = validate ]; then echo 'Unsupported argument' >&2; exit 1; fi`,
    );
    expect((await checkTerraform(process.cwd(), tool)).faults).toEqual([
      'terraform validate: Unsupported argument',
      'terraform validate: Unsupported argument',
    ]);
    expect(calls().some((call) => call.startsWith('test'))).toBe(false);
  });
});

describe('the layer of actionlint', () => {
  test('says that it was skipped where there is none, and else what it has found', async () => {
    expect(await checkWorkflows(process.cwd(), 'no-such-actionlint')).toMatchObject({
      skipped: 'no actionlint on the PATH',
      faults: [],
    });
    const fault = 'deploy.yml:3:1: unexpected key "onn" [syntax-check]';
    const failing = fakeTool(`echo '${fault}'; exit 1`);
    expect((await checkWorkflows(process.cwd(), failing.tool)).faults).toEqual([fault]);
    expect((await checkWorkflows(process.cwd(), fakeTool('').tool)).faults).toEqual([]);
  });
});

describe('the Bicep layer', () => {
  const files = readFiles();
  const place = (name: string, command?: string) => ({ name, command: async () => command });

  test('says that it was skipped where there is no compiler, and fails in a pipeline', async () => {
    const nowhere = [place('the PATH', 'no-such-bicep'), place('the Azure CLI')];
    const reason = 'no Bicep compiler: not in the PATH, the Azure CLI';
    expect(await checkBicep(files, nowhere, false)).toMatchObject({ skipped: reason, faults: [] });
    expect((await checkBicep(files, nowhere, true)).faults).toEqual([reason]);
  });

  test('refuses a compiler that is too old for the types', async () => {
    const { tool } = fakeTool(`echo 'Bicep CLI version 0.44.9'`);
    expect((await checkBicep(files, [place('an old machine', tool)])).faults).toEqual([
      'Bicep 0.44.9 of an old machine is too old: the templates need 0.45 or later',
    ]);
  });
});

describe('the emulated provider, called as Terraform calls it,', () => {
  let provider: Awaited<ReturnType<typeof startProviderEmulator>>;
  let call: (method: string, request: object) => Promise<Record<string, never>>;

  beforeAll(async () => {
    provider = await startProviderEmulator();
    const address = Object.values(JSON.parse(provider.reattach))[0] as { Addr: { String: string } };
    const proto = fileURLToPath(new URL('../../../infra/check/terraform/tfplugin6.proto', import.meta.url));
    const { tfplugin6 } = loadPackageDefinition(loadSync(proto, { enums: String, defaults: true }));
    const Client = (tfplugin6 as GrpcObject)['Provider'] as ServiceClientConstructor;
    const client = new Client(address.Addr.String, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
    });
    call = (method, request) =>
      new Promise((resolve, reject) =>
        client[method]?.(request, (error: ServiceError | null, reply: Record<string, never>) =>
          error ? reject(error) : resolve(reply),
        ),
      );
  });
  afterAll(() => provider.stop());

  test('knows the arguments of a resource', async () => {
    const { resourceSchemas } = await call('GetProviderSchema', {});
    const plan = resourceSchemas?.['azurerm_service_plan'] as unknown as {
      block: { attributes: { name: string; required: boolean; computed: boolean }[] };
    };
    const attribute = (name: string) => plan.block.attributes.find((attribute) => attribute.name === name);
    expect(attribute('os_type')).toMatchObject({ required: true, computed: false });
    expect(attribute('reserved')).toMatchObject({ required: false, computed: true });
    expect(attribute('os')).toBeUndefined();
  });

  test('plans what only Azure knows as unknown', async () => {
    const proposedNewState = { msgpack: encode({ name: [Buffer.from('"string"'), 'plan'], id: null }) };
    const { plannedState } = await call('PlanResourceChange', {
      typeName: 'azurerm_service_plan',
      proposedNewState,
    });
    const { msgpack } = plannedState as unknown as { msgpack: Uint8Array };
    expect(decode(new Uint8Array(msgpack))).toMatchObject({ id: new ExtData(0, new Uint8Array([0])) });
  });
});
