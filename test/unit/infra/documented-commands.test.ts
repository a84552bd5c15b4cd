/** The commands of the documents, word for word, against recorders of the tools that have a state. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type DeployedApp, startDeployedApp } from '../../support/deployed-app.ts';
import { type RecordedAzure, recordedAzure } from '../../support/recorded-azure.ts';

const root = join(import.meta.dirname, '../../..');
const pages = ['deploy', 'run', 'restore', 'reference'] as const;
const read = (page: string) => readFileSync(join(root, `docs/${page}.md`), 'utf8');

const examples: Readonly<Record<string, string>> = {
  '<group>': 'database-admins',
  '<object id of the group>': '00000000-0000-0000-0000-000000000001',
  '<account in tUserSettings>': 'service',
  '<your e-mail address>': 'me@example.org',
  '<name>': 'first',
  '<owner>/<name>': 'owner/name',
};
const filled = (text: string) =>
  Object.entries(examples)
    .reduce((rest, [from, to]) => rest.replaceAll(from, to), text)
    .replaceAll(/<[^<>\n]*>/g, 'x');

/** The command lines in the blocks of a text, whole and without their comments. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].flatMap(([, language, block = '']) =>
    language === '' ? [block] : [],
  );
  const lines = blocks.flatMap((block) =>
    filled(block)
      .replaceAll(/\\\n\s*/g, ' ')
      .split('\n'),
  );
  return lines.flatMap((line) => line.replace(/\s+#.*$/, '').trim() || []);
}

/** The commands of the Azure CLI, azd and Terraform in the sentences of a text. */
const inSentences = (text: string) =>
  [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`((?:az|azd|terraform) [^`]+)`/g)].map(
    ([, command = '']) => filled(command),
  );

let app: DeployedApp | undefined;
afterEach(() => app?.close());

/** Azure with an app that answers, for runs in the given environment of variables. */
async function newAzure(environment: Readonly<Record<string, string>> = {}): Promise<RecordedAzure> {
  app = await startDeployedApp();
  return recordedAzure({ appUrl: app.url, environment });
}

const deployCommands = commandsIn(read('deploy'));
const first = deployCommands.find((line) => line.includes('--environment dev')) ?? '';
const production = deployCommands.find((line) => line.includes('--environment prod')) ?? '';
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

/** `...` stands for the values of the first deployment. */
const given = production.replace(/^.* --environment prod /, '');

test.each(pages)(
  'the commands of the page %s end well, one after the other, on what the first two have made',
  async (page) => {
    const azure = await newAzure();
    for (const command of [first, production])
      expect(await azure.run(`${command} --yes`)).toEqual({ code: 0, output: expect.any(String) });
    for (const line of commandsIn(read(page))) {
      const command = line.replace(/ \.\.\.(?= |$)/, ` ${given}`);
      const { code, output } = await azure.run(
        command.startsWith('npm run deploy') ? `${command} --yes` : command,
      );
      expect({ command, code, output: code === 0 ? '' : output }).toEqual({ command, code: 0, output: '' });
    }
  },
);

test('the commands in the sentences are commands of their tools', async () => {
  const azure = await newAzure();
  const commands = pages.flatMap((page) => inSentences(read(page)));
  expect(commands.length).toBeGreaterThan(15);
  for (const command of commands) {
    const { code, output } = await azure.run(command);
    expect({ command, code, output: code === 0 ? '' : output }).toEqual({ command, code: 0, output: '' });
  }
});

test('a command that the Azure CLI does not have, or an option, fails as it does there', async () => {
  const azure = await newAzure();
  expect(await azure.run('az sql db reame --name a')).toMatchObject({ code: 1 });
  expect(
    await azure.run('az sql db rename --resource-group g --server s --name records --newname b'),
  ).toMatchObject({ code: 1 });
  expect(
    await azure.run('az sql db rename --resource-group g --server s --name gone --new-name b'),
  ).toMatchObject({ code: 1 });
});
