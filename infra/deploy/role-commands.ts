/** Role assignments as commands, for a person with the right to assign roles. */

import { createHash } from 'node:crypto';
import { commandLine } from './context.ts';
import type { Outputs } from './outputs.ts';

/** A role assignment that the templates list. */
export interface RoleAssignment {
  readonly scope: string;
  readonly role: string;
  readonly principalId: string;
  readonly reason: string;
}

/** One `az role assignment create` per assignment that the templates list, each with its name and its reason above. */
export function roleCommands(outputs: Outputs): string[] {
  return assignmentsIn(outputs).flatMap(({ scope, role, principalId, reason }) => [
    `# ${reason}`,
    commandLine('az', [
      'role',
      'assignment',
      'create',
      '--name',
      nameOf([scope, principalId, role]),
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

/** The name space of `guid` in templates of Azure Resource Manager. */
const nameSpace = Buffer.from('11fb06fb712d4ddd98c7e71bbd588830', 'hex');

/** Returns the name that the Bicep templates give an assignment, so that they find it where they are to make it later: `guid` of its parts, a UUID of version 5 (RFC 9562). */
export function nameOf(parts: readonly string[]): string {
  const bytes = createHash('sha1').update(nameSpace).update(parts.join('-')).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
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
