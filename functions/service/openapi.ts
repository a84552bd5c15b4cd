/** The OpenAPI documents: one of everything, and one of each API, of records in each version. */

import * as Type from 'typebox';
import description from '../../package.json' with { type: 'json' };
import { signIn } from '../../shared/auth/authorization-code.ts';
import { createCache, loadThrough } from '../../shared/cache.ts';
import type { Config } from '../../shared/config.ts';
import type { ApiDescription } from '../../shared/http/description.ts';
import { type Endpoint, endpointsFor } from '../../shared/http/endpoint.ts';
import { openApiDocument } from '../../shared/http/openapi.ts';
import { json, RawJson } from '../../shared/http/reply.ts';
import type { ServiceCaller } from './caller.ts';

interface DocumentPlace {
  /** Name in the list of the explorer. */
  readonly name: string;
  /** Below the base path. */
  readonly path: string;
  readonly operationId: string;
  readonly title: string;
  readonly apis: readonly ApiDescription[];
  /** Whether the service's own endpoints are in it. */
  readonly ofService?: true;
}

/** Cached texts of documents. Writing one takes 12 ms, and any caller may ask for one. */
const maxTexts = 6;

/** Creates the endpoints of the documents, which describe `apis` and the API that they belong to. */
export function openapi(
  config: Config,
  apis: readonly ApiDescription[],
  hasPages: boolean,
): Endpoint<ServiceCaller>[] {
  const texts = createCache<string, Promise<Uint8Array>>({ maxEntries: maxTexts });
  return documentsOf(apis).map(({ path, operationId, title, apis, ofService }) =>
    endpointsFor<ServiceCaller>()({
      method: 'GET',
      path,
      operationId,
      bound: { product: 'operations of this service, described once', beyond: '' },
      summary: `Describe ${title} (OpenAPI 3.1)`,
      tag: 'Service',
      access: 'public',
      replies: {
        200: { description: 'The document.', schema: Type.Object({}, { additionalProperties: true }) },
      },
      async handle({ link, route }) {
        const info = documentInfo(config, title, link(hasPages ? '/swagger' : '/openapi.json'), link(''));
        const key = JSON.stringify([path, info]);
        const text = await loadThrough(texts, key, () =>
          composed([...apis, ...(ofService ? [route.api] : [])], info),
        );
        return json(new RawJson(text), { headers: { 'Cache-Control': 'no-cache' } });
      },
    }),
  );
}

/** Returns the text of a document. */
async function composed(apis: readonly ApiDescription[], info: DocumentInfo): Promise<Uint8Array> {
  // Those of the service have the problems that its own endpoints and those of records answer.
  const { default: examplesOfService } = await import('./reply-examples.json', { with: { type: 'json' } });
  const others = await Promise.all(apis.map(({ examples }) => examples?.()));
  const examples = Object.assign({}, examplesOfService, ...others);
  return new TextEncoder().encode(JSON.stringify(openApiDocument(apis, { ...info, examples })));
}

/** Returns the documents. Versions of an API serve the same, so the common one has the newest alone. */
export function documentsOf(apis: readonly ApiDescription[]): DocumentPlace[] {
  const each = apis.flatMap((api) =>
    versionsOf(api).map((version, index, all) => {
      const name = nameOf(version, index === all.length - 1);
      return {
        name,
        path: `/swagger/${name}.json`,
        operationId: `get-openapi-${name.replaceAll('.', '-')}`,
        title: `the ${version.name} API${all.length > 1 ? `, ${version.mounts[0]?.path}` : ''}`,
        apis: [version],
      };
    }),
  );
  const newest = apis.flatMap((api) => versionsOf(api).slice(-1));
  const all: DocumentPlace = {
    name: 'all',
    path: '/openapi.json',
    operationId: 'get-openapi',
    title: 'every API of this service',
    apis: newest,
    ofService: true,
  };
  return [all, ...each];
}

function versionsOf(api: ApiDescription): ApiDescription[] {
  const isVersioned = api.mounts.length > 1 && api.mounts.every(({ path }) => /^v\d/.test(path));
  return isVersioned ? api.mounts.map((mount) => ({ ...api, mounts: [mount] })) : [api];
}

function nameOf({ name, mounts }: ApiDescription, isNewest: boolean): string {
  return isNewest ? name : `${name}-${mounts[0]?.path}`;
}

type DocumentInfo = ReturnType<typeof documentInfo>;

function documentInfo(config: Config, title: string, contact: string, server: string) {
  return {
    title: `Records and Calendar: ${title}`,
    version,
    license,
    contact,
    server,
    ...signIn(config),
  };
}

export const { version, license } = description;
