/**
 * An Azure with a memory, behind an `az` and a `terraform` that answer as the tools do: groups, locks, budgets, apps, records of deployments,
 * names of deleted gateways, and the state of Terraform. It refuses what Azure and its tools refuse, and fails once where a test says, or at
 * every first call.
 */

import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Execute, ToolFailure } from '../../infra/deploy/context.ts';
import { readParameters } from '../../infra/deploy/parameters.ts';
import { root } from '../../infra/deploy/root.ts';
import { effectiveValues, type ProfileValue } from '../../infra/deploy/values.ts';
import { mustBeKnown } from './known-commands.ts';
import { RememberedGithub } from './remembered-github.ts';

interface Deployment {
  readonly name: string;
  state: string;
  readonly time: string;
  outputs: Record<string, unknown> | null;
}
/** An app by the addresses at which Azure gives its parts: those of `properties` stand in the app itself. */
export interface RememberedApp {
  readonly identity: { type: string; userAssignedIdentities?: Record<string, object> };
  readonly properties: Record<string, unknown>;
  /** At /config/web. */
  readonly siteConfig: Record<string, unknown>;
  /** At /config/appsettings/list. */
  settings: Record<string, string>;
  /** At /config/authsettingsV2: whether App Service asks for a sign-in itself. */
  readonly signIn: { enabled: boolean };
  /** At /basicPublishingCredentialsPolicies: whether passwords are allowed. */
  readonly passwords: { scm: boolean; ftp: boolean };
}
interface DeletedGateway {
  readonly name: string;
  readonly group: string;
}
interface RememberedIdentity {
  readonly clientId: string;
  readonly principalId: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly location?: string;
  /** Subjects by the names of credentials. */
  readonly trusted: Map<string, string>;
}
interface Group {
  /** By its tag; null: none of ours. */
  readonly environment: string | null;
  /** The stack that has made it, by its tag; null: an earlier version, or somebody else. */
  readonly stack: string | null;
  readonly location: string;
  readonly apps: Map<string, RememberedApp>;
  locks: string[];
  assignments: RememberedAssignment[];
  budgetStart?: string;
}
/** A role assignment in a group, and what an output says of it. */
export interface RememberedAssignment {
  readonly scope: string;
  readonly role: string;
  readonly principalId: string;
}
interface State {
  resources: string[];
  outputs: Record<string, unknown>;
}

/** One failure to come: the first call that matches ends with these words. `late`: after its effects, as a failure half way through. */
export interface Failure {
  readonly call: RegExp;
  readonly words: string;
}

export class RememberedAzure {
  today = new Date('2026-01-20T09:00:00Z');
  readonly groups = new Map<string, Group>();
  readonly github = new RememberedGithub();
  /** Identities that were made beside the templates, and what those of the templates trust, by `group/name`. */
  readonly identities = new Map<string, RememberedIdentity>();
  /** Role assignments, as `principal: role on scope`. */
  readonly roles: string[] = [];
  /** Roles of one's own by name, as JSON. */
  readonly ownRoles = new Map<string, string>();
  /** Members of groups in the directory. */
  readonly members: string[] = [];
  readonly deployments: Deployment[] = [];
  readonly calls: string[] = [];
  /** The calls of npm, as words. */
  readonly npmCalls: (readonly string[])[] = [];
  deletedGateways: DeletedGateway[] = [];
  /** The subscription that is selected. */
  subscription = 'sub-1';
  /** Locks around all groups. */
  readonly locksAround: string[] = [];
  /** What Azure, GitHub and Terraform's provider say of the first of all calls that are alike; empty: nothing. */
  firstAnswers: readonly string[] = [];
  readonly #answered = new Set<string>();
  /** Host names that apps have besides their own, and whether each has its certificate. */
  readonly hostNames = new Map<string, { certificate: boolean }>();
  /** What Azure says of certificates of an app: 'false' of one that an earlier version has made. */
  siteCertificates = 'true';
  failures: Failure[] = [];
  /** The address of the apps and of their deployment endpoint. */
  readonly url: string;
  readonly #shared = new Map<string, State>();
  #runs = 0;

  constructor(url: string) {
    this.url = url;
  }

  /** Called when the records of deployments are listed. */
  whenListed = () => {};

  /** Called when a deployment is about to begin. */
  whenCreated = (_name: string) => {};

  /** Begins a run of another machine, which has come to a state. */
  begin(name: string, state = 'Running'): void {
    this.deployments.push({ name, state, time: this.today.toISOString(), outputs: null });
  }

  /** The app of the only environment that there is. */
  get app(): RememberedApp {
    const [app] = [...this.groups.values()].flatMap(({ apps }) => [...apps.values()]);
    if (!app) throw new Error('The remembered Azure has no app.');
    return app;
  }

  /** Ends it. */
  end(name: string): void {
    for (const deployment of this.deployments) if (deployment.name === name) deployment.state = 'Failed';
  }

