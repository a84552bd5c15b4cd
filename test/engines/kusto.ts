/** Microsoft's language service for Kusto, as a function from a query to what is wrong with it. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runInThisContext } from 'node:vm';

/** The columns of a table: names and types. */
export type Tables = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface List<T> {
  readonly Count: number;
  getItem(index: number): T;
}

interface Table {
  WithName(name: string): Table;
}

/** The part of the library that is used, as its translation from C# names it. */
interface Language {
  readonly Symbols: {
    readonly TableSymbol: { From(schema: string): Table };
    readonly DatabaseSymbol: { readonly ctor: new (name: string, members: readonly Table[]) => object };
  };
  readonly GlobalState: { readonly Default: { WithDatabase(database: object): object } };
  readonly KustoCode: {
    ParseAndAnalyze(
      query: string,
      globals: object,
    ): { GetDiagnostics(): List<{ readonly Severity: string; readonly Message: string }> };
  };
}

interface Library {
  readonly Kusto: { readonly Language: Language };
}

/** Loads the library. It is made for browsers, so its scripts run in the global scope. */
function load(): Library {
  const folder = dirname(createRequire(import.meta.url).resolve('@kusto/language-service-next/package.json'));
  for (const file of ['bridge.min.js', 'Kusto.Language.Bridge.min.js'])
    runInThisContext(readFileSync(join(folder, file), 'utf8'), { filename: file });
  return globalThis as unknown as Library;
}

/** Creates the function that lists the errors of a query against tables. */
export function createAnalyzer(tables: Tables): (query: string) => readonly string[] {
  const { Language } = load().Kusto;
  const { TableSymbol, DatabaseSymbol } = Language.Symbols;
  const symbols = Object.entries(tables).map(([name, columns]) => {
    const schema = Object.entries(columns).map(([column, type]) => `${column}:${type}`);
    return TableSymbol.From(`(${schema.join(', ')})`).WithName(name);
  });
  const globals = Language.GlobalState.Default.WithDatabase(new DatabaseSymbol.ctor('logs', symbols));
  return (query) => {
    const found = Language.KustoCode.ParseAndAnalyze(query, globals).GetDiagnostics();
    return Array.from({ length: found.Count }, (_, index) => found.getItem(index))
      .filter(({ Severity }) => Severity === 'Error')
      .map(({ Message }) => Message);
  };
}
