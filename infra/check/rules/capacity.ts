/** The requests of an instance: what its memory holds, and what its connections serve; and the size of a runner. */

import concurrency from '../../concurrency.json' with { type: 'json' };
import type { Finding, Project } from '../model.ts';
import { textOf } from '../plan/data.ts';
import type { PlannedResource } from '../plan/plan.ts';
import { bodyAt, listAt, nameOf, ofType, overPlans, role, type View } from './views.ts';

/** Megabytes that the host and the app take without bodies, by the memory of the instance: a small one has room for a small calendar only. */
const taken: Readonly<Record<number, { readonly host: number; readonly app: number }>> =
  concurrency.memoryTakenMB;
/** Megabytes of host and app for each request in flight, without its body. */
const perRequest = 0.25;
const minRequests = 100;

/** Milliseconds of a statement, statements of a request on one database at most, and milliseconds that a caller may wait for a connection. */
const statementMs = 5;
const statements = 3;
const mostWaitMs = 250;
/** The part of the connections that one caller has (`shared/sql/database.ts`). */
const callerShare = 0.8;

/**
 * The requests of an instance, at least a hundred, fit beside host and app. Another instance starts before one refuses and, where it
 * serves records, before a caller waits for long. A runner has a size that Azure offers.
 */
export function capacity(project: Project): Finding[] {
  return overPlans(project, (view) => [
    ...ofType(view, 'Microsoft.Web/sites').flatMap((site) => ofApp(view, site)),
    ...ofType(view, 'Microsoft.App/jobs').flatMap(ofJob),
  ]);
}

/** Quarters of a core, four cores at most, each core with two gibibytes: what a job of the profile Consumption may have. */
function ofJob(job: PlannedResource): string[] {
  return listAt(bodyAt(job, 'properties.template.containers')).flatMap((container) => {
    const body = container as PlannedResource['body'];
    const cores = Number(bodyAt({ body }, 'resources.cpu'));
    const memory = textOf(bodyAt({ body }, 'resources.memory'));
    const isOffered = cores > 0 && cores <= 4 && Number.isInteger(cores * 4) && memory === `${cores * 2}Gi`;
    return isOffered
      ? []
      : [
          `${role(nameOf(job.id))} asks for ${cores} cores and ${memory}, which Container Apps does not offer`,
        ];
  });
}

function ofApp(view: View, site: PlannedResource): string[] {
  const name = role(nameOf(site.id));
  const settings = listAt(bodyAt(site, 'properties.siteConfig.appSettings')) as {
    name: string;
    value: string;
  }[];
  const setting = (end: string) => settings.find((one) => one.name.endsWith(end))?.value ?? '';
  const started = Number(
    bodyAt(site, 'properties.functionAppConfig.scaleAndConcurrency.triggers.http.perInstanceConcurrency'),
  );
  const most = Number(setting('maxOutstandingRequests'));
  const size = Number(view.value('instance_memory_mb'));
  const { host, app } = taken[size] ?? { host: Number.NaN, app: Number.NaN };
  const limit = Math.floor((size - host - app) / perRequest);
  const connections = Math.max(1, Math.floor(Number(setting('DB_POOL_MAX')) * callerShare));
  const served = Math.floor((mostWaitMs * connections) / (statements * statementMs));
  return [
    ...(most >= minRequests && most <= limit
      ? []
      : [
          `${name} takes ${most} requests (maxOutstandingRequests); ${size} MB hold ${minRequests} to ${limit}`,
        ]),
    ...(started <= most * 0.8
      ? []
      : [
          `another instance of ${name} starts at ${started} requests (perInstanceConcurrency), when one of ${most} is full`,
        ]),
    ...(setting('APIS').includes('records') && started > served
      ? [
          `callers of ${name} wait for a connection: ${connections} serve ${served} requests, and it takes ${started} (perInstanceConcurrency)`,
        ]
      : []),
  ];
}
