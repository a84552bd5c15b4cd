import type { Finding, Project } from '../model.ts';
import { allModules } from '../model.ts';
import { versions } from '../terraform/facts.ts';

/** The Graph extension of Bicep that works; the one that was built in is retired, and deployments with it fail. */
const graph = { name: 'microsoftGraphV1', version: 'microsoftgraph/v1.0:1.0.0' };
const configuration = 'infra/bicep/bicepconfig.json';

/** Providers and extensions have the versions that the facts are about. */
export function pins(project: Project): Finding[] {
  return [...extensions(project), ...providers(project)];
}

function extensions({ bicep, files }: Project): Finding[] {
  const configured = JSON.parse(files.get(configuration) ?? '{}') as { extensions?: Record<string, string> };
  const pinned = configured.extensions?.[graph.name]?.endsWith(graph.version);
  const used = Object.values(bicep.modules).flatMap(({ file, text }) =>
    [...text.matchAll(/^extension (\w+)/gm)].map(([, name = '']) => ({ file, name })),
  );
  return [
    ...(pinned
      ? []
      : [{ file: configuration, message: `the extension ${graph.name} is not pinned to ${graph.version}` }]),
    ...used
      .filter(({ name }) => name !== graph.name)
      .map(({ file, name }) => ({ file, message: `the extension ${name} is not ${graph.name}` })),
  ];
}

function providers(project: Project): Finding[] {
  return allModules(project).flatMap(({ module }) =>
    module.providers.flatMap(({ name, constraint }) => {
      const wanted = `~> ${versions[name]?.split('.').slice(0, 2).join('.')}`;
      if (constraint === wanted) return [];
      return [
        {
          file: module.file,
          message: `the provider ${name} is pinned to ${constraint}; the facts are about ${wanted}`,
        },
      ];
    }),
  );
}
