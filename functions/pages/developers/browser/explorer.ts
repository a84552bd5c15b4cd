/** The explorer: Swagger UI, which the scripts before this one define. */

interface Request {
  url: string;
}

/** The options that are used here: swagger.io/docs/open-source-tools/swagger-ui/usage/configuration. */
interface SwaggerUi {
  (options: {
    readonly dom_id: string;
    readonly urls: readonly { readonly name: string; readonly url: string }[];
    readonly presets: readonly unknown[];
    readonly plugins: readonly (() => { readonly components: Readonly<Record<string, () => null>> })[];
    readonly layout: string;
    readonly deepLinking: boolean;
    readonly filter: boolean;
    readonly requestSnippetsEnabled: boolean;
    readonly syntaxHighlight: { readonly theme: string };
    readonly validatorUrl: null;
    readonly oauth2RedirectUrl: string;
    readonly requestInterceptor: (request: Request) => Request;
  }): {
    initOAuth(options: {
      readonly clientId: string;
      readonly scopes: readonly string[];
      readonly usePkceWithAuthorizationCodeGrant: boolean;
    }): void;
  };
  readonly presets: { readonly apis: unknown };
}
declare const SwaggerUIBundle: SwaggerUi;
declare const SwaggerUIStandalonePreset: unknown;

const { base = '' } = document.body.dataset;
const { documents = '[]', client = '', scope = '' } = document.getElementById('explorer')?.dataset ?? {};

SwaggerUIBundle({
  dom_id: '#explorer',
  urls: JSON.parse(documents),
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  // The logo brings a style sheet inside of it, which the policy of the page refuses.
  plugins: [() => ({ components: { Logo: () => null } })],
  layout: 'StandaloneLayout',
  deepLinking: true,
  filter: true,
  requestSnippetsEnabled: true,
  // The first theme has numbers in a red that is hard to read.
  syntaxHighlight: { theme: 'obsidian' },
  // It would be a service on the internet.
  validatorUrl: null,
  oauth2RedirectUrl: `${location.origin}${base}/swagger/oauth2-redirect.html`,
  requestInterceptor: withSlashes,
}).initOAuth({ clientId: client, scopes: [scope], usePkceWithAuthorizationCodeGrant: true });

/** Encodes slashes in the parameters of a path twice, since hosts decode a path once before they look for its route. */
function withSlashes(request: Request): Request {
  const url = new URL(request.url, location.href);
  url.pathname = url.pathname.replaceAll('%2F', '%252F');
  return Object.assign(request, { url: url.href });
}
