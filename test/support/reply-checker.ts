/** Checks replies against the published OpenAPI document. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

export interface CheckedReply {
  readonly method: string;
  /** Path below the base path, percent-encoded, without the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** Reads the documents of everything that an app serves at this address, in every version, as one. */
export async function publishedDocument(base: string): Promise<Json | undefined> {
  const response = await fetch(`${base}/openapi.json`);
  if (!response.ok) return undefined;
  const document = (await response.json()) as Json;
  const older = (await (await fetch(`${base}/swagger/records-v7.json`)).json()) as Json;
  return { ...document, paths: { ...(document['paths'] as Json), ...(older['paths'] as Json) } };
}

type ReplyChecker = (reply: CheckedReply) => void;

const checkers = new WeakMap<Json, ReplyChecker>();

/** Returns the checker of a document, which throws when a reply is not as the document says. */
export function replyChecker(document: Json): ReplyChecker {
  const checker = checkers.get(document) ?? createChecker(document);
  checkers.set(document, checker);
  return checker;
}

function createChecker(document: Json): ReplyChecker {
  // A file asks for few replies of each kind, so that reading schemas costs more than what its result saves.
  // Whether they are schemas at all is the business of test/engines/openapi-lint.test.ts.
  const quick = { code: { optimize: false }, inlineRefs: false, validateSchema: false } as const;
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...quick });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components: document['components'] });
  const paths = Object.entries(document['paths'] as Record<string, Record<string, Operation>>).map(
    ([template, methods]) => ({
      methods,
      literals: template.split('/').filter((part) => !part.includes('{')).length,
      matches: new RegExp(
        `^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^/}]+\}/g, '[^/]+')}/?$`,
        'i',
      ),
    }),
  );
  const compiled = new Map<string, ValidateFunction>();

  return ({ method, path, status, contentType, text }) => {
    const candidates = paths
      .filter(({ matches }) => matches.test(path))
      .sort((a, b) => b.literals - a.literals);
    const operation = candidates[0]?.methods[method.toLowerCase()];
    if (operation === undefined) return;
    const where = `${method} ${path} -> ${status}`;
    const response =
      operation.responses[status] ?? (status >= 400 ? operation.responses['default'] : undefined);
    if (response === undefined) throw new Error(`${where}: the document has no such reply.`);
    if (response.content === undefined) {
      if (text !== '')
        throw new Error(
          `${where}: the document says that there is no body, but there is: ${text.slice(0, 200)}`,
        );
      return;
    }
    const type = contentType?.split(';', 1)[0] ?? '';
    const media = response.content[type];
    if (media === undefined) throw new Error(`${where}: the document has no content of type "${type}".`);
    if (!type.endsWith('json')) return;
    const schema = withDocument(media.schema);
    const validate = compiled.get(schema) ?? ajv.compile(JSON.parse(schema) as Json);
    compiled.set(schema, validate);
    if (!validate(JSON.parse(text)))
      throw new Error(`${where}: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`);
  };
}

/** Returns the text of a schema, with references that lead to the document that ajv holds. */
function withDocument(schema: Json): string {
  return JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
}
