/** What `npm run calendar` takes: all options, and which of them each command needs and takes. */

import type { parseArgs } from 'node:util';
import { UsageError } from '../command-line.ts';

export const calendarArguments = {
  allowPositionals: true,
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    user: { type: 'string' },
    password: { type: 'string' },
    'dry-run': { type: 'boolean' },
    'prune-missing': { type: 'boolean' },
    'prune-at-most': { type: 'string' },
    pictures: { type: 'boolean' },
    'pictures-from': { type: 'string', multiple: true },
    'take-slugs': { type: 'boolean' },
    source: { type: 'string' },
    report: { type: 'string' },
    watch: { type: 'string' },
  },
} as const;

type OptionName = keyof typeof calendarArguments.options;

/** The options of a command line; undefined: not given. */
export type CommandValues = ReturnType<typeof parseArgs<typeof calendarArguments>>['values'];

interface CommandWords {
  /** What its second word is; without: there is none. */
  readonly subject?: string;
  readonly needs: readonly OptionName[];
  readonly takes: readonly OptionName[];
}

const betweenPlaces: CommandWords = { needs: ['from', 'to'], takes: [] };

const commands = {
  backup: betweenPlaces,
  restore: betweenPlaces,
  'copy-pictures': betweenPlaces,
  import: {
    subject: 'an address or a file',
    needs: [],
    takes: [
      'to',
      'user',
      'password',
      'dry-run',
      'watch',
      'source',
      'report',
      'prune-missing',
      'prune-at-most',
      'pictures',
      'pictures-from',
      'take-slugs',
    ],
  },
  export: { subject: 'a file', needs: [], takes: ['from'] },
} satisfies Record<string, CommandWords>;

export type CommandName = keyof typeof commands;

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** Reads which command is meant, and its second word ('' without). Throws a UsageError for what the command lacks or does not take. */
export function commandIn(
  positionals: readonly string[],
  values: CommandValues,
): { readonly name: CommandName; readonly subject: string } {
  const [name = '', subject, ...rest] = positionals;
  const words: CommandWords | undefined = isCommand(name) ? commands[name] : undefined;
  if (!isCommand(name) || !words || rest.length > 0 || (subject !== undefined && words.subject === undefined))
    throw new UsageError(
      `No command "${positionals.join(' ')}" exists. The commands are: ${Object.keys(commands).join(', ')}.`,
    );
  if (subject === undefined && words.subject !== undefined)
    throw new UsageError(`${name} needs ${words.subject}.`);
  const given = (Object.keys(values) as OptionName[]).filter((option) => values[option] !== undefined);
  const missing = words.needs.filter((option) => !given.includes(option));
  if (missing.length > 0) throw new UsageError(`${name} needs ${listed(missing)}.`);
  const unused = given.filter((option) => !words.needs.includes(option) && !words.takes.includes(option));
  if (unused.length > 0) throw new UsageError(`${name} takes no ${listed(unused)}.`);
  const { 'prune-at-most': count } = values;
  if (count !== undefined && !/^\d{1,9}$/.test(count))
    throw new UsageError(`--prune-at-most must be a number of records, not "${count}".`);
  for (const host of values['pictures-from'] ?? []) {
    if (values.pictures !== true) throw new UsageError('--pictures-from needs --pictures.');
    if (URL.parse(`https://${host}`)?.host !== host.toLowerCase())
      throw new UsageError(
        `--pictures-from must be the name of a host, such as cdn.example.org, not "${host}".`,
      );
  }
  if (values.watch !== undefined && values['take-slugs'] === true)
    throw new UsageError('--take-slugs is for a site that moves here, once: not with --watch.');
  return { name, subject: subject ?? '' };
}

const listed = (options: readonly string[]) => options.map((option) => `--${option}`).join(' and ');
