/** Every rule, by the name that findings carry. */

import type { Finding, Project, Rule } from '../model.ts';
import { descriptions } from './descriptions.ts';
import { flexConsumption } from './flex-consumption.ts';
import { gatewayPolicy } from './gateway-policy.ts';
import { moduleCalls } from './module-calls.ts';
import { names } from './names.ts';
import { nodeVersion } from './node-version.ts';
import { parity } from './parity.ts';
import { pins } from './pins.ts';
import { resourcePairs } from './resource-pairs.ts';
import { resourceTypes } from './resource-types.ts';
import { roleAssignments } from './role-assignments.ts';
import { secrets } from './secrets.ts';
import { security } from './security.ts';
import { settings } from './settings.ts';
import { terraformArguments } from './terraform-arguments.ts';
import { terraformTraps } from './terraform-traps.ts';
import { values } from './values.ts';

export const rules: Readonly<Record<string, Rule>> = {
  descriptions,
  names,
  'module-calls': moduleCalls,
  'resource-types': resourceTypes,
  'terraform-arguments': terraformArguments,
  'terraform-traps': terraformTraps,
  'flex-consumption': flexConsumption,
  secrets,
  security,
  'role-assignments': roleAssignments,
  settings,
  'node-version': nodeVersion,
  'gateway-policy': gatewayPolicy,
  pins,
  'resource-pairs': resourcePairs,
  parity,
  values,
};

/** A finding and the rule that made it. */
export type NamedFinding = Finding & { readonly rule: string };

/** Applies every rule. */
export function applyRules(project: Project): NamedFinding[] {
  return Object.entries(rules).flatMap(([rule, find]) =>
    find(project).map((finding) => ({ ...finding, rule })),
  );
}
