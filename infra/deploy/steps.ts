/** The steps of a deployment, in their order. Each can run alone, and again. */

import type { Context } from './context.ts';
import { printDomain } from './domain.ts';
import { UsageError } from './options.ts';
import { backupCalendar } from './steps/backup.ts';
import { addAccounts, makeUsers, migrate } from './steps/database.ts';
import { makeIdentities } from './steps/identities.ts';
import { preflight } from './steps/preflight.ts';
import {
  drift,
  preview,
  printOutputs,
  printRoles,
  provision,
  provisionEntra,
  teardown,
} from './steps/provision.ts';
import { pack, push, rollback, smoke } from './steps/release.ts';
import { revoke } from './steps/revoke.ts';

export interface Step {
  readonly summary: string;
  /** True: part of `all`. */
  readonly isDefault: boolean;
  /** True: it changes something, so there is one such run at a time. */
  readonly changes: boolean;
  /** True: what it prints is read by another command. */
  readonly isData?: boolean;
  readonly run: (context: Context) => Promise<void>;
}

/** Every step by name, in the order in which `all` runs them. */
export const steps: Readonly<Record<string, Step>> = {
  preflight: byDefault(
    'look whether the tools, the sign-in, the values and the region will do',
    preflight,
    false,
  ),
  entra: byDefault('the app registration in Entra ID; passed over when apiClientId is given', provisionEntra),
  provision: byDefault('everything in Azure, from the templates', provision),
  preview: special('show what provision would change', preview, false),
  drift: special('preview, and fail when something would change', drift, false),
  roles: special(
    'print the role assignments as commands, for someone who may assign roles',
    printRoles,
    false,
  ),
  revoke: special(
    "take away roles of the environment's identities that the templates do not list (no longer)",
    revoke,
  ),
  outputs: {
    ...special(
      'print the outputs as JSON, for the variable DEPLOYMENT_OUTPUTS of a pipeline',
      printOutputs,
      false,
    ),
    isData: true,
  },
  identities: special(
    'make the identities of the workflows, trusted by what GitHub says of its tokens',
    makeIdentities,
  ),
  domain: special('print the DNS records that customDomain needs, and which are there', printDomain, false),
  migrate: byDefault('bring both databases up to date (npm run migrate)', migrate),
  accounts: byDefault("add the service's own account, and --first-user, to the main database", addAccounts),
  users: byDefault('make the database users of the app and of the pipeline', makeUsers),
  database: special('migrate, accounts, users', inOrder(migrate, addAccounts, makeUsers)),
  package: byDefault('make the package (npm run package), unless --package names one', pack),
  push: byDefault('push the package to the app (--color green: to the green one)', push),
  smoke: byDefault('call the app as a client does, with a real token', smoke, false),
  rollback: special('push the package before the last one', rollback),
  backup: special(
    'copy the calendar into the account for backups, as .github/workflows/backup.yml does every night',
    backupCalendar,
  ),
  teardown: special('remove everything but the app registration (needs --yes)', teardown),
};

function byDefault(summary: string, run: Step['run'], changes = true): Step {
  return { summary, isDefault: true, changes, run };
}

function special(summary: string, run: Step['run'], changes = true): Step {
  return { summary, isDefault: false, changes, run };
}

function inOrder(...parts: Step['run'][]): Step['run'] {
  return async (context) => {
    for (const part of parts) await part(context);
  };
}

/** The steps that a name stands for: itself, or all that run by default. Throws a UsageError for an unknown name. */
export function stepsFor(name: string): [string, Step][] {
  if (name === 'all') return Object.entries(steps).filter(([, step]) => step.isDefault);
  const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
  if (!step)
    throw new UsageError(`There is no step ${name}; there are: all, ${Object.keys(steps).join(', ')}.`);
  return [[name, step]];
}
