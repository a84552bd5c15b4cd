/** A line of the log of the app, as tests read it. */
export interface LogLine {
  readonly event?: string;
  readonly requestId?: string;
  readonly status?: number;
  readonly code?: string;
}

/** Adds a line of an app's output, where it is one of its log. */
export function addLogLine(lines: LogLine[], line: string): void {
  if (line.startsWith('{')) lines.push(JSON.parse(line) as LogLine);
}
