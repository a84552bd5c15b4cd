/**
 * Publishing a package through the deployment endpoint of an app. The Azure CLI asks for the state of a push without end when the
 * platform has lost it; here every call and the whole push have an end.
 */

import { openAsBlob } from 'node:fs';
import { type Context, Interrupted, TimeLimit, ToolFailure } from './context.ts';
import { pause } from './retry.ts';
import { timeLimits } from './time-limits.ts';

/** Seconds between two looks at the state of a push. */
const interval = 5;
/** Seconds that one answer may take. */
const answerLimit = 30;
/** Looks that may find no state before the push counts as lost. */
const maxMisses = 12;

/** States of a deployment that are an end; the others are on the way there. */
const states = { failed: 3, done: 4, conflict: 5, partly: 6 };

/** The deployment endpoint refused a package, or could not use it. */
export class PublishFailure extends ToolFailure {
  /** True: the endpoint did not answer. */
  readonly unreachable: boolean;
  constructor(app: string, reason: string, unreachable = false) {
    super('push', null, reason);
    this.message = `The push to ${app} failed: ${reason}`;
    this.unreachable = unreachable;
  }
}

/** An app, and where packages for it go. */
interface DeploymentEndpoint {
  readonly app: string;
  readonly endpoint: string;
  readonly token: string;
  /** Aborted when the push has taken too long, or the run shall end. */
  readonly signal: AbortSignal;
}

/** How a push ended: done, or done with a remark of the platform, after which only the app itself can say whether it works. */
export interface Published {
  readonly remark: string | undefined;
}

/** Publishes a package and waits until the platform has put it into place. Throws a PublishFailure, a TimeLimit or Interrupted. */
export async function publish(
  context: Context,
  group: string,
  app: string,
  file: string,
): Promise<Published> {
  const target = await targetOf(context, group, app);
  if (context.options.dryRun) {
    context.say(`# POST ${file} to ${target.endpoint}/api/publish`);
    return { remark: undefined };
  }
  const minutes = context.options.timeLimit ?? timeLimits.push;
  const end = AbortSignal.timeout(minutes * 60_000);
  try {
    context.say(`> publish ${file} to ${target.endpoint}`);
    return await published(context, { ...target, signal: AbortSignal.any([context.signal, end]) }, file);
  } catch (error) {
    if (context.signal.aborted) throw new Interrupted();
    throw end.aborted ? new TimeLimit(`The push to ${app}`, minutes) : error;
  }
}

/** Asks for the deployment endpoint, whose name differs by cloud, and for a token of the deployer. */
async function targetOf(
  { run, options, signal }: Context,
  group: string,
  app: string,
): Promise<DeploymentEndpoint> {
  const site = ['--resource-group', group, '--name', app, '--resource-type', 'Microsoft.Web/sites'];
  const query = "properties.hostNameSslStates[?hostType=='Repository'].name | [0]";
  const host = (await run('az', ['resource', 'show', ...site, '--query', query, '--output', 'tsv'])).trim();
  const asked = ['account', 'get-access-token', '--query', 'accessToken', '--output', 'tsv'];
  const token = (await run('az', asked, { quiet: true })).trim();
  if (host === '' && !options.dryRun) throw new PublishFailure(app, 'Azure names no deployment endpoint.');
  const name = options.dryRun ? `<deployment endpoint of ${app}>` : host;
  return { app, token, signal, endpoint: name.includes('://') ? name : `https://${name}` };
}

async function published(context: Context, target: DeploymentEndpoint, file: string): Promise<Published> {
  const response = await call(target, '/api/publish?RemoteBuild=false', {
    method: 'POST',
    body: await openAsBlob(file),
    headers: { 'content-type': 'application/zip' },
    signal: target.signal,
  });
  const body = await response.text();
  if (response.status === 409)
    throw new PublishFailure(target.app, `AnotherOperationInProgress: ${short(body)}`);
  if (!response.ok) throw new PublishFailure(target.app, refusal(response, body));
  const id = /[\w-]{8,}/.exec(body)?.[0];
  return response.status === 202 && id !== undefined ? finished(context, target, id) : { remark: undefined };
}

/** A firewall's 403 has its reason in the first line of the answer alone ("Ip Forbidden"). */
function refusal({ status, statusText }: Response, body: string): string {
  if (status === 401)
    return `status 401: the deployment endpoint does not take your token; the role Website Contributor on the app lets you push. ${short(body)}`;
  return `status ${status}${status === 403 ? ` (${statusText})` : ''}: ${short(body)}`;
}

/** Polls a deployment until it has ended, or is unknown. */
async function finished(context: Context, target: DeploymentEndpoint, id: string): Promise<Published> {
  let misses = 0;
  for (;;) {
    const state = await stateOf(target, id);
    misses = state === undefined ? misses + 1 : 0;
    if (misses > maxMisses) return { remark: 'the platform has lost the state of the push.' };
    if (state?.status === states.done) return { remark: undefined };
    if (state?.status === states.partly) return { remark: await reason(target, id, state) };
    if (state?.status === states.failed)
      throw new PublishFailure(target.app, await reason(target, id, state));
    if (state?.status === states.conflict)
      throw new PublishFailure(target.app, 'AnotherOperationInProgress: another push is at work.');
    await pause({ signal: target.signal }, Math.min(interval, context.options.wait));
  }
}

interface State {
  readonly status?: number;
  readonly status_text?: string | null;
}

/** The state of a deployment; undefined while the endpoint restarts, which it does in the midst of a push, or knows none. */
async function stateOf(target: DeploymentEndpoint, id: string): Promise<State | undefined> {
  try {
    const response = await call(target, `/api/deployments/${id}`, withLimit(target));
    const text = await response.text();
    if (response.status === 401 || response.status === 403)
      throw new PublishFailure(target.app, refusal(response, text));
    return response.ok || response.status === 202 ? (JSON.parse(text) as State) : undefined;
  } catch (error) {
    if (target.signal.aborted || (error instanceof PublishFailure && !error.unreachable)) throw error;
    return undefined;
  }
}

/** What the platform says of a push that went wrong: its state, and the lines of its log. */
async function reason(target: DeploymentEndpoint, id: string, { status_text: text }: State): Promise<string> {
  try {
    const response = await call(target, `/api/deployments/${id}/log`, withLimit(target));
    const entries = response.ok ? ((await response.json()) as { message?: string }[]) : [];
    const lines = entries.map(({ message = '' }) => message).filter((line) => line !== '');
    return short([text ?? '', ...lines.slice(-5)].filter(Boolean).join(' | '));
  } catch (error) {
    if (target.signal.aborted) throw error;
    return short(text ?? '');
  }
}

const withLimit = ({ signal }: DeploymentEndpoint): RequestInit => ({
  signal: AbortSignal.any([signal, AbortSignal.timeout(answerLimit * 1000)]),
});

async function call({ app, endpoint, token, signal }: DeploymentEndpoint, path: string, more: RequestInit) {
  try {
    return await fetch(`${endpoint}${path}`, {
      ...more,
      headers: { ...more.headers, authorization: `Bearer ${token}` },
    });
  } catch (error) {
    if (signal.aborted) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new PublishFailure(app, `${endpoint} does not answer (${message}).`, true);
  }
}

/** The words of a page of HTML, the platform's answer where no app gives one. */
const wordsOf = (text: string) =>
  text
    .replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const short = (text: string) => wordsOf(text).slice(0, 600) || 'it says nothing more.';
