/** Every rule, by the name that findings carry. */

import type { Finding, Project, Rule } from '../model.ts';
import { appSettingValues } from './app-settings.ts';
import { azureYaml } from './azure-yaml.ts';
import { descriptions } from './descriptions.ts';
import { flexConsumption } from './flex-consumption.ts';
import { gatewayPolicy } from './gateway-policy.ts';
import { gatewayRequests } from './gateway-requests.ts';
import { memory } from './memory.ts';
import { moduleCalls } from './module-calls.ts';
import { names } from './names.ts';
import { networking } from './networking.ts';
import { nodeVersion } from './node-version.ts';
import { parity } from './parity.ts';
import { pins } from './pins.ts';
import { agreedPlans, samePlans } from './plans.ts';
import { profiles } from './profiles.ts';
import { refusals } from './refusals.ts';
import { registration } from './registration.ts';
import { resourcePairs } from './resource-pairs.ts';
import { resourceTypes } from './resource-types.ts';
import { roleAssignments } from './role-assignments.ts';
import { secrets } from './secrets.ts';
import { security } from './security.ts';
import { settings } from './settings.ts';
import { strangers } from './strangers.ts';
import { terraformArguments } from './terraform-arguments.ts';
import { terraformTraps } from './terraform-traps.ts';
import { values } from './values.ts';
import { waiting } from './waiting.ts';
import { watching } from './watching.ts';
import { whoMayWhat } from './who-may-what.ts';
import { workflows } from './workflows.ts';

/** Rules on what the templates say. */
const ofTemplates: Readonly<Record<string, Rule>> = {
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
  profiles,
  refusals,
  waiting,
  strangers,
  'azure-yaml': azureYaml,
  workflows,
};

/** Rules on what would be deployed. */
const ofPlans: Readonly<Record<string, Rule>> = {
  'who-may-what': whoMayWhat,
  'app-settings': appSettingValues,
  memory,
  networking,
  watching,
  registration,
  'gateway-requests': gatewayRequests,
  'same-plans': samePlans,
  'agreed-plans': agreedPlans,
};

export const rules: Readonly<Record<string, Rule>> = { ...ofTemplates, ...ofPlans };

/** Checks whether a rule looks at what would be deployed, which takes time to compute. */
export const needsPlans = (rule: string): boolean => rule in ofPlans;

/** A finding and the rule that made it. */
export type NamedFinding = Finding & { readonly rule: string };

/** Applies the rules of these names. */
export function applyRules(project: Project, names: readonly string[]): NamedFinding[] {
  return names.flatMap((rule) => rules[rule]?.(project).map((finding) => ({ ...finding, rule })) ?? []);
}
