import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { forgetRuns, startDeploy, until } from '../../../support/deploy-process.ts';
import { shellTools } from '../../../support/fake-tools.ts';
import { newFolder } from '../../../support/temporary-folder.ts';
import { databases, made, quick, toolsInShell } from './fixtures.ts';

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
const driver = pathToFileURL(join(import.meta.dirname, '../../../support/refusing-database.mjs')).href;

/** A run of the step users behind a firewall that does not know this machine. */
function setUp(file: 'hangs' | 'busy') {
  const folder = newFolder();
  writeFileSync(join(folder, file), '');
  const tools = shellTools(toolsInShell({ ...made, ...databases }, firewall));
  return {
    rules: () => readdirSync(folder).filter((name) => name.startsWith('deploy-')),
    goesOn: () => rmSync(join(folder, file)),
    isWaiting: () => existsSync(join(folder, 'waiting')),
    run: () =>
      startDeploy(['users', '-e', environment, ...quick], tools, {
        FIREWALL: folder,
        NODE_OPTIONS: `--import ${driver}`,
      }),
  };
}

test('a run that is killed while az makes a firewall rule leaves it to the next run, which removes it first', async () => {
  const { run, rules, goesOn } = setUp('hangs');
  const first = run();
  await until(() => rules().length === 1);
  const [rule = ''] = rules();
  first.child.kill('SIGKILL');
  await first.ended;
  expect(rules()).toEqual([rule]);
  goesOn();
  const second = run();
  const code = await second.ended;
  expect({ code, rules: rules() }).toEqual({ code: 0, rules: [] });
  const said = second.said();
  expect(said).toContain('was interrupted in the step users');
  expect(said).toContain(`delete --resource-group rg-dev --server sql-dev --name ${rule}`);
  expect(said.indexOf('firewall-rule create')).toBeGreaterThan(said.indexOf(`--name ${rule}`));
});

test.each([
  ['SIGTERM', 'az makes a firewall rule', 'hangs', 143],
  ['SIGINT', 'a statement is at work', 'busy', 130],
  ['SIGHUP', 'a statement is at work', 'busy', 130],
] as const)('a run that %s ends while %s takes its rule away', async (signal, _, file, code) => {
  const { run, rules, isWaiting } = setUp(file);
  const first = run();
  await until(() => (file === 'busy' ? isWaiting() : rules().length === 1));
  expect(rules()).toHaveLength(1);
  first.child.kill(signal);
  expect({ code: await first.ended, rules: rules() }).toEqual({ code, rules: [] });
});