  /** Takes an output out of all that was deployed, as if by an earlier version, which did not have it. */
  dropOutput(name: string): void {
    for (const { outputs } of [...this.deployments, ...this.#shared.values()]) delete outputs?.[name];
  }

  /** Puts other outputs in the place of those that deployments with either stack have left. */
  rewriteOutputs(rewrite: (outputs: Record<string, unknown>) => Record<string, unknown>): void {
    for (const record of [...this.deployments, ...this.#shared.values()])
      if (record.outputs?.['DEPLOYED_AS']) record.outputs = rewrite(record.outputs);
  }

  /** Deploys the Bicep template as azd did, which named its deployments otherwise; `budgetStart` is the first day of the budget. */
  makeByOtherTool(environment: string, budgetStart: string): void {
    const name = groupName({}, environment, 'bicep', 'westeurope');
    this.addGroup(name, { environment });
    Object.assign(this.groups.get(name) ?? {}, { budgetStart });
    const made = { state: 'Succeeded', time: budgetStart };
    const values = effectiveValues({ profile: environment, values: {} });
    const { DEPLOYED_AS: _, ...outputs } = this.#outputs(name, environment, values, '');
    this.deployments.push(
      { ...made, name: `records-entra-${environment}`, outputs: { API_CLIENT_ID: 'api' } },
      { ...made, name: `${environment}-1761984000`, outputs },
    );
  }

  /** The tools of one machine. Without a backend its state of Terraform is its own. */
  machine({ backend = false } = {}): Execute {
    const states = backend ? this.#shared : new Map<string, State>();
    let workspace = 'default';
    return async (command, words, { environment }) => {
      const call = `${command} ${words.join(' ')}`;
      this.calls.push(call);
      mustBeKnown(command, words);
      this.#answerFirst(command, words);
      if (command === 'az') return this.#az(words, environment);
      if (command === 'gh') return this.github.call(words);
      if (command === 'npm') this.npmCalls.push(words);
      if (command === 'npm') return this.fail(call);
      if (command !== 'terraform') throw new Error(`Cannot run ${command}: it is not on the PATH.`);
      const [folder = '', action = '', ...rest] = words;
      const part = folder.endsWith('entra') ? 'entra' : 'main';
      if (folder === 'version') return '{"terraform_version": "1.11.4"}';
      if (action === 'workspace') {
        if (rest[0] === 'select') workspace = rest.at(-1) ?? '';
        else states.delete(`main ${rest.at(-1)}`);
        return '';
      }
      const key = `${part} ${workspace}`;
      const state = states.get(key) ?? { resources: [], outputs: {} };
      states.set(key, state);
      if (action === 'output') return withValues(state.outputs);
      if (action === 'state') return state.resources.join('\n');
      if (action === 'show') return shown(state);
      if (action === 'plan') return this.#plan(words, state);
      if (action !== 'apply') return '';
      mustBeDeclared(words, folder.replace('-chdir=', ''));
      return part === 'entra' ? this.#applyEntra(call, words, state) : this.#apply(call, words, state);
    };
  }

  /** Refuses the first of all calls that are alike, for a reason that passes. */
  #answerFirst(command: string, words: readonly string[]): void {
    const call = `${command} ${words.join(' ')}`;
    const isLocal = /^(?:npm|az (?:version|bicep)|terraform (?!\S+ apply))/.test(call);
    if (isLocal || this.firstAnswers.length === 0 || this.#answered.has(call)) return;
    const answer = this.firstAnswers[this.#answered.size % this.firstAnswers.length] ?? '';
    this.#answered.add(call);
    throw new ToolFailure(command, 1, answer);
  }

  /** Fails when the next failure is of this call. */
  fail(call: string): string {
    const index = this.failures.findIndex((failure) => failure.call.test(call));
    const [failure] = index < 0 ? [] : this.failures.splice(index, 1);
    if (failure) throw new ToolFailure(call.split(' ')[0] ?? '', 1, failure.words);
    return '';
  }

  #applyEntra(call: string, words: readonly string[], state: State): string {
    this.fail(call);
    state.outputs = { API_CLIENT_ID: 'api', DEPLOYED_AS: valueAfter(words, '-var=deployed_as=') };
    return '';
  }

  #apply(call: string, words: readonly string[], state: State): string {
    const environment = valueAfter(words, '-var=environment_name=');
    const location = valueAfter(words, '-var=location=');
    const values = valuesOfTerraform(words);
    const group = groupName(values, environment, 'terraform', location);
    if (state.resources.length > 0 && !state.resources.includes(group))
      throw new ToolFailure('terraform', 1, 'Error: Instance cannot be destroyed (prevent_destroy).');
    const isExisting = existingIn(values) !== '';
    if (this.groups.has(group) && !state.resources.includes(group) && !isExisting)
      throw new ToolFailure(
        'terraform',
        1,
        `Error: A resource with the ID "/x/${group}" already exists - to be managed via Terraform this resource needs to be imported into the State.`,
      );
    if (!isExisting) this.#makeGroup(group, { environment, stack: 'terraform', location });
    if (!state.resources.includes(group)) state.resources.push(group);
    this.fail(call);
    if (this.#seesDrift(group)) this.#makeApp(group, environment);
    this.#certify('terraform', values);
    const before = (state.outputs['ROLE_ASSIGNMENTS'] ?? []) as RememberedAssignment[];
    // A destruction that fails keeps no output back.
    state.outputs = this.#outputs(group, environment, values, valueAfter(words, '-var=deployed_as='));
    const dropped = before.filter((one) => !declaredRoles(group, values).some((other) => isSame(one, other)));
    for (const one of this.groups.get(group)?.assignments ?? [])
      if (dropped.some((other) => isSame(one, other))) this.#unassign('terraform', group, one);
    this.#assign(group, { environment, stack: 'terraform', location }, values);
    return '';
  }

  #plan(words: readonly string[], { resources }: State): string {
    const [group = ''] = resources;
    if (!words.includes('-detailed-exitcode'))
      throw new Error('A plan says by its exit code whether it is empty.');
    // Terraform colours its words, also where nobody looks.
    if (group === '' || this.#seesDrift(group))
      throw new ToolFailure('terraform', 2, '\u001b[1mPlan:\u001b[0m 1 to change.');
    return `\u001b[1m\u001b[32mNo changes.\u001b[0m Your infrastructure matches the configuration for ${valueAfter(words, '-var=environment_name=')}.\n`;
  }

  /** Whether a refresh of Terraform sees that an app is another one: what is missing in the answer counts as equal. */
  #seesDrift(group: string): boolean {
    const app = this.groups.get(group)?.apps.values().next().value;
    if (!app) return true;
    const { siteConfig: _, ...declared } = declaredProperties();
    return (
      JSON.stringify({ ...app.properties, ...declared }) !== JSON.stringify(app.properties) ||
      app.identity.type !== declaredIdentity.type ||
      Object.keys(app.identity.userAssignedIdentities ?? {}).join() !== runtimeIdentity ||
      app.passwords.scm ||
      app.passwords.ftp
    );
  }

  /** Sets what the templates say; what they do not say stays as it is. */
  #makeApp(group: string, environment: string): void {
    const apps = this.groups.get(group)?.apps;
    const { siteConfig, ...properties } = declaredProperties();
    const { appSettings, ...configuration } = siteConfig;
    const before = apps?.get(`func-${environment}`);
    apps?.set(`func-${environment}`, {
      identity: {
        type: declaredIdentity.type,
        userAssignedIdentities: { [runtimeIdentity]: { principalId: 'p', clientId: 'c' } },
      },
      properties: { ...before?.properties, ...properties },
      siteConfig: { ...before?.siteConfig, ...configuration },
      settings: Object.fromEntries(appSettings.map(({ name, value }) => [name, value])),
      signIn: before?.signIn ?? { enabled: false },
      passwords: { scm: false, ftp: false },
    });
  }

  #az(words: readonly string[], environment: Readonly<Record<string, string>>): string {
    const call = `az ${words.join(' ')}`;
    const [noun = '', verb = '', third = ''] = words;
    if (noun === 'version') return '{"azure-cli": "2.77.0"}';
    if (noun === 'bicep') return 'Bicep CLI version 0.47.16';
    if (verb === 'list-locations') return 'westeurope\nnortheurope\n';
    if (noun === 'account')
      return `${this.fail(call)}${call.includes('tenantId') ? 'tenant-1' : verb === 'show' ? this.subscription : 'the-token'}\n`;
    // No run leaves a firewall rule here.
    if (noun === 'provider' || noun === 'sql') return '';
    if (noun === 'functionapp') return verb === 'config' ? this.#hostName(words) : '22\n24\n';
    if (noun === 'resource' && verb === 'list') return this.#tagged();
    if (noun === 'resource')
      return call.includes('siteScopedCertificatesEnabled')
        ? `${this.siteCertificates}\n`
        : `${this.fail(call)}${this.url}\n`;
    if (noun === 'rest' && call.includes('/roleAssignments?'))
      return this.#assignments(after(words, '--url'));
    if (noun === 'rest') return call.includes('/sites/') ? this.#site(words) : this.#budget(words);
    if (noun === 'deployment') return this.#deployment(third, words, environment);
    if (noun === 'group') return this.#group(verb, words);
    if (noun === 'lock') return this.#lock(verb, words);
    if (noun === 'identity') return this.#identity(words);
    if (noun === 'role' || noun === 'ad') return this.#rights(words);
    if (noun === 'apim') return this.#gateway(words);
    throw new Error(`The remembered Azure does not know: ${call}`);
  }

  #deployment(verb: string, words: readonly string[], environment: Readonly<Record<string, string>>): string {
    const name = after(words, '--name');
    const found = this.deployments.find((deployment) => deployment.name === name);
    if (verb === 'list') {
      this.whenListed();
      const prefix = after(words, '--query').split("'")[1] ?? '';
      const listed = this.deployments.filter((deployment) => deployment.name.startsWith(prefix));
      return JSON.stringify(listed.map(({ name, state, time }) => ({ name, state, time })));
    }
    if (verb === 'create') return this.#create(name, words, environment);
    if (verb === 'what-if') return words.includes('--no-pretty-print') ? this.#whatIf() : '';
    if (!found)
      throw new ToolFailure('az', 3, `(DeploymentNotFound) Deployment '${name}' could not be found.`);
    if (verb === 'show') return withValues(found.outputs);
    this.deployments.splice(this.deployments.indexOf(found), 1);
    return '';
  }

