/** The layers of the check. A layer that cannot run says why; it never counts as passed. */

import type { LayerResult } from './layer-result.ts';
import { ToolMissing } from './plan/plan.ts';
import { planNames } from './plan/sets.ts';
import { readFiles, readProject } from './project.ts';
import { needsPlans, rules } from './rules/index.ts';

/** A layer by its name on the screen. */
export interface Layer {
  readonly title: string;
  readonly run: () => Promise<LayerResult>;
}

/** Applies our own rules, or those that are named, to the files and to what both stacks would deploy, for all sets of parameters or some. */
export async function checkRules(
  files: ReadonlyMap<string, string> = readFiles(),
  names: readonly string[] = Object.keys(rules),
  sets: readonly string[] = planNames,
): Promise<LayerResult> {
  const project = await readProject(files, { plans: names.some(needsPlans) ? sets : [] });
  const faults = names.flatMap((name) =>
    (rules[name]?.(project) ?? []).map(({ file, message }) => `${file}: ${message} (${name})`),
  );
  const missing = new Set(
    project.plans.flatMap(({ ofStack }) =>
      Object.values(ofStack).flatMap((plan) => (plan instanceof ToolMissing ? [plan.message] : [])),
    ),
  );
  const without = [...missing].map((reason) => `; not looked at: plans (${reason})`).join('');
  const done = `${names.length} rules on ${project.plans.length} sets of parameters${without}`;
  return { done, faults };
}
