/** The facts about Terraform's providers: names of arguments, blocks and exported attributes (infra/facts). */

import facts from '../../facts/terraform-arguments.json' with { type: 'json' };

/** One argument: `required`, or `computed` when it is only read back. */
export interface Argument {
  readonly required?: boolean;
  readonly computed?: boolean;
}

/** One resource type: its top-level arguments, its blocks by name (wherever they are nested), and what it exports. */
export interface ResourceType {
  readonly arguments: Readonly<Record<string, Argument>>;
  readonly blocks: Readonly<Record<string, Readonly<Record<string, Argument>>>>;
  readonly computed: readonly string[];
}

/** Versions of the providers that the facts are about. */
export const versions: Readonly<Record<string, string>> = facts.versions;
export const resourceTypes: Readonly<Record<string, ResourceType>> = facts.resources;
export const dataSources: Readonly<Record<string, readonly string[]>> = facts.dataSources;
/** Blocks inside the block `features` of azurerm, with their arguments. */
export const features: Readonly<Record<string, readonly string[]>> = facts.features;
export const providers: Readonly<Record<string, readonly string[]>> = facts.providers;
