import facts from '../../facts/roles.json' with { type: 'json' };
import type { Finding, Project } from '../model.ts';
import { textOf } from '../plan/data.ts';
import { bodyAt, ofType, overPlans, role } from './views.ts';

const roleNames = new Map(Object.entries(facts.roles).map(([name, id]) => [id, name]));

/** Each role assignment has a known, narrow role and a reason, and is made for a service principal; without the switch none is made. */
export function roleAssignments(project: Project): Finding[] {
  return overPlans(project, (view) => {
    const found = ofType(view, 'Microsoft.Authorization/roleAssignments');
    if (view.value('create_role_assignments') === false)
      return found.map(({ id }) => `${role(id)} is created even when createRoleAssignments is false`);
    return found.flatMap((item) => {
      const id = textOf(bodyAt(item, 'properties.roleDefinitionId')).split('/').at(-1) ?? '';
      const name = roleNames.get(id);
      const faults = [
        ...(name === undefined ? [`has an unknown role id: ${id}`] : []),
        ...(facts.tooBroad.includes(name ?? '') ? [`gives ${name}, which is too much`] : []),
        ...(textOf(bodyAt(item, 'properties.description')).length > 10 ? [] : ['has no description']),
        ...(bodyAt(item, 'properties.principalType') === 'ServicePrincipal'
          ? []
          : ['must say that its principal is a ServicePrincipal']),
      ];
      return faults.map((fault) => `role assignment ${role(item.id)} ${fault}`);
    });
  });
}
