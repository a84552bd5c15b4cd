/** The explorer: Swagger UI with every OpenAPI document. */

import { signIn } from '../../../shared/auth/authorization-code.ts';
import type { Page } from '../common/page.tsx';
import type { PageContext, PagesOptions } from '../common/page-context.ts';

export function explorerPage({ base, config }: PageContext, documents: PagesOptions['documents']): Page {
  const { tokenUrl, scope } = signIn(config);
  const urls = documents.map(({ name, path }) => ({ name, url: base + path }));
  const data = {
    'data-documents': JSON.stringify(urls),
    'data-client': config.AppRegistration__ClientId,
    'data-scope': scope,
  };
  const children = (
    <div id="explorer" {...data}>
      <noscript>This page needs JavaScript.</noscript>
    </div>
  );
  return {
    title: 'API explorer',
    children,
    script: 'explorer.js',
    libraries: ['swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'],
    style: 'explorer.css',
    connects: new URL(tokenUrl).origin,
    frame: 'links',
  };
}
