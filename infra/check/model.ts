/** What the rules look at: the files, and what the tools say that the templates would deploy. */

import type { Data } from './plan/data.ts';
import type { SetOfPlans } from './plan/plan.ts';

/** One thing that is wrong with a file. */
export interface Finding {
  readonly file: string;
  readonly message: string;
}

export interface Project {
  /** Text of each file by its path from the root of the repository. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of the settings in shared/config/variables.ts. */
  readonly settingNames: readonly string[];
  /** Values of parameters by profile (`dev`, `prod`), for both stacks. */
  readonly profiles: Readonly<Record<string, Readonly<Record<string, Data>>>>;
  /** What each set of parameters would deploy, with each stack. */
  readonly plans: readonly SetOfPlans[];
}

export type Rule = (project: Project) => Finding[];

/** The templates of both stacks: path and text, without whole lines of comment. */
export function templates({ files }: Pick<Project, 'files'>): [file: string, text: string][] {
  return [...files]
    .filter(([file]) => /^infra\/(?:bicep|terraform)\/.*\.(?:bicep|bicepparam|tf)$/.test(file))
    .map(([file, text]) => [file, text.replace(/^\s*(?:\/\/|#(?!disable)).*$/gm, '')]);
}

/** Compares two lists of names: what only the first has, and what only the second has. */
export function difference(first: Iterable<string>, second: Iterable<string>): [string[], string[]] {
  const inFirst = new Set(first);
  const inSecond = new Set(second);
  return [
    [...inFirst].filter((name) => !inSecond.has(name)),
    [...inSecond].filter((name) => !inFirst.has(name)),
  ];
}
