import type { Finding, Project } from '../model.ts';
import { textOf } from '../plan/data.ts';
import { differences } from '../plan/lines.ts';
import type { PlannedResource } from '../plan/plan.ts';
import { bodyAt, listAt, nameOf, ofType, overPlans, role, type View } from './views.ts';

/** `drift` compares the apps in Azure with what the output APP_CONFIGURATION says that was set: all of it, of each app. */
export function outputs(project: Project): Finding[] {
  return overPlans(project, configurations);
}

function configurations(view: View): string[] {
  const text = (body: PlannedResource['body']) =>
    ['identity', 'properties'].map((part) => JSON.stringify(bodyAt({ body }, part))).join();
  const made = ofType(view, 'Microsoft.Web/sites').map(({ id, body }) => [nameOf(id), text(body)] as const);
  const said = listAt(view.plan.outputs['APP_CONFIGURATION'] ?? null).map((app) => {
    const body = app as PlannedResource['body'];
    return [textOf(body['name'] ?? null), text(body)] as const;
  });
  return differences(new Map(made), new Map(said)).map(
    ([name]) => `the output APP_CONFIGURATION has not what is set of ${role(name)}`,
  );
}
