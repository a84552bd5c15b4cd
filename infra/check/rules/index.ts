/** Every rule, by the name that findings carry. */

import type { Rule } from '../model.ts';
import { alerts } from './alerts.ts';
import { capacity } from './capacity.ts';
import { gateway } from './gateway.ts';
import { network } from './network.ts';
import { nodeVersion } from './node-version.ts';
import { outputs } from './outputs.ts';
import { parity } from './parity.ts';
import { pins } from './pins.ts';
import { plans } from './plans.ts';
import { profiles } from './profiles.ts';
import { providers } from './providers.ts';
import { refusals } from './refusals.ts';
import { samePlans } from './same-plans.ts';
import { secrets } from './secrets.ts';
import { settings } from './settings.ts';
import { terraformTraps } from './terraform-traps.ts';
import { waiting } from './waiting.ts';
import { workflows } from './workflows.ts';

/** Rules on the texts of the templates and of what deploys them. */
const ofTexts: Readonly<Record<string, Rule>> = {
  'terraform-traps': terraformTraps,
  secrets,
  'node-version': nodeVersion,
  pins,
  parity,
  profiles,
  waiting,
  workflows,
};

/** Rules on what would be deployed. */
const ofPlans: Readonly<Record<string, Rule>> = {
  refusals,
  settings,
  capacity,
  providers,
  network,
  outputs,
  alerts,
  gateway,
  'same-plans': samePlans,
  plans,
};

export const rules: Readonly<Record<string, Rule>> = { ...ofTexts, ...ofPlans };

/** Checks whether a rule looks at what would be deployed, which takes time to compute. */
export const needsPlans = (rule: string): boolean => rule in ofPlans;