  #create(name: string, words: readonly string[], environment: Readonly<Record<string, string>>): string {
    const call = `az ${words.join(' ')}`;
    this.whenCreated(name);
    if (this.deployments.some((deployment) => deployment.name === name && deployment.state === 'Running'))
      throw new ToolFailure('az', 1, `(DeploymentActive) Unable to edit or replace deployment '${name}'.`);
    this.#runs += 1;
    const time = new Date(this.today.getTime() + this.#runs * 1000).toISOString();
    // A run of the same name takes the place of the record that was there, outputs and all.
    this.deployments.splice(0, Infinity, ...this.deployments.filter((record) => record.name !== name));
    const record: Deployment = { name, state: 'Failed', time, outputs: null };
    this.deployments.push(record);
    const environmentName = environment['AZURE_ENV_NAME'] ?? '';
    const isEntra = words.some((word) => word.includes('entra/main.bicepparam'));
    const given = parametersIn(words, isEntra ? 'infra/bicep/entra/main.bicep' : 'infra/bicep/main.bicep');
    if (!isEntra) {
      const location = environment['AZURE_LOCATION'] ?? '';
      const values = effectiveValues({ profile: environment['DEPLOYMENT_PROFILE'] ?? '', values: given });
      const group = groupName(values, environmentName, 'bicep', location);
      const made = { environment: environmentName, stack: 'bicep', location };
      if (existingIn(values) === '') this.#makeGroup(group, made);
      this.#setBudget(group, values, given['budgetStartDate'] ?? '');
      this.fail(call);
      this.#makeApp(group, environmentName);
      this.#assign(group, made, values);
      this.#certify('az', values);
      record.outputs = this.#outputs(group, environmentName, values, environment['DEPLOYED_AS'] ?? '');
    } else {
      this.fail(call);
      record.outputs = { API_CLIENT_ID: 'api', DEPLOYED_AS: environment['DEPLOYED_AS'] ?? '' };
    }
    record.state = 'Succeeded';
    return '';
  }

