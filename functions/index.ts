/** The wiring: read the settings, open the stores, register every endpoint. */

import { TokenVerifier } from '../shared/auth/token-verifier.ts';
import { type Config, readConfig, settingErrors } from '../shared/config.ts';
import { createCors } from '../shared/http/cors.ts';
import type { ServiceOptions } from '../shared/http/handle.ts';
import type { Dependency } from '../shared/http/health.ts';
import { requestLimit } from '../shared/http/host-json.ts';
import { createNoSuchPath } from '../shared/http/no-such-path.ts';
import { afterStart, onTerminate, registerApis, setUpStreaming } from '../shared/http/register.ts';
import { firstWords, serve } from '../shared/http/serve.ts';
import { readServiceSettings, trustedProxies } from '../shared/http/service-settings.ts';
import { AdmissionControl } from '../shared/limits/admission.ts';
import { byteLimit } from '../shared/limits/budget.ts';
import { openDatabases } from '../shared/sql/databases.ts';
import { logFailure } from '../shared/telemetry/log.ts';
import { setUpTelemetry } from '../shared/telemetry/set-up.ts';
import { calendarApi, calendarOf } from './calendar/endpoints/calendar-api.ts';
import { calendarDependency } from './calendar/endpoints/health.ts';
import { picturesApi } from './calendar/endpoints/pictures.ts';
import { createPages } from './pages/create-pages.ts';
import { recordsDependency } from './records/endpoints/health.ts';
import { createRecordsService, recordsApi } from './records/endpoints/records-api.ts';
import { notServedApi, siteApi } from './service/catch-all-apis.ts';
import { identityProvider } from './service/health.ts';
import { documentsOf } from './service/openapi.ts';
import { serviceApi } from './service/service-api.ts';
import { wordpressApis } from './wordpress/wordpress-apis.ts';

const config: Config = readConfig(process.env);
const settings = readServiceSettings(config, process.env);
const telemetry = setUpTelemetry(config, process.env);
const wrongSettings = settingErrors(process.env, settings.apis);
const { basePath, settingsRefusal, prefixRefusal } = settings;
for (const error of prefixRefusal === undefined ? wrongSettings : [...wrongSettings, prefixRefusal])
  logFailure(undefined, error);
const isStreaming = setUpStreaming(config);

const verifier = new TokenVerifier(config, {
  onKeySourceFailure: (error) => logFailure(undefined, error),
});
const databases = openDatabases(config);
const maxRequests = requestLimit(process.env);
// A waiting caller holds a request in flight, so a tenth of these may wait for each API.
const maxWaiting = Math.floor(maxRequests / 10);
const records = createRecordsService(config, databases, maxWaiting);

const { calendar, closeCalendar } = calendarOf(config, maxWaiting);

const cors = createCors(settings.corsOrigins);
const recordsEndpoints = recordsApi(records, verifier, cors);
const calendarEndpoints = calendarApi(config, verifier, calendar);

const servesRecords = settings.apis.includes('records');
const servesCalendar = settings.apis.includes('calendar');
const dependencies: Dependency[] = [
  identityProvider(verifier),
  ...(servesRecords ? [recordsDependency(records)] : []),
  ...(servesCalendar ? [calendarDependency(calendar)] : []),
];
const describedApis = [
  ...(servesRecords ? [recordsEndpoints] : []),
  ...(servesCalendar ? [calendarEndpoints] : []),
];
const serviceEndpoints = serviceApi(config, verifier, {
  dependencies,
  settingErrors: wrongSettings,
  isRefusing: settingsRefusal !== undefined,
  apis: describedApis,
  cors,
  hasPages: settings.hasPages,
});

const pages = settings.hasPages
  ? createPages(
      {
        config,
        basePath,
        servedApis: { calendar: servesCalendar, records: servesRecords },
        documents: documentsOf(describedApis),
      },
      calendar,
    )
  : { apis: [], shared: {} };
const options: ServiceOptions = {
  basePath,
  config,
  refusal: settingsRefusal ?? prefixRefusal,
  noSuchPath: createNoSuchPath(
    [serviceEndpoints, ...pages.apis, recordsEndpoints, calendarEndpoints],
    basePath,
  ),
  admission: new AdmissionControl({
    maxRequests,
    maxBytes: byteLimit(settings.bodyBytesInFlight),
  }),
  movedTo: (context) => (servesCalendar ? wordpress?.movedTo(context) : undefined),
  trustedProxies: trustedProxies(settings, process.env),
  serverTiming: telemetry.serverTiming,
};
const calendarApis = [calendarEndpoints, picturesApi(calendarEndpoints)];
// Further addresses that clients of The Events Calendar know: views of the calendar, which nothing needs. Undefined turns them off.
const wordpress = wordpressApis(config, calendarEndpoints, calendar, pages.shared, () => servedWords);
const servedApis = [
  serve(serviceEndpoints, { ...options, refusal: prefixRefusal }),
  ...(servesRecords
    ? [serve(recordsEndpoints, options)]
    : [serve(notServedApi('records', [recordsEndpoints]), options)]),
  ...(servesCalendar
    ? [...calendarApis, ...(wordpress?.apis ?? [])].map((api) => serve(api, options))
    : [serve(notServedApi('calendar', [...calendarApis, ...(wordpress?.apis ?? [])]), options)]),
  ...pages.apis.map((api) => serve(api, options)),
  serve(siteApi(), options),
];
const servedWords = firstWords(servedApis);
registerApis(servedApis, {
  queryRoute: wordpress?.queryRoute,
  trustForwarded: settings.trustsForwarded,
  isStreaming,
});

// The slow parts start now, so that the first request need not wait for them.
afterStart(() => verifier.ready());
if (servesCalendar) afterStart(async () => void (await calendar().freshness()));
onTerminate(async () => {
  verifier.close();
  closeCalendar();
  await databases.close();
  await telemetry.close();
});
