import { type Finding, type Project, templates } from '../model.ts';

/** The Graph extension of Bicep that works; the one that was built in is retired, and deployments with it fail. */
const graph = /"microsoftGraphV1": *"br:[^"]*microsoftgraph\/v1\.0:1\.0\.0"/;
const configuration = 'infra/bicep/bicepconfig.json';
/** The Bicep compiler that the check brings, and its version there. */
const compiler = 'infra/check/bicep/compiler.csproj';
const compilerVersion = /Azure\.Bicep\.CommandLine[^>]*Version="\[(.*?)\]"/;

/** Providers and extensions have the versions that the facts are about, and workflows deploy with the compiler that the check has judged. */
export function pins(project: Project): Finding[] {
  const { versions }: { versions: Readonly<Record<string, string>> } = JSON.parse(
    project.files.get('infra/facts/terraform-arguments.json') ?? '{"versions":{}}',
  );
  const hasBicep = project.files.has(configuration);
  const isPinned = !hasBicep || graph.test(project.files.get(configuration) ?? '');
  const providers = templates(project).flatMap(([file, text]) =>
    [...text.matchAll(/source = "\w+\/(\w+)", version = "(.*)"/g)].map(([, name = '', found]) => {
      const wanted = `~> ${versions[name]?.split('.').slice(0, 2).join('.')}`;
      return found === wanted
        ? []
        : [{ file, message: `the provider ${name} is pinned to ${found}; the facts are about ${wanted}` }];
    }),
  );
  const checked = compilerVersion.exec(project.files.get(compiler) ?? '')?.[1];
  const installed = [...project.files].flatMap(([file, text]) =>
    [...text.matchAll(/az bicep install(?: --version v(\S+))?/g)]
      .filter(([, version]) => file.startsWith('.github/') && version !== checked)
      .map(([command]) => ({ file, message: `runs "${command}"; the check is done by Bicep ${checked}` })),
  );
  return [
    ...installed,
    ...(isPinned
      ? []
      : [{ file: configuration, message: 'the extension microsoftGraphV1 is not pinned to 1.0.0' }]),
    ...providers.flat(),
  ];
}
