/** What GitHub says of a repository, and of the tokens of its workflows. */

import { type Context, ToolFailure } from './context.ts';
import { UsageError } from './options.ts';

/** A credential of an identity: its name there, and the subject of the tokens that it trusts. */
export interface TrustedSubject {
  readonly name: string;
  readonly subject: string;
}

/** A repository, with its name as GitHub writes it: Entra compares subjects letter by letter. */
export interface Repository {
  readonly fullName: string;
  readonly mainBranch: string;
  /** The subject that a token of a job in a GitHub environment has now. */
  readonly subjectNow: (environment: string) => string;
  /** That, and those that it may have after a change in GitHub: with names alone, and with the ids that GitHub adds since July 2026. */
  readonly subjects: (environment: string) => readonly TrustedSubject[];
  /** Checks whether a subject is one of this repository, under an earlier name too where it has ids. */
  readonly isOurs: (subject: string) => boolean;
}

interface RepositoryReply {
  readonly id: number;
  readonly full_name: string;
  readonly default_branch: string;
  readonly owner: { readonly id: number; readonly login: string };
}

/** What GitHub says of subjects; `sub_claim_prefix` is what a subject begins with. */
interface SubjectReply {
  readonly use_default?: boolean;
  readonly include_claim_keys?: readonly string[];
  readonly use_immutable_subject?: boolean;
  readonly sub_claim_prefix?: string;
}

/**
 * Asks GitHub. Throws a UsageError where it writes the name otherwise, as after a rename, and where subjects have claims that no credential
 * can name. In a dry run nothing is known.
 */
export async function repositoryOf(context: Context, name: string): Promise<Repository> {
  const found = await repositorySaid(context, name);
  if (found.full_name !== name)
    throw new UsageError(
      `GitHub calls the repository ${found.full_name}; githubRepository is ${name}. Write it as GitHub does: Entra compares letter by letter.`,
    );
  const said = await subjectsSaid(context, name);
  const claims =
    said.use_default === false ? (said.include_claim_keys ?? (await claimsOfOwner(context, found))) : [];
  const ofNames = `repo:${found.full_name}`;
  const repository = found.full_name.split('/')[1];
  const ofIds = `repo:${found.owner.login}@${found.owner.id}/${repository}@${found.id}`;
  const prefix = said.sub_claim_prefix ?? (said.use_immutable_subject === true ? ofIds : ofNames);
  const ofUs = [
    `${ofNames}:`,
    `@${found.id}:`,
    `repository:${found.full_name}:`,
    `repository_id:${found.id}:`,
  ];
  const subjectNow = (environment: string) =>
    claims.length === 0
      ? `${prefix}:environment:${environment}`
      : claims.map((claim) => partOf(claim, prefix, found, environment)).join(':');
  // Before anything is made.
  subjectNow('any');
  return {
    fullName: found.full_name,
    mainBranch: found.default_branch,
    subjectNow,
    isOurs: (subject) => ofUs.some((part) => `${subject}:`.includes(part)),
    subjects(environment) {
      const known = [
        { name: 'github', subject: `${ofNames}:environment:${environment}` },
        { name: 'github-ids', subject: `${ofIds}:environment:${environment}` },
      ];
      const now = subjectNow(environment);
      return known.some(({ subject }) => subject === now)
        ? known
        : [...known, { name: 'github-custom', subject: now }];
    },
  };
}

/** Claims of a template for subjects that a job of an environment always has alike. */
function partOf(
  claim: string,
  prefix: string,
  { id, full_name: name, owner }: RepositoryReply,
  environment: string,
) {
  const parts: Readonly<Record<string, string>> = {
    repo: prefix,
    context: `environment:${environment}`,
    environment: `environment:${environment}`,
    repository: `repository:${name}`,
    repository_id: `repository_id:${id}`,
    repository_owner: `repository_owner:${owner.login}`,
    repository_owner_id: `repository_owner_id:${owner.id}`,
  };
  const part = parts[claim];
  if (part !== undefined) return part;
  throw new UsageError(
    `Tokens of ${name} have the claim ${claim} in their subject, which differs from run to run, so that no credential can name it. Go back to GitHub's own subjects: gh api --method PUT repos/${name}/actions/oidc/customization/sub --field use_default=true`,
  );
}

/** There is no repository of the name, as far as who is signed in may know. */
export class UnknownRepository extends UsageError {}

const isUnknown = (error: unknown) => error instanceof ToolFailure && /\b404\b/.test(error.complaint);

async function repositorySaid(context: Context, name: string): Promise<RepositoryReply> {
  try {
    return await ask<RepositoryReply>(context, `repos/${name}`, {
      id: 0,
      full_name: name,
      default_branch: 'main',
      owner: { id: 0, login: name.split('/')[0] ?? '' },
    });
  } catch (error) {
    if (!isUnknown(error)) throw error;
    throw new UnknownRepository(
      `GitHub knows no repository ${name}, or does not show it to who is signed in: write githubRepository as owner/name.`,
    );
  }
}

/** GitHub Enterprise Server may not know the address. */
async function subjectsSaid(context: Context, name: string): Promise<SubjectReply> {
  try {
    return await ask<SubjectReply>(context, `repos/${name}/actions/oidc/customization/sub`, {});
  } catch (error) {
    if (isUnknown(error)) return {};
    throw error;
  }
}

/** The template of the organisation, which a repository may take; none of a person's. */
async function claimsOfOwner(context: Context, { owner }: RepositoryReply): Promise<readonly string[]> {
  try {
    const said = await ask<SubjectReply>(context, `orgs/${owner.login}/actions/oidc/customization/sub`, {});
    return said.include_claim_keys ?? [];
  } catch (error) {
    if (isUnknown(error)) return [];
    throw error;
  }
}

async function ask<T>({ run, options }: Context, endpoint: string, inDryRun: T): Promise<T> {
  const said = await run('gh', ['api', endpoint], { quiet: true });
  return options.dryRun ? inDryRun : (JSON.parse(said) as T);
}
