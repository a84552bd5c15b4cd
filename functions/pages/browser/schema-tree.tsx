/** The schema of a body as a tree, whose branches are made when they are opened. */

import { useState } from 'preact/hooks';
import { type Schema, schemaAt } from './openapi.ts';

interface TreeProps {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired?: boolean;
}

/** Returns the parts of a schema: members, items, alternatives. */
function partsOf({ properties = {}, required = [], items, anyOf, oneOf, allOf }: Schema): TreeProps[] {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
  }));
  const alternatives = [...(anyOf ?? oneOf ?? []), ...(allOf ?? [])].map((schema, index) => ({
    name: `${allOf ? 'part' : 'form'} ${index + 1}`,
    schema,
  }));
  return [...members, ...(items ? [{ name: 'items', schema: items }] : []), ...alternatives];
}

export function SchemaTree({ name, schema, isRequired = false }: TreeProps) {
  const [isOpen, open] = useState(false);
  const resolved = schemaAt(schema);
  const parts = partsOf(resolved);
  const { type, format, description, enum: values, default: fallback } = resolved;
  const facts = [
    [type].flat().join(' or '),
    format,
    values?.map((value) => JSON.stringify(value)).join(', '),
  ];
  const line = (
    <>
      <code>{name}</code> <span class="muted">{facts.filter(Boolean).join(', ')}</span>{' '}
      {isRequired && <kbd>required</kbd>}{' '}
      {fallback !== undefined && <span class="muted">default {JSON.stringify(fallback)}</span>} {description}
    </>
  );
  if (parts.length === 0) return <p class="leaf">{line}</p>;
  return (
    <details class="schema" onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>{line}</summary>
      {isOpen && parts.map((part) => <SchemaTree key={part.name} {...part} />)}
    </details>
  );
}
