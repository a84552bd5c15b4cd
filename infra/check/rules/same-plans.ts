import type { Finding, Project } from '../model.ts';
import { differences, flatLinesOf } from '../plan/lines.ts';
import { ToolMissing } from '../plan/plan.ts';
import { refusedSets } from '../plan/sets.ts';

/** The ends of lines that one stack writes and the other implies, and that are not compared between them. */
const ofOneStack = [
  /administrators\.principalType$/,
  /\/databases\/[\w-]+: location$/,
  /criteria\.(?:odata\.type|allOf\.(?:[\w-]+|0)\.(?:name|criterionType))$/,
  /\/tableServices\/default: type$/,
  /dns_?zone_?(?:configs|group)\..*name$/i,
  /: tags\.deployed-with$/,
];

/** Both stacks would deploy the same, for every set of parameters. */
export function samePlans({ plans }: Pick<Project, 'plans'>): Finding[] {
  return plans.flatMap(({ name, ofStack: { bicep, terraform } }) => {
    if (name in refusedSets || bicep === undefined || terraform === undefined) return [];
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
