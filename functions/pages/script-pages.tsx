/** The pages that a script makes: objects, the explorer, and the way back from sign-in. They hold what the script has to know. */

import type { Reply } from '../../shared/http/reply.ts';
import type { PageAsset } from './assets.ts';
import { contextOf, type PageCall, type PagesOptions } from './context.ts';
import { pageReply } from './page.tsx';

/** Replies the page that a script makes. */
export function scriptPageReply(
  call: PageCall,
  options: PagesOptions,
  title: string,
  script: PageAsset,
): Reply {
  const context = contextOf(call, options, 'en');
  const { AppRegistration__Authority: authority, AppRegistration__ClientId: client } = options.config;
  const { base, records, calendar } = context;
  const children = (
    <>
      <h1>{title}</h1>
      <div
        id="app"
        data-authority={authority}
        data-client={client}
        data-base={base}
        data-records={records}
        data-calendar={calendar}
      >
        <noscript>This page needs JavaScript.</noscript>
      </div>
    </>
  );
  return pageReply(
    { title, script, isEnglish: true, connects: new URL(authority).origin, children },
    context,
  );
}
