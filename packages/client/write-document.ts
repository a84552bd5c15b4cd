/**
 * Writes the document that the types of the client are made from: that of the APIs without CSV. `openapi-fetch` types a reply by all media
 * types that it may have, so that every list would be a text too; a client that wants CSV asks for it with `fetch`.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '..', '..', 'test', 'api', 'openapi.json');
const folder = join(import.meta.dirname, 'dist');

/** Leaves CSV out of the content of a reply; other values of the document are unchanged. */
function withoutCsv(key: string, value: unknown): unknown {
  const isContent = key === 'content' && typeof value === 'object' && value !== null && 'text/csv' in value;
  if (!isContent) return value;
  const { 'text/csv': _csv, ...content } = value;
  return content;
}

const document: unknown = JSON.parse(readFileSync(source, 'utf8'), withoutCsv);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