  /** Adds a group that is there before any deployment: of somebody else, or of an earlier version. */
  addGroup(name: string, tags: Partial<Pick<Group, 'environment' | 'stack' | 'location'>> = {}): void {
    this.#makeGroup(name, { environment: null, stack: null, location: 'westeurope', ...tags });
  }

  /** A deployment takes over a group that is there, with its tags. */
  #makeGroup(name: string, tags: Pick<Group, 'environment' | 'stack' | 'location'>): void {
    const before = this.groups.get(name);
    const { apps = new Map(), locks = [`${dataAccountIn(name)}${lockPart}keep-calendar`] } = before ?? {};
    this.groups.set(name, { ...before, apps, locks, assignments: before?.assignments ?? [], ...tags });
  }

  /** Makes the identity of the app, and the assignments that are missing. */
  #assign(group: string, { environment, stack, location }: Made, values: Values): void {
    const tags = { 'azd-env-name': environment, 'deployed-with': stack };
    const identity = { clientId: 'c', principalId: 'p', trusted: new Map(), tags, location };
    this.identities.set(`${group}/id`, identity);
    const assignments = this.groups.get(group)?.assignments ?? [];
    for (const declared of declaredRoles(group, values))
      if (!assignments.some((one) => isSame(one, declared))) assignments.push(declared);
  }

  /** Removes an assignment, unless it is below a lock. */
  #unassign(tool: string, name: string, assignment: RememberedAssignment): void {
    const group = this.groups.get(name);
    if (group?.locks.some((id) => assignment.scope.startsWith(id.split(lockPart)[0] ?? '')))
      throw new ToolFailure(
        tool,
        1,
        `(ScopeLocked) The scope '${idOfAssignment(assignment)}' cannot perform delete operation because following scope(s) are locked.`,
      );
    if (group) group.assignments = group.assignments.filter((one) => one !== assignment);
  }

  /** The assignments of everyone in a group, one a page. */
  #assignments(url: string): string {
    const [, name = '', page = '0'] = /resourceGroups\/([^/]+)\/.*?(?:page=(\d+))?$/.exec(url) ?? [];
    const assignments = this.groups.get(name)?.assignments ?? [];
    const next = Number(page) + 1;
    return JSON.stringify({
      value: assignments.slice(Number(page), next).map((one) => ({
        id: idOfAssignment(one),
        properties: {
          scope: one.scope,
          principalId: one.principalId,
          roleDefinitionId: `/subscriptions/sub-1/providers/Microsoft.Authorization/roleDefinitions/${one.role}`,
        },
      })),
      nextLink:
        next < assignments.length
          ? `https://management.azure.com${url.split('&page')[0]}&page=${next}`
          : null,
    });
  }

  #setBudget(name: string, values: Values, start: string): void {
    const group = this.groups.get(name);
    if (!group || Number(values['monthly_budget']) === 0) return;
    const month = `${this.today.toISOString().slice(0, 7)}-01`;
    if ((group.budgetStart ?? month) !== start)
      throw new ToolFailure('az', 1, '(400) The start date for a budget cannot be changed.');
    group.budgetStart = start;
  }

  /** A part of an app. What is configured is not given with the app itself, whose siteConfig has nulls. */
  #site(words: readonly string[]): string {
    const [, group = '', name = '', path = ''] =
      /resourceGroups\/([^/]+)\/.*\/sites\/([^/?]+)([^?]*)/.exec(after(words, '--url')) ?? [];
    const app = this.groups.get(group)?.apps.get(name);
    if (!app) throw new ToolFailure('az', 1, `(ResourceNotFound) The Resource '${name}' was not found.`);
    const { identity, properties, siteConfig, settings, signIn, passwords } = app;
    const restrictions = (rules: unknown, action: unknown) => [
      ...((rules ?? []) as unknown[]),
      {
        ipAddress: 'Any',
        action: action ?? 'Allow',
        priority: 2_147_483_647,
        name: `${action ?? 'Allow'} all`,
      },
    ];
    const {
      ipSecurityRestrictions: rules,
      ipSecurityRestrictionsDefaultAction: action,
      scmIpSecurityRestrictions: scmRules,
      scmIpSecurityRestrictionsDefaultAction: scmAction,
    } = siteConfig;
    const parts: Readonly<Record<string, object>> = {
      'get ': {
        identity,
        properties: { ...properties, siteConfig: { http20Enabled: true, minTlsVersion: null } },
      },
      'get /config/web': {
        properties: {
          ...siteConfig,
          appSettings: null,
          ipSecurityRestrictions: restrictions(rules, action),
          scmIpSecurityRestrictions: restrictions(scmRules, scmAction),
        },
      },
      'post /config/appsettings/list': { properties: { ...settings, FUNCTIONS_EXTENSION_VERSION: '~4' } },
      'get /config/authsettingsV2': { properties: { platform: { ...signIn, runtimeVersion: '~1' } } },
      'get /basicPublishingCredentialsPolicies': {
        value: Object.entries(passwords).map(([name, allow]) => ({ name, properties: { allow } })),
      },
    };
    const part = parts[`${after(words, '--method')} ${path}`];
    if (!part) throw new Error(`The remembered Azure does not know ${path} of an app.`);
    return JSON.stringify(part);
  }

  /** What what-if says of an app at all times, whatever was changed. */
  #whatIf(): string {
    const delta = [{ path: 'properties.siteConfig', propertyChangeType: 'Modify' }];
    const sites = [...this.groups].flatMap(([group, { apps }]) =>
      [...apps.keys()].map((name) => `/resourceGroups/${group}/providers/Microsoft.Web/sites/${name}`),
    );
    return JSON.stringify({
      changes: sites.map((resourceId) => ({ resourceId, changeType: 'Modify', delta })),
    });
  }

  #budget(words: readonly string[]): string {
    const name = /resourceGroups\/([^/]+)\//.exec(after(words, '--url'))?.[1] ?? '';
    const group = this.groups.get(name);
    if (!group) throw new ToolFailure('az', 3, `(ResourceGroupNotFound) ${name}`);
    return group.budgetStart ? `${group.budgetStart}T00:00:00Z\n` : '';
  }

  #group(verb: string, words: readonly string[]): string {
    const name = after(words, '--name');
    if (verb === 'list')
      return JSON.stringify(
        [...this.groups].map(([one, { environment, stack, location }]) => ({
          name: one,
          environment,
          stack,
          location,
        })),
      );
    if (verb === 'create') {
      this.addGroup(name, { location: after(words, '--location') });
      return '';
    }
    const group = this.groups.get(name);
    if (group && group.locks.length > 0) throw new ToolFailure('az', 1, '(ScopeLocked) The scope is locked.');
    this.fail(`az ${words.join(' ')}`);
    this.groups.delete(name);
    for (const place of this.identities.keys())
      if (place.startsWith(`${name}/`)) this.identities.delete(place);
    this.deletedGateways.push({ name: name.replace('rg-', 'apim-'), group: name });
    return '';
  }

  /** Binds a name to the app. Binding it again would take its certificate away. */
  #hostName(words: readonly string[]): string {
    if (words.includes('list')) return [...this.hostNames.keys()].join('\n');
    this.fail(`az ${words.join(' ')}`);
    this.hostNames.set(after(words, '--hostname'), { certificate: false });
    return '';
  }

  /** Gives a name its certificate, which Azure issues for bound names only. */
  #certify(tool: string, values: Values): void {
    const name = domainIn(values);
    if (name === '') return;
    const bound = this.hostNames.get(name);
    if (!bound) throw new ToolFailure(tool, 1, `Canonical name ${name} is not hosted on the site.`);
    bound.certificate = true;
  }

  /** The identities of a group; those that a deployment has made are there with the credential of the templates. */
  #identity(words: readonly string[]): string {
    const group = after(words, '--resource-group');
    const key = `${group}/${after(words, '--name')}`;
    if (words.includes('federated-credential')) {
      const trusted = this.identities.get(`${group}/${after(words, '--identity-name')}`)?.trusted;
      if (!trusted) throw new ToolFailure('az', 3, '(ParentResourceNotFound) The identity is not there.');
      if (words.includes('list')) return JSON.stringify([...trusted.values()]);
      const subject = after(words, '--subject');
      const name = after(words, '--name');
      if ([...trusted].some(([other, one]) => other !== name && one === subject))
        throw new ToolFailure('az', 1, '(FederatedIdentityCredentialWithIssuerSubjectPairAlreadyExists)');
      trusted.set(name, subject);
      return '';
    }
    if (words.includes('list'))
      return JSON.stringify(
        [...this.identities]
          .filter(([place]) => place.startsWith(`${group}/`))
          .map(([place, { clientId, principalId, tags = null }]) => ({
            name: place.slice(group.length + 1),
            clientId,
            principalId,
            tags,
          })),
      );
    const number = this.identities.size + 1;
    const identity = this.identities.get(key) ?? {
      clientId: `client-${number}`,
      principalId: `principal-${number}`,
      trusted: new Map(),
    };
    this.identities.set(key, identity);
    return JSON.stringify(identity);
  }

  /** The identities with the tags of our templates, wherever they are. */
  #tagged(): string {
    return JSON.stringify(
      [...this.identities].flatMap(([place, { tags, location }]) => {
        const [group = ''] = place.split('/');
        const stack = tags?.['deployed-with'];
        const own = location ?? this.groups.get(group)?.location;
        const environment = tags?.['azd-env-name'];
        return stack === undefined ? [] : [{ name: group, location: own, environment, stack }];
      }),
    );
  }

  #rights(words: readonly string[]): string {
    if (words.includes('definition')) {
      if (words.includes('list'))
        return this.#mayBeAssigned(after(words, '--name'), `/subscriptions/${this.subscription}`)
          ? after(words, '--name')
          : '';
      const definition = after(words, '--role-definition');
      const { Name: name } = JSON.parse(definition);
      // Of the directory, whatever the subscription.
      if (this.ownRoles.has(name)) throw new ToolFailure('az', 1, '(RoleDefinitionWithSameNameExists)');
      this.ownRoles.set(name, definition);
      return '';
    }
    if (words.includes('delete')) {
      for (const [name, { assignments }] of this.groups)
        for (const one of assignments)
          if (words.includes(idOfAssignment(one))) this.#unassign('az', name, one);
      return this.fail(`az ${words.join(' ')}`);
    }
    if (words.includes('assignment')) {
      const [role, scope] = [after(words, '--role'), after(words, '--scope')];
      if (this.ownRoles.has(role) && !this.#mayBeAssigned(role, scope))
        throw new ToolFailure(
          'az',
          1,
          `(RoleDefinitionDoesNotExist) ${role} cannot be assigned on ${scope}.`,
        );
      const assignment = `${after(words, '--assignee-object-id')}: ${after(words, '--role')} on ${after(words, '--scope')}`;
      if (!this.roles.includes(assignment)) this.roles.push(assignment);
      return '';
    }
    const member = `${after(words, '--group')}: ${after(words, '--member-id')}`;
    if (words.includes('check')) return `${this.members.includes(member)}\n`;
    if (this.members.includes(member))
      throw new ToolFailure('az', 1, 'One or more added object references already exist.');
    this.members.push(member);
    return '';
  }

  /** Whether a role of one's own is one of a scope: its subscription has it in its list, and it may be assigned there and below. */
  #mayBeAssigned(role: string, scope: string): boolean {
    const scopes: readonly string[] = JSON.parse(this.ownRoles.get(role) ?? '{}').AssignableScopes ?? [];
    return scopes.some((one) => `${scope}/`.startsWith(`${one}/`) || `${one}/`.startsWith(`${scope}/`));
  }

  #lock(verb: string, words: readonly string[]): string {
    if (verb === 'list') {
      const locks = this.groups.get(after(words, '--resource-group'))?.locks ?? [];
      return JSON.stringify(
        [...locks, ...this.locksAround].map((id) => ({
          id,
          name: id.split('/').at(-1),
          level: 'CanNotDelete',
          notes: 'Why.',
        })),
      );
    }
    if (verb === 'create') {
      this.fail(`az ${words.join(' ')}`);
      const resource = after(words, '--resource');
      const group = this.groups.get(resource.split('/')[4] ?? '');
      const id = `${resource}${lockPart}${after(words, '--name')}`;
      if (group?.locks.includes(id) === false) group.locks.push(id);
      return '';
    }
    for (const group of this.groups.values()) group.locks = group.locks.filter((id) => !words.includes(id));
    return '';
  }

  #gateway(words: readonly string[]): string {
    if (words.includes('list')) {
      const name = after(words, '--query').split("'")[1] ?? '';
      return JSON.stringify(
        this.deletedGateways
          .filter((gateway) => gateway.name === name)
          .map(({ group }) => ({
            location: 'West Europe',
            service: `/subscriptions/sub-1/resourceGroups/${group}/providers/Microsoft.ApiManagement/service/${name}`,
          })),
      );
    }
    this.fail(`az ${words.join(' ')}`);
    this.deletedGateways = this.deletedGateways.filter(({ name }) => name !== after(words, '--service-name'));
    return '';
  }

  /** Outputs as the templates give them, but for the gateway, whose address would be outside of this machine. */
  #outputs(group: string, environment: string, values: Values, deployedAs: string): Record<string, unknown> {
    const where = (parameter: string, text: string) => (values[parameter] === true ? text : '');
    const repository = String(values['github_repository'] ?? '');
    const hasPipeline = repository !== '';
    const idOf = (name: string, job: string) => {
      if (!hasPipeline) return '';
      const place = `${group}/${name}`;
      const before = this.identities.get(place);
      const clientId = before?.clientId ?? randomUUID();
      const trusted = before?.trusted ?? new Map();
      trusted.set('github', `repo:${repository}:environment:${job}`);
      this.identities.set(place, { clientId, principalId: `principal of ${name}`, trusted });
      return clientId;
    };
    return {
      AZURE_ENV_NAME: environment,
      DEPLOYED_AS: deployedAs,
      AZURE_RESOURCE_GROUP: group,
      RESOURCE_GROUP_MADE: existingIn(values) === '',
      FUNCTION_APP_NAME: `func-${environment}`,
      FUNCTION_APP_URL: this.url,
      GREEN_FUNCTION_APP_NAME: where('green_app', `func-${environment}-g`),
      GREEN_FUNCTION_APP_URL: where('green_app', this.url),
      CALENDAR_APP_NAME: where('calendar_app', `func-${environment}-c`),
      CALENDAR_APP_URL: where('calendar_app', this.url),
      API_BASE_URL: `${this.url}/api`,
      API_CLIENT_ID: 'api',
      CUSTOM_DOMAIN: domainIn(values),
      DOMAIN_VERIFICATION_ID: domainVerificationId,
      CALENDAR_BASE_PATH: 'events/v1',
      CALENDAR_PLACE: `https://stdata${environment}.table.core.windows.net/calendar/default`,
      PICTURES_PLACE: `https://stdata${environment}.blob.core.windows.net/pictures/default`,
      BACKUP_ACCOUNT_URL: where('calendar_backup', `https://stbackup${environment}.table.core.windows.net/`),
      BACKUP_BLOB_URL: where('calendar_backup', `https://stbackup${environment}.blob.core.windows.net/`),
      GATEWAY_NAME: '',
      DB_SERVER: 'sql.example.org',
      DB_NAME: 'records',
      DB_CUSTOMIZATION_NAME: 'customization',
      SQL_SERVER_NAME: 'sql',
      SERVICE_API_USERNAME: 'service',
      OBJECT_TYPES: values['object_types'],
      OBJECT_METADATA: values['object_metadata'],
      ROLE_ASSIGNMENTS_CREATED: values['create_role_assignments'],
      ROLE_ASSIGNMENTS: declaredRoles(group, values).map((one) => ({ ...one, reason: 'To read.' })),
      PIPELINE_IDENTITY_NAME: hasPipeline ? 'id-pipeline' : '',
      PIPELINE_IDENTITY_CLIENT_ID: idOf('id-pipeline', environment),
      BACKUP_IDENTITY_CLIENT_ID:
        values['calendar_backup'] === true ? idOf('id-backup', `${environment}-backup`) : '',
      RUNTIME_IDENTITY_NAME: 'id',
      RUNTIME_IDENTITY_CLIENT_ID: '12345678-9abc-def0-1122-334455667788',
      APP_CONFIGURATION: [
        { name: `func-${environment}`, identity: declaredIdentity, properties: declaredProperties() },
      ],
    };
  }
}

