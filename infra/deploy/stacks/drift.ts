/** What a preview of Azure reports that is a difference, and what is known noise. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../app-drift.ts';
import { root } from '../root.ts';

/** One change of a resource as `az deployment sub what-if` writes it. */
interface ResourceChange {
  readonly resourceId?: string;
  readonly changeType?: string;
  readonly delta?: readonly PropertyChange[] | null;
}
interface PropertyChange {
  readonly path?: string;
  readonly propertyChangeType?: string;
}

/** Kinds of changes that change nothing. */
const harmless = ['NoChange', 'NoEffect', 'Ignore', 'Unsupported'];

/** Returns the differences in the JSON of a preview as lines, without the noise that infra/drift-noise.json lists. */
export function differencesIn(preview: string): string[] {
  const { changes = [] } = JSON.parse(preview || '{}') as { changes?: readonly ResourceChange[] };
  const { noise } = JSON.parse(readFileSync(join(root, 'infra/drift-noise.json'), 'utf8')) as {
    noise: readonly { type: string; path: string }[];
  };
  return changes.flatMap(({ resourceId = '', changeType = '', delta }) => {
    if (harmless.includes(changeType)) return [];
    const type = typeOf(resourceId);
    const noiseOfType = noise.filter((item) => item.type.toLowerCase() === type);
    const paths = (delta ?? [])
      .filter(({ propertyChangeType = '' }) => !harmless.includes(propertyChangeType))
      .map(({ path = '' }) => path);
    const differing = paths.filter((path) => !noiseOfType.some((item) => isWithin(path, item.path)));
    if (changeType === 'Modify' && paths.length > 0 && differing.length === 0) return [];
    return [`${changeType} ${resourceId}${differing.length > 0 ? `: ${differing.join(', ')}` : ''}`];
  });
}

/** The type in a resource id, in small letters: `microsoft.web/sites`. */
function typeOf(id: string): string {
  const [namespace = '', ...rest] = (id.split('/providers/').at(-1) ?? '').split('/');
  return [namespace, ...rest.filter((_, index) => index % 2 === 0)].join('/').toLowerCase();
}
