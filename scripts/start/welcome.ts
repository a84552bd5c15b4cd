/** What `npm start` says when everything runs. */

import type { DevStack } from '../../local/dev-stack.ts';
import { sampleUsers } from '../../local/sample-data/users.ts';

/** Returns the addresses, the sample users, and requests that are ready to paste. */
export function welcome(
  { base, calendar, emulators }: DevStack,
  { sampleData, folder }: { sampleData: boolean; folder: string | undefined },
): string {
  const width = Math.max(...Object.keys(emulators).map((name) => name.length));
  const lines = [
    '',
    `The app answers at ${base}, the explorer at ${base}/swagger`,
    '',
    'Emulators:',
    ...Object.entries(emulators).map(([name, where]) => `  ${name.padEnd(width)}  ${where}`),
    folder === undefined
      ? 'Nothing is kept when it stops (LOCAL_STATE=memory).'
      : `State is kept in ${folder}.`,
    '',
    'Sample users (npm run token -- <e-mail>):',
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
