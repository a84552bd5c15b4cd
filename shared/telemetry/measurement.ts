/** What is measured of a request: the words of telemetry. */

/** The parts of a request's time, as Server-Timing and the log name them. */
export type Part = 'auth' | 'input' | 'sql' | 'tables' | 'blobs' | 'queue' | 'render';

/** What is measured. `client`: a call leaves the process; `wait`: for others; `compute`: it holds the processor, which is worth a span when it takes long. */
export const kinds = {
  sql: { part: 'sql', is: 'client' },
  source: { part: 'sql', is: 'client' },
  tables: { part: 'tables', is: 'client' },
  blobs: { part: 'blobs', is: 'client' },
  keys: { part: 'auth', is: 'client' },
  identity: { part: 'auth', is: 'client' },
  queue: { part: 'queue', is: 'wait' },
  auth: { part: 'auth', is: 'compute' },
  input: { part: 'input', is: 'compute' },
  render: { part: 'render', is: 'compute' },
} as const satisfies Record<string, { readonly part: Part; readonly is: 'client' | 'wait' | 'compute' }>;

export type Kind = keyof typeof kinds;

/** Facts about a piece of work, under the names of OpenTelemetry's conventions; never values of users. */
export type Attributes = Record<string, string | number | boolean>;

/** One piece of work that was measured. Times are milliseconds on the monotonic clock. */
export interface Measurement {
  readonly kind: Kind;
  readonly name: string;
  readonly attributes: Attributes;
  readonly parent: Measurement | undefined;
  readonly started: number;
  /** Undefined while it runs. */
  ended: number | undefined;
  /** Code of the failure, or its name. */
  error: string | undefined;
  /** Milliseconds of what was measured within it. */
  inner: number;
}

/** The trace of a request, and the span of the caller that it continues, where the caller sent one. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  readonly caller?: {
    /** 16 hexadecimal digits. */
    readonly spanId: string;
    readonly traceState: string;
  };
  /** Whether the host exports its span of the request, where it says so. */
  readonly hostSampled?: boolean;
}

/** The line that an invocation is given goes to its own log. */
export type LogLevel = 'debug' | 'information' | 'error';

/** The invocation of a function, as far as telemetry goes. */
export interface Invocation {
  /** The trace context of the host's own span. */
  readonly traceParent: string | undefined;
  readonly traceState: string | undefined;
  /** The trace context that the caller sent. */
  readonly callerTraceParent?: string | undefined;
  readonly callerTraceState?: string | undefined;
  readonly log: (level: LogLevel, line: string) => void;
}

/** What an audit line says of a change, as far as it is known. */
export interface ChangeFacts {
  readonly kind?: string;
  readonly id?: string | number;
  /** Names of the fields, or identifiers of custom data, that were sent. */
  readonly names?: readonly string[];
  /** Entity tags of the states before and after. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** What came of each object, where a call changes many: each has an audit line. */
  readonly objects?: readonly ChangeOfObject[];
}

/** What came of one of many objects. */
export interface ChangeOfObject {
  readonly id: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface PartTime {
  count: number;
  milliseconds: number;
}

export interface Trace {
  readonly context: TraceContext;
  readonly started: number;
  readonly log: Invocation['log'] | undefined;
  readonly measurements: Measurement[];
  readonly parts: Map<Part, PartTime>;
  change: ChangeFacts;
  /** Milliseconds for which the caller asked to wait. They do not count in the time of the request. */
  waited: number;
  /** Whether the reply was sent; later work no longer belongs to it. */
  done: boolean;
}

/** What came of a request. */
export interface Outcome {
  readonly requestId: string;
  readonly method: string;
  /** The template of the path, without a slash at its start. */
  readonly route: string;
  readonly status: number;
  /** Code of the error that was answered. */
  readonly code: string | undefined;
}

/** A request whose reply is ready. Times are milliseconds on the monotonic clock. */
export interface FinishedTrace {
  readonly trace: Trace;
  readonly outcome: Outcome;
  readonly ended: number;
}
