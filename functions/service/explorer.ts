/** The explorer: swagger-ui over the service's own OpenAPI document, with sign-in at the configured identity provider. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import type { Config } from '../../shared/config.ts';
import { type Endpoint, endpointsFor } from '../../shared/http/endpoint.ts';
import { raw } from '../../shared/http/reply.ts';

const endpoint = endpointsFor<undefined>();

/** The files of swagger-ui-dist that the build copies beside the bundle, with their media types. */
const assets = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'oauth2-redirect.html': 'text/html; charset=utf-8',
  'oauth2-redirect.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

type Asset = keyof typeof assets;

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Records and Calendar: API explorer</title>
  <link rel="stylesheet" href="swagger/swagger-ui.css">
  <link rel="icon" type="image/png" href="swagger/favicon-32x32.png">
</head>
<body>
  <div id="explorer"></div>
  <script src="swagger/swagger-ui-bundle.js"></script>
  <script src="swagger/start.js"></script>
</body>
</html>
`;

function startScript(config: Config): string {
  const scope = `${config.AppRegistration__ClientId}/.default`;
  return `const base = new URL('.', location.href).pathname;
window.ui = SwaggerUIBundle({
  url: base + 'openapi.json',
  dom_id: '#explorer',
  deepLinking: true,
  persistAuthorization: true,
  oauth2RedirectUrl: location.origin + base + 'swagger/oauth2-redirect.html',
});
window.ui.initOAuth(${JSON.stringify({ clientId: config.AppRegistration__ClientId, scopes: scope, usePkceWithAuthorizationCodeGrant: true })});
`;
}

function pageHeaders(config: Config): Record<string, string> {
  const provider = new URL(config.AppRegistration__Authority).origin;
  return {
    'Content-Security-Policy': `default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ${provider}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    'Cache-Control': 'no-cache',
  };
}

/** The page that receives the sign-in is guarded as the explorer is. */
function assetHeaders(name: Asset, config: Config): Record<string, string> {
  return name.endsWith('.html') ? pageHeaders(config) : { 'Cache-Control': 'public, max-age=3600' };
}

async function asset(name: Asset): Promise<Uint8Array> {
  return readFile(join(import.meta.dirname, 'swagger-ui', name));
}

/** Creates the endpoints of the explorer: its page and the files that the page asks for. */
export function explorer(config: Config): Endpoint<undefined>[] {
  const common = { method: 'GET', tag: 'Service', access: 'public', hidden: true } as const;
  return [
    endpoint({
      ...common,
      path: '/swagger',
      operationId: 'get-explorer',
      summary: 'Explore and try out the API in a browser',
      replies: { 200: { description: 'The page.', mediaType: 'text/html', schema: Type.String() } },
      handle: () => raw('text/html; charset=utf-8', page, pageHeaders(config)),
    }),
    endpoint({
      ...common,
      path: '/swagger/start.js',
      operationId: 'get-explorer-script',
      summary: 'Start the explorer',
      replies: { 200: { description: 'The script.', mediaType: 'text/javascript', schema: Type.String() } },
      handle: () =>
        raw('text/javascript; charset=utf-8', startScript(config), { 'Cache-Control': 'no-cache' }),
    }),
    ...(Object.keys(assets) as Asset[]).map((name) =>
      endpoint({
        ...common,
        path: `/swagger/${name}`,
        operationId: `get-explorer-${name.replace(/[^a-z0-9]+/g, '-')}`,
        summary: `Serve ${name} to the explorer`,
        replies: {
          200: {
            description: 'The file.',
            mediaType: assets[name].split(';', 1)[0] ?? '',
            schema: Type.String(),
          },
        },
        handle: async () => raw(assets[name], await asset(name), assetHeaders(name, config)),
      }),
    ),
  ];
}
