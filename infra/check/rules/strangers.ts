import type { Finding, Project } from '../model.ts';

interface Alerts {
  readonly metricAlerts: readonly { readonly name: string; readonly namespace: string }[];
  readonly logAlerts: readonly { readonly name: string; readonly query: string }[];
}

const file = 'infra/queries/alerts.json';

/** Tables into which the platform writes a line for every caller, before the app has seen the call. */
const ofThePlatform = /(?:^|[\s,|(])(requests|exceptions)\b/;

/**
 * No alert can be fired by a caller without rights. The host answers any caller 500 for a body that is too long or slow, so neither its
 * metrics nor its lines describe the app; the app's own lines do.
 */
export function strangers({ files }: Project): Finding[] {
  const { metricAlerts, logAlerts } = JSON.parse(files.get(file) ?? '{}') as Alerts;
  return [
    ...metricAlerts
      .filter(({ namespace }) => namespace === 'Microsoft.Web/sites')
      .map(({ name }) => ({ file, message: `${name} counts what the host answers to strangers` })),
    ...logAlerts.flatMap(({ name, query }) => {
      const table = ofThePlatform.exec(query)?.[1];
      return table === undefined
        ? []
        : [{ file, message: `${name} reads ${table}, in which strangers write; read the lines of the app` }];
    }),
  ];
}
