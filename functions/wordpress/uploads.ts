/** The old addresses of pictures below `/wp-content/uploads`, on which mails, search engines and other sites hang: they lead to the copies. */

import * as Type from 'typebox';
import { CodedError } from '../../shared/errors.ts';
import type { Api } from '../../shared/http/api.ts';
import { empty } from '../../shared/http/reply.ts';
import type { Caller } from '../calendar/model/rights.ts';
import { type CalendarAddress, calendarRoot } from '../calendar/wire/address.ts';
import { bounds } from '../calendar/wire/bounds.ts';
import { endpoint, requestOf } from '../calendar/wire/input.ts';
import { querySchema } from '../calendar/wire/parameters.ts';
import { freshnessHeaders } from '../calendar/wire/replies.ts';
import { type SharedPages, withErrorPages } from './site-feeds.ts';

/** A picture may be withdrawn, and then its old address leads nowhere. */
const caching = { 'Cache-Control': 'public, max-age=300' };

/** Creates the API of the old addresses of pictures. */
export function uploadsApi(address: CalendarAddress, api: Api<Caller>, pages: SharedPages): Api<Caller> {
  return {
    ...withErrorPages(api, pages),
    name: 'uploads',
    description: 'Where copied pictures once were.',
    mounts: [{ path: 'wp-content/uploads', below: 'site' }],
    recordsRoot: (siteLink) => calendarRoot(address, siteLink),
    endpoints: [
      endpoint({
        method: 'GET',
        path: '/{*path}',
        operationId: 'get-upload',
        bound: bounds.picture,
        summary: 'Find the copy of a picture by its old address',
        tag: 'Calendar: pictures',
        access: 'public',
        query: querySchema(),
        parameters: Type.Object({ path: Type.String() }),
        problems: { 404: 'No copy of it that everybody may see.' },
        replies: { 301: { description: 'The address of the copy.' } },
        async handle(call) {
          const request = { ...requestOf(call), parameters: {} };
          const { pathname } = call.request.url;
          const { value, freshness } = await call.calendar().pictures.copyOf(pathname, request);
          if (value === undefined)
            throw new CodedError(
              'no-such-path',
              'Cannot answer: no copy of a picture is known by this address.',
            );
          return empty(301, { Location: value, ...freshnessHeaders(freshness), ...caching });
        },
      }),
    ],
  };
}
