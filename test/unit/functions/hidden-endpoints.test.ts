/**
 * The APIs that no published document shows, compared with the file beside this test. After an intended change, `npm test --
 * hidden-endpoints -u` writes it again.
 */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calendarApi } from '../../../functions/calendar/api.ts';
import { siteIndexApi } from '../../../functions/calendar/site.ts';
import { siteFeedApis } from '../../../functions/calendar/site-feeds.ts';
import { platformApi } from '../../../functions/calendar/wp-v2/api.ts';
import { createPages } from '../../../functions/pages/api.ts';
import { notServedApi, siteApi } from '../../../functions/service/apis.ts';
import { TokenVerifier } from '../../../shared/auth/token-verifier.ts';
import { readConfig } from '../../../shared/config.ts';
import { compactJson } from '../../support/compact-json.ts';

const notAsked = () => {
  throw new TypeError('Nobody asks for it here.');
};

function hiddenApis() {
  const config = readConfig({});
  const calendar = calendarApi(config, new TokenVerifier(config), notAsked);
  const pages = createPages({ config, basePath: 'api', has: { calendar: true, records: true } }, notAsked);
  const platform = platformApi(config, calendar, notAsked);
  return [
    platform,
    siteIndexApi(config, [calendar, platform]),
    ...siteFeedApis(config, calendar, notAsked, pages.shared),
    ...pages.apis,
    notServedApi('records', [calendar]),
    siteApi(),
  ];
}

test('the hidden endpoints are those that are stored', async () => {
  const written = hiddenApis().map(({ name, description, mounts, anonymous, endpoints }) => ({
    ...{ name, description, mounts, anonymous },
    endpoints,
  }));
  const text = `${compactJson(JSON.parse(JSON.stringify(written)))}\n`;
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'hidden-endpoints.json'));
});
