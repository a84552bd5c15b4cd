/** What the app's health says once it runs. */

import { startRequestId } from '../../local/index.ts';

interface Health {
  readonly dependencies?: Readonly<
    Record<string, { readonly state: string; readonly code?: string; readonly detail?: string }>
  >;
}

/** Returns what keeps the app from being ready, a line each; none when it is. */
export async function readinessProblems(base: string): Promise<readonly string[]> {
  const reply = await fetch(`${base}/health`, { headers: { 'X-Request-Id': startRequestId } }).catch(
    (error: unknown) => String(error),
  );
  if (typeof reply === 'string') return [`${base}/health gave no reply: ${reply}`];
  if (reply.ok) return [];
  const { dependencies } = (await reply.json().catch(() => ({}))) as Health;
  const failing = Object.entries(dependencies ?? {}).filter(([, { state }]) => state !== 'ready');
  if (failing.length === 0) return [`${base}/health answers ${reply.status}`];
  return failing.map(([name, { code, detail }]) => `${name}: ${detail ?? 'fails'} (${code ?? 'no code'})`);
}
