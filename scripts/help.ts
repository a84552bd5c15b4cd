/** `npm run help`: the commands, by the day on which somebody wants them. */

import { readArguments } from './command-line.ts';

/** What each command does, in groups by their day. */
export const days: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'On the first day': {
    start: 'the app with its dev stack, on http://localhost:7071',
    'token -- <e-mail>': 'a token of the local issuer, for any user and any roles',
    test: 'the tests of the app, over HTTP and by unit',
    help: 'this list',
  },
  'While you change the code': {
    dev: 'as npm start, and restarts the app when its source changes; -- --inspect for a debugger',
    check: 'says whether the change is good: types, lint, build, templates, all tests but the engines',
    types: 'checks the types of all TypeScript',
    lint: 'checks style and format',
    format: 'mends style and format',
    build: 'the app in dist/',
    'sql -- [file]': 'runs T-SQL in the customization database',
    emulators: 'the dev stack without the app, for Azure Functions Core Tools (func start)',
  },
  'When you change what stands around the app': {
    'test:tools': 'the tests of infra and scripts',
    'test:dev-stack': 'the tests of the emulators and the functions host',
    'test:engines': 'what real compilers, linters, parsers and generated clients say',
    'test:databases': 'the records API under other rights, collations and on an adopted product',
    'check:infra': 'proves offline that both stacks are sound',
    bench: 'speed and memory, as ratios; -- load for honest load and three attacks',
    pictures: 'takes the pictures of the pages in README.md',
  },
  'When you deploy and run it': {
    'deploy -- --help': 'provisions, pushes, watches and removes environments, step by step',
    environments: 'the environments of infra/environments/, as workflows read them',
    'keep-stack -- <stack>': 'keeps Bicep or Terraform, and takes the other out of the repository',
    migrate: 'applies infra/database to the server that the settings name',
    'calendar -- --help': 'imports, exports, backs up and restores calendars',
    package: 'app.zip, which is what is deployed',
  },
  'When you release, and each month': {
    'release-notes': 'what CHANGELOG.md says of the version in package.json',
    sbom: 'what the app is built of, as CycloneDX',
    advisories: 'what the registry warns of in the lock files',
  },
};

if (import.meta.main) {
  readArguments({
    command: 'npm run help',
    help: 'npm run help lists the commands by the day on which you want them.',
  });
  const width = Math.max(
    ...Object.values(days).flatMap((commands) => Object.keys(commands).map((name) => name.length)),
  );
  for (const [day, commands] of Object.entries(days)) {
    console.log(`${day}\n`);
    for (const [name, text] of Object.entries(commands)) {
      const runs = /^(?:start|test)$/.test(name) ? '' : 'run ';
      console.log(`  npm ${`${runs}${name}`.padEnd(width + 4)}  ${text}`);
    }
    console.log('');
  }
  console.log('Each explains itself: npm run <command> -- --help');
}
