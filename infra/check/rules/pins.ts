import { type Finding, type Project, templates } from '../model.ts';
import { versions } from '../terraform/facts.ts';

/** The Graph extension of Bicep that works; the one that was built in is retired, and deployments with it fail. */
const graph = { name: 'microsoftGraphV1', version: 'microsoftgraph/v1.0:1.0.0' };
const configuration = 'infra/bicep/bicepconfig.json';

/** Providers and extensions have the versions that the facts are about. */
export function pins(project: Project): Finding[] {
  return [...extensions(project), ...providers(project)];
}

function extensions({ files }: Project): Finding[] {
  const configured = JSON.parse(files.get(configuration) ?? '{}') as { extensions?: Record<string, string> };
  const pinned = configured.extensions?.[graph.name]?.endsWith(graph.version);
  return pinned
    ? []
    : [{ file: configuration, message: `the extension ${graph.name} is not pinned to ${graph.version}` }];
}

function providers(project: Project): Finding[] {
  return templates(project).flatMap(([file, text]) =>
    [...text.matchAll(/source = "\w+\/(\w+)", version = "(.*)"/g)].flatMap(([, name = '', constraint]) => {
      const wanted = `~> ${versions[name]?.split('.').slice(0, 2).join('.')}`;
      if (constraint === wanted) return [];
      return [
        { file, message: `the provider ${name} is pinned to ${constraint}; the facts are about ${wanted}` },
      ];
    }),
  );
}
