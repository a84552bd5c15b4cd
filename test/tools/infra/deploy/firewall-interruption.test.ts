import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { forgetRuns, startDeploy, until } from '../../../support/deploy-process.ts';
import { answers, shellTools } from '../../../support/fake-tools.ts';
import { newFolder } from '../../../support/temporary-folder.ts';
import { armOutputs, azInShell, databases, made, quick } from './fixtures.ts';

const environment = `f${process.pid % 100_000}`;
afterEach(() => forgetRuns(environment));

/** A firewall that az keeps in a folder: a rule is there as soon as az has asked for it, and az may not return. */
const firewall = `
name=\${call##*--name }
name=\${name%% *}
case "$call" in
*'firewall-rule list'*) ls "$FIREWALL" | sed -n '/^deploy-/p';;
*'firewall-rule delete'*) rm -f "$FIREWALL/$name";;
*'firewall-rule create'*)
  : > "$FIREWALL/$name"
  [ ! -e "$FIREWALL/hangs" ] || exec sleep 120;;
esac`;
const outputs = { ...made, ...databases };
const driver = pathToFileURL(join(import.meta.dirname, '../../../support/refusing-database.mjs')).href;

/** A run of the step users behind a firewall that does not know this machine. */
function setUp(stack: string, file: 'hangs' | 'busy') {
  const folder = newFolder();
  writeFileSync(join(folder, file), '');
  const tools = shellTools({
    az: azInShell(outputs, firewall),
    terraform: answers('output -json', armOutputs(outputs)),
    azd: answers('get-values', JSON.stringify(outputs)),
  });
  return {
    rules: () => readdirSync(folder).filter((name) => name.startsWith('deploy-')),
    goesOn: () => rmSync(join(folder, file)),
    isWaiting: () => existsSync(join(folder, 'waiting')),
    run: () =>
      startDeploy(['users', '-e', environment, '--stack', stack, ...quick], tools, {
        FIREWALL: folder,
        NODE_OPTIONS: `--import ${driver}`,
      }),
  };
}

describe.each(['bicep', 'terraform', 'azd'])(
  'with %s, a run that is ended while az makes a firewall rule',
  (stack) => {
    test('by a signal takes the rule away', async () => {
      const { run, rules } = setUp(stack, 'hangs');
      const first = run();
      await until(() => rules().length === 1);
      first.child.kill('SIGTERM');
      expect({ code: await first.ended, rules: rules() }).toEqual({ code: 143, rules: [] });
    });

    test('by SIGKILL leaves it to the next run, which removes it before it makes its own', async () => {
      const { run, rules, goesOn } = setUp(stack, 'hangs');
      const first = run();
      await until(() => rules().length === 1);
      const [remaining = ''] = rules();
      first.child.kill('SIGKILL');
      await first.ended;
      expect(rules()).toEqual([remaining]);
      goesOn();
      const second = run();
      const code = await second.ended;
      expect({ code, rules: rules() }).toEqual({ code: 0, rules: [] });
      const said = second.said();
      expect(said).toContain('was interrupted in the step users');
      expect(
        said.indexOf(`delete --resource-group rg-dev --server sql-dev --name ${remaining}`),
      ).toBeGreaterThan(0);
      expect(said.indexOf('firewall-rule create')).toBeGreaterThan(said.indexOf(`--name ${remaining}`));
    });
  },
);

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a run that %s ends while a statement is at work takes its rule away',
  async (signal) => {
    const { run, rules, isWaiting } = setUp('bicep', 'busy');
    const first = run();
    await until(isWaiting);
    expect(rules()).toHaveLength(1);
    first.child.kill(signal);
    expect({ code: await first.ended, rules: rules() }).toEqual({
      code: signal === 'SIGTERM' ? 143 : 130,
      rules: [],
    });
  },
);
