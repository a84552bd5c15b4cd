/** The files of the pages: what the build makes of `browser/`, and copies of packages, compressed once. */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { CodedError } from '../../../shared/errors.ts';
import { compressedReply } from '../../../shared/http/compression.ts';
import { contentReply, type Reply } from '../../../shared/http/reply.ts';
import type { RequestHeaders } from '../../../shared/http/request.ts';
import { colorSheet } from './views/colors.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** This module is in a folder of the bundle for what is loaded later, beside that of the files. */
const folder = join(import.meta.dirname, '..', 'pages');
const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
const versions = new Map([...files].map(([name, bytes]) => [name, hash('sha1', bytes, 'hex').slice(0, 10)]));

/** Returns the URL of a file, which changes with its content, so that browsers may keep it. */
export function assetUrl(base: string, name: string): string {
  return `${base}/pages/${name}?v=${versions.get(name)}`;
}

/** Returns the URL of the style sheet of colours; the sheet depends on nothing else. */
export function colorsUrl(base: string, site: string, categories: readonly string[] = []): string {
  return `${base}/pages/colors.css?${new URLSearchParams({ site, categories: categories.join('-') })}`;
}

const isColor = (text: string) => /^[0-9a-f]{6}$/.test(text);

/** Returns the style sheet of the colours in a URL; what is no colour is left out. */
function colorsOf({ searchParams }: URL): Buffer | undefined {
  const site = searchParams.get('site') ?? '';
  const categories = (searchParams.get('categories') ?? '').split('-').filter(isColor);
  return isColor(site) ? Buffer.from(colorSheet(site, categories)) : undefined;
}

/** Answers with a file, compressed where the caller reads that; `edit` writes into it what only this service knows. */
export async function assetReply(
  name: string,
  url: URL,
  headers: RequestHeaders,
  edit?: (text: string) => string,
): Promise<Reply> {
  const file = name === 'colors.css' ? colorsOf(url) : files.get(name);
  const bytes = edit === undefined ? file : file && Buffer.from(edit(file.toString()));
  if (bytes === undefined) throw new CodedError('no-such-path', 'Cannot answer: there is no such file.');
  const type = types[extname(name)] ?? '';
  const immutable = { 'Cache-Control': 'public, max-age=31536000, immutable' };
  return compressedReply(contentReply(type, bytes, immutable), headers);
}
