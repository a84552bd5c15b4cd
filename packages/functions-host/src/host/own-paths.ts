/** The paths that the host keeps for itself, and its home page. */

import type { Reply } from '../http/reply.ts';

const noStore = [
  ['Cache-Control', 'no-store,no-cache'],
  ['Pragma', 'no-cache'],
] as const;

/** The parts of the host's API that ask for a key. */
const locked =
  /^\/(admin\/(host|functions|extensions|instance|vfs|zip|proxies|token|dump)|runtime\/webhooks)(\/|$)/i;
const reserved = /^\/runtime\/./i;

/** Answers a path of the host; undefined for the paths of functions. */
export function answerOwnPath(path: string, method: string, routePrefix: string): Reply | undefined {
  if (!/^\/(admin|runtime)(\/|$)/i.test(path)) return undefined;
  if (/^\/admin\/host\/ping\/?$/i.test(path))
    return { status: /^(GET|POST|HEAD)$/i.test(method) ? 200 : 405, headers: noStore };
  if (/^\/admin\/warmup\/?$/i.test(path)) return { status: 200, headers: [] };
  if (locked.test(path) || (routePrefix === '' && reserved.test(path)))
    return { status: 401, headers: [['WWW-Authenticate', 'Bearer']] };
  // Other paths below /admin reach a function where the prefix is empty (measured).
  return routePrefix === '' ? undefined : { status: 404, headers: [] };
}

/** Bytes of the host's own page. */
const pageSize = 149_794;

/** The page at `/` when no function takes it: a text of the size of the host's. */
export function homePage(shown: boolean): Reply {
  if (!shown) return { status: 204, headers: [] };
  const page = '<!DOCTYPE html><title>Functions host</title><p>Your function app is up and running.</p>\n';
  const headers = [
    ['Content-Length', String(pageSize)],
    ['Content-Type', 'text/html'],
  ] as const;
  return { status: 200, headers, body: [Buffer.from(page.padEnd(pageSize))] };
}