type Values = Readonly<Record<string, ProfileValue>>;

/** What the tags of a resource say of its environment, and where it is. */
interface Made {
  readonly environment: string;
  readonly stack: string;
  readonly location: string;
}

const lockPart = '/providers/Microsoft.Authorization/locks/';
const dataAccountIn = (group: string) =>
  `/subscriptions/sub-1/resourceGroups/${group}/providers/Microsoft.Storage/storageAccounts/stdata`;

/** The roles of the app: on its telemetry, and on the calendar's table, where that has no app of its own. */
const declaredRoles = (group: string, values: Values): RememberedAssignment[] => [
  {
    scope: `/subscriptions/sub-1/resourceGroups/${group}/providers/Microsoft.Insights/components/appi`,
    role: 'publisher',
    principalId: 'p',
  },
  ...(values['calendar_app'] === true
    ? []
    : [
        {
          scope: `${dataAccountIn(group)}/tableServices/default/tables/calendar`,
          role: 'contributor',
          principalId: 'p',
        },
      ]),
];
const isSame = (one: RememberedAssignment, other: RememberedAssignment) =>
  one.scope === other.scope && one.role === other.role && one.principalId === other.principalId;
const idOfAssignment = ({ scope, role, principalId }: RememberedAssignment) =>
  `${scope}/providers/Microsoft.Authorization/roleAssignments/${role}-${principalId}`;

