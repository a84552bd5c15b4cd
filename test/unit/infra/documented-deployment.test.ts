/** The commands of the documents, word for word, against recorders of the tools that have a state. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type DeployedApp, startDeployedApp } from '../../support/deployed-app.ts';
import { type RecordedAzure, recordedAzure } from '../../support/recorded-azure.ts';

const root = join(import.meta.dirname, '../../..');
const document = readFileSync(join(root, 'docs/operations.md'), 'utf8');

const examples: Readonly<Record<string, string>> = {
  '<group>': 'database-admins',
  '<object id of the group>': '00000000-0000-0000-0000-000000000001',
  '<account in tUserSettings>': 'service',
  '<your e-mail address>': 'me@example.org',
};

/** The command lines of the first block after a line that begins with some words. */
function commandsBelow(words: string): string[] {
  const [, after = ''] = document.split(`\n${words}`);
  const [, block = ''] = /```\n([\s\S]*?)```/.exec(after) ?? [];
  const whole = block.replaceAll('\\\n', ' ').replaceAll(/<[^<>\n]*>/g, (word) => examples[word] ?? word);
  return whole.split('\n').flatMap((line) => line.replace(/\s+#.*$/, '').trim() || []);
}

let app: DeployedApp | undefined;
afterEach(() => app?.close());

/** Azure with an app that answers, for runs in the given environment of variables. */
async function newAzure(environment: Readonly<Record<string, string>> = {}): Promise<RecordedAzure> {
  app = await startDeployedApp();
  return recordedAzure({ appUrl: app.url, environment });
}

const [, first = ''] = commandsBelow('Then one command per stack');
const changes = (azure: RecordedAzure) =>
  azure.calls().filter((call) => /sub create|apply| provision|azd env new/.test(call));

describe.each(['bicep', 'terraform', 'azd'])('the first command of the documents, with %s,', (stack) => {
  const command = `${first.replace('--stack bicep', `--stack ${stack}`)} --yes`;

  test('ends well, a second time, in a second month, and for a second environment', async () => {
    const azure = await newAzure();
    expect(await azure.run(command)).toMatchObject({ code: 0 });
    expect(await azure.run(command)).toMatchObject({ code: 0 });
    azure.setMonth('2026-02-01');
    expect(await azure.run(command)).toMatchObject({ code: 0 });
    for (const step of ['preview', 'drift'])
      expect(await azure.run(command.replace(' all ', ` ${step} `))).toMatchObject({ code: 0 });
    expect(await azure.run(command.replace('--environment dev', '--environment test'))).toMatchObject({
      code: 0,
    });
    expect(azure.statements.some((statement) => statement.includes('me@example.org'))).toBe(true);
  });

  test('ends in another subscription before it changes anything, and says what to do', async () => {
    const azure = await newAzure();
    await azure.run(command);
    const before = changes(azure);
    await azure.run('az account set --subscription second');
    const { code, output } = await azure.run(command);
    expect({ code, changes: changes(azure) }).toEqual({ code: 2, changes: before });
    const [, cure = ''] = /: (az account set --subscription \w+)/.exec(output) ?? [];
    await azure.run(cure);
    expect(await azure.run(command)).toMatchObject({ code: 0 });
  });

  test('asks for missing values before anything is made', async () => {
    const azure = await newAzure();
    const { code, output } = await azure.run(command.replace('--set serviceApiUsername=service', ''));
    expect({ code, calls: azure.calls() }).toEqual({ code: 2, calls: [] });
    expect(output).toContain('--set serviceApiUsername=...   or the variable SERVICE_API_USERNAME');
    expect(output).not.toContain('calendarSiteUrl');
  });
});

test('a variable of a pipeline that is empty counts as left out', async () => {
  const azure = await newAzure({
    AZURE_LOCATION: 'westeurope',
    SQL_ADMINISTRATOR_LOGIN: 'admins',
    SQL_ADMINISTRATOR_OBJECT_ID: '1',
    SERVICE_API_USERNAME: 'service',
    API_CLIENT_ID: 'api',
    CALENDAR_SITE_URL: '',
  });
  for (const step of ['preflight', 'preview', 'provision', 'drift'])
    expect(await azure.run(`npm run deploy -- ${step} --environment dev --yes`)).toMatchObject({ code: 0 });
});
