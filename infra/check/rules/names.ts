import type { Finding, Module, Project } from '../model.ts';
import { allModules } from '../model.ts';

/** Every parameter and variable is used, and (in Terraform) every one that is used is declared. */
export function names(project: Project): Finding[] {
  return allModules(project).flatMap(({ stack, module }) =>
    stack.name === 'bicep' ? unusedInBicep(module) : inTerraform(module),
  );
}

function unusedInBicep({ file, text }: Module): Finding[] {
  const declared = [...text.matchAll(/^(?:param|var) (\w+)/gm)].map(([, name = '']) => name);
  const code = text.replace(/^(?:\/\/|@).*$|^(?:param|var) \w+/gm, '');
  return declared
    .filter((name) => !new RegExp(`\\bin ${name}\\b|(?<![.\\w'])${name}\\b(?!:)`).test(code))
    .map((name) => ({ file, message: `${name} is declared and never used` }));
}

function inTerraform({ file, text, parameters, locals }: Module): Finding[] {
  const kinds = { var: Object.keys(parameters), local: Object.keys(locals) };
  return Object.entries(kinds).flatMap(([kind, declared]) => {
    const used = new Set(
      [...text.matchAll(new RegExp(`\\b${kind}\\.(\\w+)`, 'g'))].map(([, name = '']) => name),
    );
    return [
      ...declared
        .filter((name) => !used.has(name))
        .map((name) => `${kind}.${name} is declared and never used`),
      ...[...used]
        .filter((name) => !declared.includes(name))
        .map((name) => `${kind}.${name} is not declared`),
    ].map((message) => ({ file, message }));
  });
}
