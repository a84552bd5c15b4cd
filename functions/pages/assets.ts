/** The files of the pages: what the build makes of `browser/`, compressed once. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CodedError } from '../../shared/errors.ts';
import { type Reply, raw } from '../../shared/http/reply.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const scripts = ['start.js', 'calendar.js', 'records.js', 'explorer.js', 'signed-in.js'] as const;
const names = ['page.css', 'calendar.css', 'icon.svg', ...scripts] as const;

/** Name of a file. */
export type PageAsset = (typeof names)[number];

/** This module is in a folder of the bundle for what is loaded later, beside that of the files. */
const pathOf = (name: PageAsset) => join(import.meta.dirname, '..', 'pages', name);
const versions = new Map<PageAsset, string>();
const compressed = new Map<PageAsset, Promise<Uint8Array>>();

/** Returns the URL of a file, which changes with its content, so that browsers may keep it. */
export function assetUrl(base: string, name: PageAsset): string {
  const version = versions.get(name) ?? hash('sha1', readFileSync(pathOf(name)), 'hex').slice(0, 10);
  versions.set(name, version);
  return `${base}/pages/${name}?v=${version}`;
}

/** Replies a file, compressed where the caller reads that. */
export async function assetReply(file: string, encodings: string): Promise<Reply> {
  const name = names.find((one) => one === file);
  if (name === undefined) throw new CodedError('no-such-path', 'Cannot answer: there is no such file.');
  const type = types[extname(name)] ?? '';
  const headers = { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' };
  if (!/\bgzip\b/.test(encodings)) return raw(type, await readFile(pathOf(name)), headers);
  const bytes = compressed.get(name) ?? readFile(pathOf(name)).then((text) => promisify(gzip)(text));
  compressed.set(name, bytes);
  return raw(type, await bytes, { ...headers, 'Content-Encoding': 'gzip' });
}
