import { type Finding, type Project, templates } from '../model.ts';
import { versions } from '../terraform/facts.ts';

/** The Graph extension of Bicep that works; the one that was built in is retired, and deployments with it fail. */
const graph = /"microsoftGraphV1": *"br:[^"]*microsoftgraph\/v1\.0:1\.0\.0"/;
const configuration = 'infra/bicep/bicepconfig.json';

/** Providers and extensions have the versions that the facts are about. */
export function pins(project: Project): Finding[] {
  const isPinned = graph.test(project.files.get(configuration) ?? '');
  const providers = templates(project).flatMap(([file, text]) =>
    [...text.matchAll(/source = "\w+\/(\w+)", version = "(.*)"/g)].map(([, name = '', found]) => {
      const wanted = `~> ${versions[name]?.split('.').slice(0, 2).join('.')}`;
      return found === wanted
        ? []
        : [{ file, message: `the provider ${name} is pinned to ${found}; the facts are about ${wanted}` }];
    }),
  );
  return [
    ...(isPinned
      ? []
      : [{ file: configuration, message: 'the extension microsoftGraphV1 is not pinned to 1.0.0' }]),
    ...providers.flat(),
  ];
}
