/** A GitHub with a memory, behind a `gh` that answers as the tool does: repositories with ids, environments with their branches and variables, and the subjects of tokens. */

import { ToolFailure } from '../../infra/deploy/context.ts';

interface GithubEnvironment {
  readonly branches: string[];
  readonly variables: Map<string, string>;
  policy: object | null;
}

/** A repository; by default one that was made after the ids came into subjects. */
interface Repository {
  readonly id: number;
  readonly ownerId: number;
  /** Whether tokens have the ids of owner and repository in their subject. */
  immutable: boolean;
  /** Claims of a template of the repository's own; undefined: GitHub's default. */
  claims?: readonly string[] | undefined;
  readonly environments: Map<string, GithubEnvironment>;
}

export class RememberedGithub {
  readonly repositories = new Map<string, Repository>();
  signedIn = true;
  /** Calls to come that fail, each once. */
  readonly failures: RegExp[] = [];

  /** Makes a repository, with its environments by their names. */
  add(fullName: string, more: Partial<Pick<Repository, 'immutable' | 'claims'>> = {}): Repository {
    const number = this.repositories.size + 1;
    const repository: Repository = {
      id: 456_789 * number,
      ownerId: 123_456,
      immutable: true,
      environments: new Map(),
      ...more,
    };
    this.repositories.set(fullName, repository);
    return repository;
  }

  /** The subject of the token of a job in an environment of a repository. */
  subject(fullName: string, environment: string): string {
    const { claims } = this.#found(fullName);
    const context = `environment:${environment}`;
    const prefix = this.#prefix(fullName);
    if (claims === undefined) return `${prefix}:${context}`;
    const parts: Readonly<Record<string, string>> = {
      repo: prefix,
      context,
      job_workflow_ref: 'job_workflow_ref:x',
    };
    return claims.map((claim) => parts[claim] ?? claim).join(':');
  }

  #prefix(fullName: string): string {
    const { id, ownerId, immutable } = this.#found(fullName);
    const [owner = '', name = ''] = fullName.split('/');
    return immutable ? `repo:${owner}@${ownerId}/${name}@${id}` : `repo:${owner}/${name}`;
  }

  /** GitHub finds a repository whatever the case of its name, and one that was renamed under its old one. */
  #nameOf(asked: string): string {
    const found = [...this.repositories.keys()].find((name) => name.toLowerCase() === asked.toLowerCase());
    if (found === undefined) throw new ToolFailure('gh', 1, 'gh: Not Found (HTTP 404)');
    return found;
  }

  #found(asked: string): Repository {
    const found = this.repositories.get(this.#nameOf(asked));
    if (!found) throw new ToolFailure('gh', 1, 'gh: Not Found (HTTP 404)');
    return found;
  }

  /** Answers a call of gh. */
  call(words: readonly string[]): string {
    if (!this.signedIn)
      throw new ToolFailure('gh', 4, 'To get started with GitHub CLI, please run:  gh auth login');
    const failing = this.failures.findIndex((call) => call.test(words.join(' ')));
    if (failing >= 0) this.failures.splice(failing, 1);
    if (failing >= 0) throw new ToolFailure('gh', 1, 'gh: Server Error (HTTP 500)');
    if (words[0] === 'variable') return this.#setVariable(words);
    const endpoint = words.find((word) => /^(?:repos|orgs)\//.test(word)) ?? '';
    const [, fullName = '', rest = ''] = /^repos\/([^/]+\/[^/?]+)(.*)$/.exec(endpoint) ?? [];
    if (fullName === '') throw new ToolFailure('gh', 1, 'gh: Not Found (HTTP 404)');
    const repository = this.#found(fullName);
    const name = this.#nameOf(fullName);
    const [login = ''] = name.split('/');
    if (rest === '')
      return JSON.stringify({
        id: repository.id,
        full_name: name,
        default_branch: 'main',
        owner: { id: repository.ownerId, login },
      });
    if (rest === '/actions/oidc/customization/sub')
      return JSON.stringify({
        use_default: repository.claims === undefined,
        ...(repository.claims === undefined ? {} : { include_claim_keys: repository.claims }),
        use_immutable_subject: repository.immutable,
        sub_claim_prefix: this.#prefix(name),
      });
    return this.#environment(repository, rest, words);
  }

  /** An environment is found whatever the case of its name. One that is there loses the rules that a PUT does not name. */
  #environment({ environments }: Repository, rest: string, words: readonly string[]): string {
    const [, asked = '', policies] =
      /^\/environments\/([^/]+)(\/deployment-branch-policies)?$/.exec(rest) ?? [];
    const name = [...environments.keys()].find((one) => one.toLowerCase() === asked.toLowerCase()) ?? asked;
    const found = environments.get(name);
    const isQuestion = !words.includes('--method');
    if (asked === '' || (found === undefined && (isQuestion || policies !== undefined)))
      throw new ToolFailure('gh', 1, 'gh: Not Found (HTTP 404)');
    if (isQuestion)
      return JSON.stringify(
        policies === undefined
          ? { name, deployment_branch_policy: found?.policy }
          : { total_count: found?.branches.length },
      );
    const fields = words.filter((_, index) => words[index - 1] === '--field');
    if (policies !== undefined) found?.branches.push(fields.join().replace('name=', ''));
    else
      environments.set(name, {
        branches: [],
        variables: found?.variables ?? new Map(),
        policy: fields.length > 0 ? { custom_branch_policies: true } : null,
      });
    return '';
  }

  #setVariable(words: readonly string[]): string {
    const after = (option: string) => words[words.indexOf(option) + 1] ?? '';
    const { environments } = this.#found(after('--repo'));
    const asked = after('--env').toLowerCase();
    const environment = [...environments].find(([name]) => name.toLowerCase() === asked)?.[1];
    if (!environment) throw new ToolFailure('gh', 1, 'HTTP 404: Not Found (environment)');
    environment.variables.set(words[2] ?? '', after('--body'));
    return '';
  }
}
