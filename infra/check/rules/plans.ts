import type { Finding, Project } from '../model.ts';
import { differences, type Lines } from '../plan/lines.ts';
import { besides, pageOf, readPage } from '../plan/page.ts';
import { planOf } from '../plan/plan.ts';
import { profileNames, sets } from '../plan/sets.ts';

const folder = 'infra/check/plans';

/**
 * Nothing is deployed but what somebody has read: the pages in infra/check/plans, which `npm run check:infra -- --agree` writes anew, so that a
 * change of the templates shows as a change of what Azure gets. A profile has a page of all; another set has what differs from its profile.
 */
export function plans(project: Project): Finding[] {
  return [...currentPages(project)].flatMap(([file, lines]) => {
    const agreed = project.files.get(file);
    if (agreed === undefined)
      return [{ file, message: 'is missing: npm run check:infra -- --agree writes it' }];
    return differences(readPage(agreed), lines).map(([what, before, now]) => ({
      file,
      message: `${what} is ${now ?? 'missing'}; agreed ${before === undefined ? 'was nothing' : `was ${before}`}`,
    }));
  });
}

/** The pages as they would be written now. Sets that cannot be planned, or whose profile is not planned, are left out. */
export function currentPages({ plans: planned }: Pick<Project, 'plans'>): ReadonlyMap<string, Lines> {
  const pages = new Map<string, Lines>();
  for (const set of planned) {
    const plan = planOf(set);
    if (!(plan instanceof Error)) pages.set(set.name, pageOf(plan));
  }
  return new Map(
    [...pages].flatMap(([name, lines]) => {
      const file = `${folder}/${name}.txt`;
      const isWhole = name === 'entra' || profileNames.some((profile) => profile === name);
      if (isWhole) return [[file, lines] as const];
      const base = pages.get(sets[name]?.profile ?? '');
      return base === undefined ? [] : [[file, besides(base, lines)] as const];
    }),
  );
}
