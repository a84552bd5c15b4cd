/** The three layers of the check. A layer that cannot run says why; it never counts as passed. */

import { planNames } from './plan/sets.ts';
import { readFiles, readProject } from './project.ts';
import { applyRules, needsPlans, rules } from './rules/index.ts';

/** What a layer found: `skipped` has the reason why it did not run. */
export interface LayerResult {
  readonly skipped?: string;
  /** What was done, for people: `13 rules on 28 modules`. */
  readonly done: string;
  readonly faults: readonly string[];
}

/** A layer by its name on the screen. */
export interface Layer {
  readonly title: string;
  readonly run: () => Promise<LayerResult>;
}

/** Layer 1: both stacks are parsed and looked at by our own rules, or by those that are named, for all sets of parameters or some. Needs no tool. */
export async function checkRules(
  files: ReadonlyMap<string, string> = readFiles(),
  names: readonly string[] = Object.keys(rules),
  sets: readonly string[] = planNames,
): Promise<LayerResult> {
  try {
    const project = await readProject(files, { plans: names.some(needsPlans) ? sets : [] });
    const modules = [project.bicep, project.terraform].flatMap((stack) => Object.keys(stack.modules));
    const faults = applyRules(project, names).map(
      ({ file, message, rule }) => `${file}: ${message} (${rule})`,
    );
    return { done: `${names.length} rules on ${modules.length} modules`, faults };
  } catch (error) {
    if (error instanceof Error) return { done: 'parsing', faults: [error.message] };
    throw error;
  }
}
