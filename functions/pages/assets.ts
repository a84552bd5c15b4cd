/** The files of the pages: what the build makes of `browser/` beside the bundle, compressed once. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as Type from 'typebox';
import { CodedError } from '../../shared/errors.ts';
import { type Endpoint, endpointsFor } from '../../shared/http/endpoint.ts';
import { type Reply, raw } from '../../shared/http/reply.ts';

const types = {
  'page.css': 'text/css; charset=utf-8',
  'calendar.css': 'text/css; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
  'calendar.js': 'text/javascript; charset=utf-8',
  'records.js': 'text/javascript; charset=utf-8',
  'explorer.js': 'text/javascript; charset=utf-8',
  'signed-in.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

/** Name of a file. */
export type PageAsset = keyof typeof types;

const folder = join(import.meta.dirname, 'pages');
const versions = new Map<PageAsset, string>();

/** Returns the URL of a file, which changes with its content, so that browsers may keep it. */
export function assetUrl(base: string, name: PageAsset): string {
  const version = versions.get(name) ?? hash('sha1', readFileSync(join(folder, name)), 'hex').slice(0, 10);
  versions.set(name, version);
  return `${base}/pages/${name}?v=${version}`;
}

const compressed = new Map<PageAsset, Promise<Uint8Array>>();

async function assetReply(name: PageAsset, encodings: string): Promise<Reply> {
  const headers = { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' };
  if (!/\bgzip\b/.test(encodings)) return raw(types[name], await readFile(join(folder, name)), headers);
  const bytes = compressed.get(name) ?? readFile(join(folder, name)).then((file) => promisify(gzip)(file));
  compressed.set(name, bytes);
  return raw(types[name], await bytes, { ...headers, 'Content-Encoding': 'gzip' });
}

/** Creates the endpoint of the files. */
export function assetEndpoint(): Endpoint<undefined> {
  return endpointsFor<undefined>()({
    method: 'GET',
    path: '/pages/{file}',
    operationId: 'get-page-file',
    summary: 'Serve a file of the pages',
    tag: 'Pages',
    access: 'public',
    hidden: true,
    parameters: Type.Object({ file: Type.String() }),
    replies: { 200: { description: 'The file.', mediaType: 'text/css', schema: Type.String() } },
    handle({ path: { file }, request }) {
      const name = (Object.keys(types) as PageAsset[]).find((one) => one === file);
      if (name === undefined) throw new CodedError('no-such-path', 'Cannot answer: there is no such file.');
      return assetReply(name, request.headers.get('accept-encoding') ?? '');
    },
  });
}
