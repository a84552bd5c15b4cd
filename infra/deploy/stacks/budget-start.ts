/** The first day of a budget: Azure takes none before the current month for a new one, and refuses another one later. */

import { type Context, ToolFailure } from '../context.ts';
import type { Outputs } from '../outputs.ts';
import { groupOf } from './group.ts';

/** Returns the first day of the existing budget, else of the current month. `before` has the outputs of the last deployment that succeeded. */
export async function budgetStartDate(context: Context, before: Outputs): Promise<string> {
  const group = await groupOf(context, before);
  const found = group === undefined ? '' : await budgetOf(context, group);
  return (found || (context.today?.() ?? new Date()).toISOString()).replace(/^(\d{4}-\d\d).*$/s, '$1-01');
}

async function budgetOf({ run, options }: Context, group: string): Promise<string> {
  const url = `/subscriptions/{subscriptionId}/resourceGroups/${group}/providers/Microsoft.Consumption/budgets?api-version=2024-08-01`;
  const query = `value[?name=='budget-${options.environment}'].properties.timePeriod.startDate | [0]`;
  try {
    const words = ['rest', '--method', 'get', '--url', url, '--query', query, '--output', 'tsv'];
    return (await run('az', words, { quiet: true })).trim();
  } catch (error) {
    if (error instanceof ToolFailure && /\bResourceGroupNotFound\b/.test(error.complaint)) return '';
    throw error;
  }
}
