/** Both stacks in one shape, so that one rule checks both. Names are in snake_case, as Terraform writes them. */

import type { Data } from './plan/data.ts';
import type { SetOfPlans } from './plan/plan.ts';

/** What a template computes when it is deployed; its source text is all that is known beforehand. */
export class Expression {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: a literal, an expression, a list or an object. A list made by a loop has one, typical item. */
export type Value = string | number | boolean | null | Expression | Value[] | { [name: string]: Value };

export interface Parameter {
  /** As Terraform would write it, without blanks: `list(object({name=string}))`. */
  readonly type: string;
  readonly description: string;
  /** Undefined: the parameter must be given. */
  readonly default: Value | undefined;
  /** The values that are accepted; empty: any. */
  readonly allowed: readonly string[];
}

export interface Resource {
  readonly symbol: string;
  /** `Microsoft.Storage/storageAccounts` or `azurerm_storage_account`. */
  readonly type: string;
  /** API version; empty where the stack has none. */
  readonly version: string;
  /** Arguments by their own names; nested blocks of Terraform are lists. */
  readonly body: Readonly<Record<string, Value>>;
  readonly file: string;
  readonly line: number;
  /** The comment directly above; empty: none. */
  readonly comment: string;
  /** The condition under which it is created; empty: always. */
  readonly condition: string;
}

/** A use of one module by another. */
export interface ModuleCall {
  readonly symbol: string;
  /** Folder or file name of the module: `storage`. */
  readonly module: string;
  readonly arguments: Readonly<Record<string, Value>>;
}

export interface Module {
  readonly file: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: Value }>>;
  /** Variables of Bicep, locals of Terraform. */
  readonly locals: Readonly<Record<string, Value>>;
  readonly resources: readonly Resource[];
  readonly calls: readonly ModuleCall[];
  /** Terraform's providers that it names, with their version constraint; none in Bicep. */
  readonly providers: readonly { readonly name: string; readonly constraint: string }[];
  /** The source text of the module, all files together. */
  readonly text: string;
}

/** One stack: its modules by name; `main` and `entra` are the two that people deploy. */
export interface Stack {
  readonly name: 'bicep' | 'terraform';
  readonly modules: Readonly<Record<string, Module>>;
}

/** The first thing that is wrong with a file, or one that a rule finds. */
export interface Finding {
  readonly file: string;
  readonly message: string;
}

/** Everything that the rules look at. */
export interface Project {
  /** Text of each file by its path from the root of the repository. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of the settings in shared/config/variables.ts. */
  readonly settingNames: readonly string[];
  readonly bicep: Stack;
  readonly terraform: Stack;
  /** Values of parameters by profile (`dev`, `prod`), for both stacks. */
  readonly profiles: Readonly<Record<string, Readonly<Record<string, Data>>>>;
  /** What each parameter file of Bicep sets: parameters by the text of their value. */
  readonly parameterFiles: Readonly<Record<string, Readonly<Record<string, Value>>>>;
  /** What each set of parameters would deploy, with each stack. */
  readonly plans: readonly SetOfPlans[];
}

export type Rule = (project: Project) => Finding[];

/** `instanceMemoryMB` as `instance_memory_mb`; names that are all capitals stay. */
export function snakeCase(name: string): string {
  if (/^[A-Z_]+$/.test(name)) return name;
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** Checks whether a value is an object, rather than a literal, an expression or a list. */
export function isObject(value: Value | undefined): value is { [name: string]: Value } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Expression)
  );
}

/** Every module of both stacks, with the name of its stack. */
export function allModules(project: Project): { stack: Stack; name: string; module: Module }[] {
  return [project.bicep, project.terraform].flatMap((stack) =>
    Object.entries(stack.modules).map(([name, module]) => ({ stack, name, module })),
  );
}

/** The line comment that ends directly above a line (counted from 0); empty: none. */
export function commentAbove(lines: readonly string[], line: number): string {
  const above = lines[line - 1]?.trim() ?? '';
  return /^(\/\/|#(?!disable))/.test(above) ? above.replace(/^(\/\/|#)\s*/, '') : '';
}
