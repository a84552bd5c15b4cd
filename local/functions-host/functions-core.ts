/**
 * An emulator for `@azure/functions-core`, the module that the Node worker gives to `@azure/functions`:
 * it takes registrations of functions and hooks, and the programming model.
 */

/** The shape of a binding, as `@azure/functions` registers it. */
export interface Binding {
  readonly type: string;
  readonly direction: 'in' | 'out';
  readonly route?: string;
  readonly methods?: readonly string[];
}

export interface FunctionMetadata {
  readonly name: string;
  readonly bindings: Readonly<Record<string, Binding>>;
}

export type FunctionCallback = (...inputs: unknown[]) => unknown;
export type HookCallback = (context: Record<string, unknown>) => unknown;

/** The part of a programming model's invocation that a host drives. */
export interface InvocationModel {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>;
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>;
  getResponse(context: unknown, result: unknown): Promise<{ returnValue?: unknown }>;
}

export interface ProgrammingModel {
  readonly name: string;
  readonly version: string;
  getInvocationModel(context: unknown): InvocationModel;
  getCapabilities(capabilities: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** What an app has registered by the time it is loaded. */
export interface Registrations {
  readonly functions: Map<
    string,
    { readonly metadata: FunctionMetadata; readonly callback: FunctionCallback }
  >;
  readonly hooks: Map<string, HookCallback[]>;
  /** What hooks share as long as the app lives. */
  readonly appHookData: object;
  programmingModel: ProgrammingModel | undefined;
}

class Disposable {
  readonly #dispose: () => void;
  constructor(dispose: () => void) {
    this.#dispose = dispose;
  }
  dispose(): void {
    this.#dispose();
  }
}

/** Makes the module and the registrations that fill up through it. */
export function createFunctionsCore(): { readonly core: object; readonly registrations: Registrations } {
  const registrations: Registrations = {
    functions: new Map(),
    hooks: new Map(),
    appHookData: {},
    programmingModel: undefined,
  };
  const core = {
    hostVersion: '4.1044.0',
    workerVersion: '3.12.0',
    Disposable,
    registerFunction(metadata: FunctionMetadata, callback: FunctionCallback): Disposable {
      if (registrations.functions.has(metadata.name))
        throw new Error(`A function with the name "${metadata.name}" is registered already.`);
      registrations.functions.set(metadata.name, { metadata, callback });
      return new Disposable(() => registrations.functions.delete(metadata.name));
    },
    registerHook(name: string, callback: HookCallback): Disposable {
      const hooks = registrations.hooks.get(name) ?? [];
      registrations.hooks.set(name, [...hooks, callback]);
      return new Disposable(() => {
        registrations.hooks.set(
          name,
          (registrations.hooks.get(name) ?? []).filter((one) => one !== callback),
        );
      });
    },
    setProgrammingModel(model: ProgrammingModel): void {
      registrations.programmingModel = model;
    },
    getProgrammingModel: () => registrations.programmingModel,
    log(level: string, category: string, message: string): void {
      writeLog(level, category, message);
    },
  };
  return { core, registrations };
}

/** Writes what the app logs through its context: warnings and errors only, to standard error. */
export function writeLog(level: string, category: string, message: string): void {
  if (/^(warning|error|critical)$/.test(level)) process.stderr.write(`[${level}] ${category}: ${message}\n`);
}
