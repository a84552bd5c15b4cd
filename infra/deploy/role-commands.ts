/** Role assignments as commands, for a person with the right to assign roles. */

import { commandLine } from './context.ts';
import type { Outputs } from './outputs.ts';

/** A role assignment that the templates list. */
export interface RoleAssignment {
  readonly scope: string;
  readonly role: string;
  readonly principalId: string;
  readonly reason: string;
}

/** One `az role assignment create` per assignment that the templates list, each with its reason above. */
export function roleCommands(outputs: Outputs): string[] {
  return assignmentsIn(outputs).flatMap(({ scope, role, principalId, reason }) => [
    `# ${reason}`,
    commandLine('az', [
      'role',
      'assignment',
      'create',
      '--role',
      role,
      '--scope',
      scope,
      '--assignee-object-id',
      principalId,
      '--assignee-principal-type',
      'ServicePrincipal',
    ]),
  ]);
}

/** Checks whether the templates were told to leave the assignments to someone else. */
export function leavesRolesToOthers(outputs: Outputs): boolean {
  return outputs.get('ROLE_ASSIGNMENTS_CREATED') === false;
}

/** The assignments that the templates list; none of an earlier version. */
export function assignmentsIn(outputs: Outputs): readonly RoleAssignment[] {
  const listed = outputs.get('ROLE_ASSIGNMENTS');
  return Array.isArray(listed) ? (listed as RoleAssignment[]) : [];
}
