/** Log lines of an app: which of them the settings let through, and how they are written. */

export const logLevels = ['trace', 'debug', 'information', 'warning', 'error', 'critical', 'none'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogLine {
  readonly level: LogLevel;
  /** `user` for lines of `context.log`, `system` for those of the worker and the library. */
  readonly category: string;
  readonly message: string;
  /** The invocation that the line belongs to. */
  readonly invocation?: { readonly id: string; readonly function: string };
}

export type WriteLog = (line: LogLine) => void;

/** Creates a writer for the log levels of host.json, by the start of a category; `default` is for all others. */
export function createLogWriter(levels: Readonly<Record<string, LogLevel>>): WriteLog {
  const limits = new Map<string, number>();
  const output = lineWriter(process.stdout);
  const errors = lineWriter(process.stderr);
  return ({ level, category, message, invocation }) => {
    const name = categoryName(category, invocation?.function);
    const limit = limits.get(name) ?? limitOf(levels, name);
    limits.set(name, limit);
    if (logLevels.indexOf(level) < limit) return;
    const write = logLevels.indexOf(level) >= logLevels.indexOf('warning') ? errors : output;
    const id = invocation === undefined ? '' : ` ${invocation.id}`;
    write(`[${level}] ${name}${id}: ${message}\n`);
  };
}

/** Creates a writer of lines; those of one turn of the event loop go out together, since a write to a pipe stops the process until it is done. */
function lineWriter(stream: NodeJS.WriteStream): (line: string) => void {
  let lines = '';
  const flush = () => {
    if (lines !== '') stream.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  return (line) => {
    if (lines === '') setImmediate(flush);
    lines += line;
  };
}

/** The name under which the host logs a line. */
function categoryName(category: string, functionName: string | undefined): string {
  if (functionName === undefined) return 'Worker.node';
  return category === 'user' ? `Function.${functionName}.User` : `Function.${functionName}`;
}

/** Finds the longest category of the settings that the name begins with. */
function limitOf(levels: Readonly<Record<string, LogLevel>>, name: string): number {
  const parts = name.toLowerCase().split('.');
  for (let count = parts.length; count > 0; count--) {
    const level = levels[parts.slice(0, count).join('.')];
    if (level !== undefined) return logLevels.indexOf(level);
  }
  return logLevels.indexOf(levels['default'] ?? 'information');
}