/** The group that was there before, into which all is put; empty: one is made. */
const existingIn = (values: Values) => String(values['existing_resource_group_name'] ?? '');

/** The name of a group as the templates make it: of what it is named, or of environment and region, by another hash in each stack. */
function groupName(values: Values, environment: string, stack: string, location: string): string {
  const { resourceGroup } = (values['resource_names'] ?? {}) as { resourceGroup?: string };
  const hash = createHash('sha256').update(`${environment}/${location}`).digest('hex').slice(0, 13);
  const suffix =
    stack === 'terraform' ? hash : hash.replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  return existingIn(values) || (resourceGroup ?? `rg-${environment}-${suffix}`);
}

/** The parameters of a call of az. Throws the refusal of Azure for one that the template does not have. */
function parametersIn(words: readonly string[], template: string): Record<string, string> {
  const known = readParameters(readFileSync(join(root, template), 'utf8'));
  const given = words.flatMap((word, index) => {
    const [, name, value] = words[index - 1] === '--parameters' ? (/^(\w+)=(.*)$/s.exec(word) ?? []) : [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  const unknown = given.filter(([name]) => !known.has(name)).map(([name]) => name);
  if (unknown.length > 0)
    throw new ToolFailure(
      'az',
      1,
      `(InvalidTemplate) unrecognized template parameter '${unknown.join("', '")}'.`,
    );
  return Object.fromEntries(given);
}

/** Throws the refusal of Terraform for a variable that the configuration in a folder does not have. */
function mustBeDeclared(words: readonly string[], folder: string): void {
  const declared = readFileSync(join(root, folder, 'variables.tf'), 'utf8');
  const unknown = words.flatMap((word) => {
    const name = /^-var=(\w+)=/.exec(word)?.[1];
    return name === undefined || declared.includes(`variable "${name}"`) ? [] : [name];
  });
  if (unknown.length > 0)
    throw new ToolFailure('terraform', 1, `Error: Value for undeclared variable: ${unknown.join(', ')}`);
}

/** The values of a profile with those that Terraform was given over it. */
function valuesOfTerraform(words: readonly string[]): Values {
  const profile = /profiles\/(\w+)\.tfvars/.exec(valueAfter(words, '-var-file='))?.[1] ?? '';
  const given = words.flatMap((word) => {
    const [, name, value] = /^-var=(\w+)=(.*)$/s.exec(word) ?? [];
    const inCamelCase = name?.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return inCamelCase === undefined || inCamelCase === 'environmentName' ? [] : [[inCamelCase, value ?? '']];
  });
  return effectiveValues({ profile, values: Object.fromEntries(given) });
}

/** What Azure wants to find in the DNS of a name, as a proof that it is the caller's. */
export const domainVerificationId = 'PROOF';

/** The name of one's own that an app was given; empty: none. */
const domainIn = (values: Values) => (values['custom_domain'] as { readonly name?: string }).name ?? '';
const runtimeIdentity =
  '/subscriptions/sub-1/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id';
/** What the templates set of the app. */
const declaredIdentity = { type: 'UserAssigned', userAssignedIdentities: { [runtimeIdentity]: {} } };
const declaredProperties = () => ({
  serverFarmId: '/subscriptions/sub-1/resourceGroups/rg/providers/Microsoft.Web/serverfarms/plan',
  httpsOnly: true,
  publicNetworkAccess: 'Enabled',
  virtualNetworkSubnetId: null,
  functionAppConfig: {
    runtime: { name: 'node', version: '24' },
    scaleAndConcurrency: { maximumInstanceCount: 40, alwaysReady: [] },
    siteUpdateStrategy: { type: 'Recreate' },
  },
  siteConfig: {
    minTlsVersion: '1.2',
    scmIpSecurityRestrictionsDefaultAction: 'Deny',
    scmIpSecurityRestrictions: [
      { name: 'deployment-0', action: 'Allow', priority: 100, ipAddress: '192.0.2.0/24', tag: 'Default' },
    ],
    cors: { allowedOrigins: ['https://www.example.org'], supportCredentials: false },
    appSettings: [
      { name: 'APIS', value: 'records,calendar' },
      { name: 'DB_POOL_MAX', value: '10' },
    ],
  },
});

const after = (words: readonly string[], option: string) =>
  words.includes(option) ? (words[words.indexOf(option) + 1] ?? '') : '';
const valueAfter = (words: readonly string[], start: string) =>
  words.find((word) => word.startsWith(start))?.slice(start.length) ?? '';
const withValues = (outputs: Record<string, unknown> | null) =>
  outputs === null
    ? 'null'
    : JSON.stringify(Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, { value }])));
const shown = ({ resources }: State) =>
  JSON.stringify({
    values: {
      root_module: {
        resources: resources.map((name) => ({ address: 'azurerm_resource_group.main[0]', values: { name } })),
      },
    },
  });
