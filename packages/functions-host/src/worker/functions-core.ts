/**
 * The module `@azure/functions-core`, which the Node worker gives to `@azure/functions`:
 * it takes registrations of functions and hooks, and the programming model.
 */

import type { LogLevel, WriteLog } from './log.ts';

/** The shape of a binding, as `@azure/functions` registers it. */
export interface Binding {
  readonly type: string;
  readonly direction: 'in' | 'out';
  readonly authLevel?: string;
  readonly route?: string;
  readonly methods?: readonly string[];
}

export interface FunctionMetadata {
  readonly name: string;
  readonly bindings: Readonly<Record<string, Binding>>;
}

export type FunctionCallback = (...inputs: unknown[]) => unknown;
export type HookCallback = (context: Record<string, unknown>) => unknown;

export interface RegisteredFunction {
  readonly metadata: FunctionMetadata;
  readonly callback: FunctionCallback;
}

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
  readonly functions: Map<string, RegisteredFunction>;
  readonly hooks: Map<string, HookCallback[]>;
  /** What hooks share as long as the app lives. */
  readonly appHookData: object;
  readonly log: WriteLog;
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

/** Creates the module and the registrations that fill up through it. */
export function createFunctionsCore(writeLog: WriteLog): {
  readonly core: object;
  readonly registrations: Registrations;
} {
  const registrations: Registrations = {
    functions: new Map(),
    hooks: new Map(),
    appHookData: {},
    log: (line) => writeLog(runLogHooks(registrations, line)),
    programmingModel: undefined,
  };
  const core = {
    hostVersion: '4.1037.0',
    workerVersion: '3.9.1',
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
          (registrations.hooks.get(name) ?? []).filter((registered) => registered !== callback),
        );
      });
    },
    setProgrammingModel(model: ProgrammingModel): void {
      registrations.programmingModel = model;
    },
    getProgrammingModel: () => registrations.programmingModel,
    log(level: LogLevel, category: string, message: string): void {
      registrations.log({ level, category, message });
    },
  };
  return { core, registrations };
}

/** Lets the app's `log` hooks change a line. */
function runLogHooks(
  { hooks, appHookData }: Registrations,
  line: Parameters<WriteLog>[0],
): Parameters<WriteLog>[0] {
  const registered = hooks.get('log') ?? [];
  if (registered.length === 0) return line;
  const context = { ...line, hookData: {}, appHookData };
  for (const hook of registered) hook(context);
  const { level, category, message } = context;
  return { ...line, level, category, message };
}
