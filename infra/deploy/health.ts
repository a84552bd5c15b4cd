/** What the health address of an app says, in words for an operator. */

export interface Health {
  /** HTTP status; 0: no answer. */
  readonly status: number;
  /** True: the app was loaded, whether or not what it depends on is there. */
  readonly loaded: boolean;
  readonly said: string;
}

/** Says what a 404 on the health address means. The host has none of the app's paths when no function could be loaded, and its 404 has no body; a loaded app says itself where it is. */
export function saidOfMissing(body: string): string {
  const { code, detail = '', hint = '' } = problemIn(body);
  if (code !== undefined) return `404 on the health address: ${[detail, hint].join(' ').trim()} (${code})`;
  return '404 on the health address: the app could not be loaded (0 functions loaded). Look at the traces of the start: traces | where severityLevel >= 3.';
}

function problemIn(body: string): {
  readonly code?: string;
  readonly detail?: string;
  readonly hint?: string;
} {
  try {
    return { ...JSON.parse(body) };
  } catch {
    return {};
  }
}

/** Asks the health address once; an empty address is not known. */
export async function askHealth(url: string, signal: AbortSignal): Promise<Health> {
  if (url === '') return { status: 0, loaded: false, said: 'the address of the app is not known.' };
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) });
    const body = await response.text();
    const { status } = response;
    if (status === 404) return { status, loaded: false, said: saidOfMissing(body) };
    const loaded = status === 200 || (status === 503 && body.trimStart().startsWith('{'));
    return { status, loaded, said: `${url} answers ${status}${loaded ? '' : `: ${body.slice(0, 200)}`}.` };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return {
      status: 0,
      loaded: false,
      said: `${url} does not answer (${cause instanceof Error ? cause.message : cause}).`,
    };
  }
}
