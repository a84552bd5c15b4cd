/** Requests to a site beside those of its API: for pictures and feeds. */

const maxAttempts = 3;
const retryMs = 1_000;

/** Waits for a number of milliseconds. */
export type Wait = (milliseconds: number) => Promise<unknown>;

export interface RequestOptions {
  readonly wait: Wait;
  /** Milliseconds for the reply with its body. */
  readonly timeoutMs: number;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request, and again where the site is busy or cannot be reached. A redirection is a reply. Throws an Error where there is none. */
export async function request(
  url: string,
  { wait, timeoutMs, method = 'GET', headers = {} }: RequestOptions,
): Promise<Response> {
  for (let attempts = 1; ; attempts += 1) {
    const isLast = attempts === maxAttempts;
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      if (isLast) throw new Error(unreachable(error, timeoutMs), { cause: error });
      return undefined;
    });
    const isBusy = response === undefined || response.status === 429 || response.status >= 500;
    if (response !== undefined && (!isBusy || isLast)) return response;
    await response?.body?.cancel();
    await wait(retryMs * attempts);
  }
}

function unreachable(error: unknown, timeoutMs: number): string {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  return isTimeout
    ? `the site does not answer within ${timeoutMs / 1000} seconds`
    : 'the site cannot be reached';
}
