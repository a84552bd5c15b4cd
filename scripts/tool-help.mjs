/** What `--help` says of the npm scripts that run a tool of others, by the script's name. Scripts of ours explain themselves. */

const options = `  npm test                             all of them
  npm test -- <word> ...               the files whose path has one of the words
  npm test -- <word> -t '<pattern>'    of these, the tests whose name matches
  npm test -- <word> -u                takes what the tests find as what they expect (stored documents and examples)
  npm test -- <word> --maxWorkers=1    one file at a time; --bail=1 stops at the first failure

Every option: node scripts/run.mjs vitest --help`;

export const toolHelp = {
  test: `Builds the app and runs its tests (Vitest). Nothing else needs to run: they start what they need, on free ports.
Those of infrastructure and scripts run by npm run test:tools, those of the emulators by npm run test:dev-stack.

${options}`,
  'test:tools': `Runs the tests of what stands around the app (Vitest): infra and scripts.

${options.replaceAll('npm test', 'npm run test:tools')}`,
  'test:dev-stack': `Runs the tests of the dev stack (Vitest): the local SQL server, the functions host, and what is in local/. The app is not built.

${options.replaceAll('npm test', 'npm run test:dev-stack')}`,
  'test:engines': `Runs what real compilers, linters, parsers and generated clients say of the app, its documents, the local SQL server and the
templates (Vitest). Where dotnet or Terraform are missing, it says so and skips what needs them.

${options.replaceAll('npm test', 'npm run test:engines')}

Every option: node scripts/run.mjs vitest --help`,
  types: `Checks the types of all TypeScript here (tsc). It writes no files.

  npm run types         takes no options of its own

Every option: node scripts/run.mjs tsc --help`,
  lint: `Checks style and format of every file (Biome), and changes none. npm run format mends what can be mended.

  npm run lint          takes no options of its own

Every option: node scripts/run.mjs biome ci --help`,
  format: `Mends style and format of every file in place (Biome), and prints what only people can mend.

  npm run format        takes no options of its own

Every option: node scripts/run.mjs biome check --help`,
};
