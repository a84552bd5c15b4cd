import type { Finding, Project } from '../model.ts';

const file = 'infra/queries/alerts.json';
interface Alerts {
  readonly metricAlerts: readonly { readonly name: string; readonly namespace: string }[];
  readonly logAlerts: readonly { readonly name: string; readonly query: string }[];
}

/**
 * No alert can be fired by a caller without rights. The host answers any caller 500 for a body that is too long or slow, so neither its
 * metrics nor its lines (requests, exceptions) describe the app; the app's own lines do.
 */
export function strangers({ files }: Project): Finding[] {
  const { metricAlerts, logAlerts } = JSON.parse(files.get(file) ?? '{}') as Alerts;
  const found = [
    ...metricAlerts.filter(({ namespace }) => namespace === 'Microsoft.Web/sites'),
    ...logAlerts.filter(({ query }) => /(?:^|[\s,|(])(?:requests|exceptions)\b/.test(query)),
  ];
  return found.map(({ name }) => ({
    file,
    message: `${name} counts what the host answers to strangers; read the lines of the app`,
  }));
}
