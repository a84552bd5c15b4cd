/** What `npm start` says when everything runs. */

import { type DevStack, sampleUsers } from '../../local/index.ts';

/** Returns the addresses, the sample users, and requests that are ready to paste. */
export function welcome(
  { base, calendar, emulators }: DevStack,
  {
    sampleData,
    folder,
    problems,
  }: { sampleData: boolean; folder: string | undefined; problems: readonly string[] },
): string {
  const width = Math.max(...Object.keys(emulators).map((name) => name.length));
  const lines = [
    '',
    ...headline(base, problems),
    '',
    'Emulators:',
    ...Object.entries(emulators).map(([name, where]) => `  ${name.padEnd(width)}  ${where}`),
    folder === undefined
      ? 'Nothing is kept when it stops (LOCAL_STATE=memory).'
      : `State is kept in ${folder}.`,
    '',
    'Sample users, with their language and roles (npm run token -- <e-mail>):',
    ...sampleUsers.map(
      ({ email, roles, language }) => `  ${email.padEnd(20)} ${language ?? '--'}  ${roles.join(', ')}`,
    ),
    '',
    'Try it:',
    '  TOKEN=$(npm run --silent token -- alice@example.org)',
    ...examples({ base, calendar }, sampleData).map((line) => `  ${line}`),
    '',
    'Ctrl-C stops it.',
    '',
  ];
  return lines.join('\n');
}

function headline(base: string, problems: readonly string[]): string[] {
  if (problems.length === 0) return [`The app answers at ${base}, the explorer at ${base}/swagger`];
  return [
    `The app runs at ${base}, but is not ready (${base}/health):`,
    ...problems.map((problem) => `  ${problem}`),
  ];
}

function examples({ base, calendar }: Pick<DevStack, 'base' | 'calendar'>, sampleData: boolean): string[] {
  const authorized = '-H "Authorization: Bearer $TOKEN"';
  return [
    `curl ${authorized} ${base}/v8.0/authorized`,
    sampleData
      ? `curl ${authorized} ${base}/v8.0/documents/document-contract/custom-data`
      : `curl ${authorized} ${base}/v8.0/reference-data`,
    `curl "${calendar}/events?per_page=3"`,
  ];
}
