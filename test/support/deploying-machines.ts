/** Machines from which a team deploys to an Azure with a memory, each with its own record of runs and its own packages. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Connect } from '../../infra/deploy/connect.ts';
import { deploy } from '../../infra/deploy/deploy.ts';
import type { Environments } from '../../infra/deploy/environments.ts';
import { startDeploymentEndpoint } from './deployment-endpoint.ts';
import { domainVerificationId, RememberedAzure } from './remembered-azure.ts';
import { newFolder } from './temporary-folder.ts';
import { zipOf } from './zip-of.ts';

/** What a run gave: its exit code, all that it said, and of one that failed what it said last. */
export interface DeployRun {
  readonly code: number;
  readonly said: string;
  readonly failure: string;
}

/** What a run that ends well gives; a failing test shows what another one has said last. */
export const done = { code: 0, failure: '' };

/** Starts an Azure whose apps answer, for one test. */
export async function startAzure() {
  const endpoint = await startDeploymentEndpoint();
  onTestFinished(endpoint.close);
  const azure = new RememberedAzure(endpoint.url);
  // The team has made the records that the step domain prints.
  const names = {
    aliases: async () => [new URL(endpoint.url).hostname],
    texts: async () => [domainVerificationId],
  };
  const connect: () => Connect = () => async (_, __, work) =>
    work(async (statement) => void azure.fail(`sql ${statement}`));
  /** Returns the command `npm run deploy` of a new machine. `answer`: what its person says when asked. Without a backend its state of Terraform is its own. */
  function machine({
    backend = false,
    answer = false,
    environments = {},
  }: {
    backend?: boolean;
    answer?: boolean;
    environments?: Environments;
  } = {}) {
    const execute = azure.machine({ backend });
    const folder = newFolder();
    writeFileSync(join(folder, 'app.zip'), zipOf('host.json'));
    return async (words: readonly string[]): Promise<DeployRun> => {
      const said: string[] = [];
      const code = await deploy(words, {
        environment: {},
        environments,
        say: (line) => said.push(line),
        ask: async () => answer,
        complain: (line) => said.push(line),
        execute,
        connect,
        names,
        today: () => azure.today,
        signal: new AbortController().signal,
        folder: join(folder, 'deployments'),
        packageFolder: folder,
      });
      return { code, said: said.join('\n'), failure: code === 0 ? '' : said.slice(-3).join('\n') };
    };
  }
  return { azure, machine };
}
