/** The pages that a script makes: objects, the explorer, and the way back from sign-in. They hold what the script has to know. */

import * as Type from 'typebox';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { endpointsFor } from '../../shared/http/endpoint.ts';
import type { Reply } from '../../shared/http/reply.ts';
import type { PageAsset } from './assets.ts';
import { pageReply } from './page.tsx';
import { type PagesOptions, placesOf } from './places.ts';

interface BrowserPage {
  readonly path: string;
  readonly operationId: string;
  readonly title: string;
  readonly script: PageAsset;
}

const recordsPage: BrowserPage = {
  path: '/records',
  operationId: 'get-records-page',
  title: 'Objects and their custom data',
  script: 'records.js',
};

const explorerPage: BrowserPage = {
  path: '/swagger',
  operationId: 'get-explorer',
  title: 'API explorer',
  script: 'explorer.js',
};

const signedInPage: BrowserPage = {
  path: '/swagger/oauth2-redirect.html',
  operationId: 'get-signed-in-page',
  title: 'Signing in',
  script: 'signed-in.js',
};

/** Creates the page of objects, which stands at the root of the site. */
export function recordsPageEndpoint(options: PagesOptions): Endpoint<undefined> {
  return browserPage(recordsPage, options);
}

/** Creates the explorer, and the page that people come back to from the identity provider, which stand below the base path. */
export function explorerEndpoints(options: PagesOptions): Endpoint<undefined>[] {
  return [explorerPage, signedInPage].map((page) => browserPage(page, options));
}

function browserPage({ path, operationId, title, script }: BrowserPage, options: PagesOptions) {
  const { config } = options;
  return endpointsFor<undefined>()({
    method: 'GET',
    path,
    operationId,
    summary: `Show the page "${title}"`,
    tag: 'Pages',
    access: 'public',
    hidden: true,
    replies: { 200: { description: 'The page.', mediaType: 'text/html', schema: Type.String() } },
    handle(call): Reply {
      const places = placesOf(call, options);
      const authority = config.AppRegistration__Authority;
      return pageReply({
        title,
        places,
        language: 'en',
        script,
        connects: new URL(authority).origin,
        children: (
          <>
            <h1>{title}</h1>
            <div
              id="app"
              data-authority={authority}
              data-client={config.AppRegistration__ClientId}
              data-base={places.base}
              data-records={places.records}
              data-calendar={places.calendar}
            >
              <noscript>This page needs JavaScript.</noscript>
            </div>
          </>
        ),
      });
    },
  });
}
