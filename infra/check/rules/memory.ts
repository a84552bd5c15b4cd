import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { bodyAt, mustBe, nameOf, ofType, overPlans, role, type View } from './views.ts';

/** Megabytes that the host and the app take without bodies, by the memory of the instance: a small one has room for a small calendar only. */
export const taken: Readonly<Record<number, { readonly host: number; readonly app: number }>> = {
  512: { host: 150, app: 200 },
  2048: { host: 150, app: 700 },
  4096: { host: 150, app: 700 },
};
/** Megabytes of host and app for each request in flight, without its body. */
export const perRequest = 0.25;
/** Bytes of the host's memory for each byte of a body in flight, as measured. */
export const perByte = 2.6;

/** Requests that each instance takes at once, at least. */
const minRequests = 100;

const outstanding = 'AzureFunctionsJobHost__extensions__http__maxOutstandingRequests';

/** The requests in flight fit an instance beside host and app, at least a hundred of them, and the platform starts another instance before one refuses. */
export function memory(project: Project): Finding[] {
  return overPlans(project, (view) =>
    ofType(view, 'Microsoft.Web/sites').flatMap((site) => check(view, site, role(nameOf(site.id)))),
  );
}

function check(view: View, site: ReturnType<typeof ofType>[number], name: string): string[] {
  const list = bodyAt(site, 'properties.siteConfig.appSettings');
  const setting = (wanted: string) =>
    (Array.isArray(list) ? list : [])
      .map((item) => item as Record<string, Data>)
      .find((item) => item['name'] === wanted)?.['value'] ?? null;
  const requests = Number(setting(outstanding));
  const size = Number(view.value('instance_memory_mb'));
  const { host, app } = taken[size] ?? { host: Number.NaN, app: Number.NaN };
  const max = Math.floor((size - host - app) / perRequest);
  const perInstance = bodyAt(
    site,
    'properties.functionAppConfig.scaleAndConcurrency.triggers.http.perInstanceConcurrency',
  );
  return [
    ...(setting(outstanding) !== null && requests >= minRequests && requests <= max
      ? []
      : [
          `${name} takes ${textOf(setting(outstanding))} requests at once; ${size} MB hold ${minRequests} to ${max}`,
        ]),
    ...mustBe(`the requests of ${name} from which on there is another instance`, perInstance, requests * 0.8),
  ];
}
