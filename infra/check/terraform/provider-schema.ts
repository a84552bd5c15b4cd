/** The facts about Terraform's providers as schemas of the plugin protocol. */

import {
  type Argument,
  dataSources,
  features,
  providers,
  type ResourceType,
  resourceTypes,
} from './facts.ts';

const dynamic = Buffer.from('"dynamic"');

interface Attribute {
  name: string;
  type: Buffer;
  required?: boolean;
  optional?: boolean;
  computed?: boolean;
}

interface Block {
  attributes: Attribute[];
  blockTypes: { typeName: string; nesting: 'LIST'; block: Block }[];
}

/** The answer to GetProviderSchema: one provider that knows the resources of all. Every attribute is of type dynamic. */
export function providerSchema() {
  const names = [...new Set(Object.values(providers).flat())].filter((name) => name !== 'features');
  return {
    provider: {
      block: {
        attributes: names.map(optional),
        blockTypes: [list('features', { attributes: [], blockTypes: featureBlocks() })],
      },
    },
    resourceSchemas: mapValues(resourceTypes, (type) => ({ block: resourceBlock(type) })),
    dataSourceSchemas: mapValues(dataSources, (names) => ({
      block: { attributes: names.map(computed), blockTypes: [] },
    })),
  };
}

function resourceBlock(type: ResourceType): Block {
  const block = blockOf(type.arguments, type);
  block.attributes.push(...type.computed.map(computed));
  return block;
}

function blockOf(args: Readonly<Record<string, Argument>>, type: ResourceType): Block {
  const block: Block = { attributes: [], blockTypes: [] };
  for (const [name, argument] of Object.entries(args)) {
    const nested = type.blocks[name];
    if (nested) block.blockTypes.push(list(name, blockOf(nested, type)));
    else block.attributes.push(attribute(name, argument));
  }
  return block;
}

function attribute(name: string, argument: Argument): Attribute {
  if (argument.computed) return computed(name);
  return argument.required ? { name, type: dynamic, required: true } : optional(name);
}

function featureBlocks() {
  return Object.entries(features).map(([name, names]) =>
    list(name, { attributes: names.map(optional), blockTypes: [] }),
  );
}

const optional = (name: string): Attribute => ({ name, type: dynamic, optional: true });
const computed = (name: string): Attribute => ({ name, type: dynamic, computed: true });
const list = (typeName: string, block: Block) => ({ typeName, nesting: 'LIST' as const, block });

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
