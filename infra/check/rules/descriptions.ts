import type { Finding, Project } from '../model.ts';
import { allModules } from '../model.ts';

/** Every parameter and output says what it is. */
export function descriptions(project: Project): Finding[] {
  return allModules(project).flatMap(({ module }) =>
    [...Object.entries(module.parameters), ...Object.entries(module.outputs)]
      .filter(([, { description }]) => description === '')
      .map(([name]) => ({ file: module.file, message: `${name} has no description` })),
  );
}
