import type { Finding, Project } from '../model.ts';
import { differences, flatLinesOf, type Lines, linesOf, readLines, summaryOf } from '../plan/lines.ts';
import { ToolMissing } from '../plan/plan.ts';

const folder = 'infra/check/plans';

/** The ends of lines that one stack writes and the other implies, and that are not compared between them. */
const ofOneStack = [
  /administrators\.principalType$/,
  /\/databases\/[\w-]+: location$/,
  /criteria\.(?:odata\.type|allOf\.(?:[\w-]+|0)\.(?:name|criterionType))$/,
  /\/tableServices\/default: type$/,
  /dns_?zone_?(?:configs|group)\..*name$/i,
];

/** Both stacks would deploy the same, for every set of parameters. */
export function samePlans({ plans }: Project): Finding[] {
  return plans.flatMap(({ name, bicep, terraform }) => {
    if (bicep instanceof Error || terraform instanceof Error)
      return Object.entries({ bicep, terraform }).flatMap(([stack, plan]) =>
        plan instanceof Error && !(plan instanceof ToolMissing)
          ? [{ file: `infra/${stack}`, message: `cannot be planned for ${name}: ${plan.message}` }]
          : [],
      );
    return differences(flatLinesOf(bicep, isImplied), flatLinesOf(terraform, isImplied)).map(
      ([what, inBicep, inTerraform]) => ({
        file: 'infra/terraform',
        message: `${name}: ${what} is ${inTerraform ?? 'missing'}; in Bicep ${inBicep ?? 'missing'}`,
      }),
    );
  });
}

const isImplied = (line: string) => ofOneStack.some((pattern) => pattern.test(line));

/** The sets whose plans are agreed: production as it is, everything on, and the registration of the app. */
const agreedSets = ['prod', 'private', 'entra'];

/** Nothing would be deployed but what was agreed: the files in infra/check/plans, which `npm run check:infra -- --agree` writes anew. */
export function agreedPlans(project: Project): Finding[] {
  return [...currentPlans(project)].flatMap(([file, lines]) => {
    const agreed = project.files.get(file);
    if (agreed === undefined)
      return [{ file, message: 'is missing: npm run check:infra -- --agree writes it' }];
    return differences(readLines(agreed), lines).map(([what, before, now]) => ({
      file,
      message: `${what} is ${now ?? 'missing'}; agreed ${before === undefined ? 'was nothing' : `was ${before}`}`,
    }));
  });
}

/** The files of agreed plans, as they would be written now. Sets that cannot be planned are left out. */
export function currentPlans({ plans }: Project): ReadonlyMap<string, Lines> {
  return new Map(
    plans.flatMap(({ name, bicep }) =>
      bicep instanceof Error || !agreedSets.includes(name)
        ? []
        : [[`${folder}/${name}.txt`, new Map([...summaryOf(bicep), ...linesOf(bicep)])] as const],
    ),
  );
}
