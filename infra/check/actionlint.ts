/** The layer of actionlint, where it is on the PATH: what it has against the workflows. */

import { runTool } from './command.ts';
import type { LayerResult } from './layer-result.ts';
import { root } from './root.ts';

/** Runs actionlint on the workflows, or says that it is missing. `folder` is the root of the repository. */
export async function checkWorkflows(folder: string = root, actionlint = 'actionlint'): Promise<LayerResult> {
  const { code, output } = await runTool(actionlint, ['-no-color', '-oneline'], { folder });
  if (code === undefined) return { skipped: 'no actionlint on the PATH', done: 'workflows', faults: [] };
  return { done: 'workflows', faults: code === 0 ? [] : output.split('\n') };
}
