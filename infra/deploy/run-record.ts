/** The record of the runs on this machine, so that only one runs at a time and the next one knows how the last one ended. */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Context } from './context.ts';
import { UsageError } from './options.ts';

/** A run, from its start until it ends; what is left of one has failed, or was interrupted. */
interface RunRecord {
  /** Its id; 0: it has ended, and failed. */
  readonly process: number;
  /** True: somebody ended it, and it has taken away what must not stay. */
  readonly interrupted?: boolean;
  readonly machine: string;
  readonly started: string;
  readonly command: string;
  readonly step: string;
  /** Steps of the command that are done. */
  readonly done: readonly string[];
  /** Firewall rules that are open. */
  readonly rules: readonly string[];
}

export interface Run {
  /** Steps that the run before did before it was interrupted, of the same command. */
  readonly doneBefore: readonly string[];
  /** Firewall rules that the run before left open. */
  readonly rulesLeft: readonly string[];
  readonly begin: (step: string) => void;
  readonly complete: (step: string) => void;
  readonly end: (whole: boolean) => void;
}

const fileOf = ({ folder, options }: Context) => join(folder, `${options.environment}.run.json`);

/** Notes that a run begins. Throws a UsageError when another one is at work on the environment, on this machine. */
export function beginRun(context: Context, command: string): Run {
  const file = fileOf(context);
  mkdirSync(context.folder, { recursive: true });
  const started: RunRecord = {
    process: process.pid,
    machine: hostname(),
    started: new Date().toISOString(),
    command,
    step: '',
    done: [],
    rules: [],
  };
  const before = claim(file, started);
  if (before)
    context.say(
      `The run of ${before.started} ${before.process === 0 && before.interrupted !== true ? 'failed' : 'was interrupted'} in the step ${before.step || '(none)'}; every step can be run again.`,
    );
  write(file, { ...started, rules: before?.rules ?? [] });
  return {
    doneBefore: before?.command === command ? before.done : [],
    rulesLeft: before?.rules ?? [],
    begin: (step) => change(context, (record) => ({ ...record, step })),
    complete: (step) => change(context, (record) => ({ ...record, done: [...record.done, step] })),
    end: (whole) => {
      const record = read(file);
      // A run that failed leaves what it has done and what it could not take away.
      if (whole && record?.rules.length === 0) rmSync(file, { force: true });
      else if (record) write(file, { ...record, process: 0, interrupted: context.signal.aborted });
    },
  };
}

/** Writes the record unless it exists; else returns the one of an interrupted run. Throws a UsageError while that run is at work. */
function claim(file: string, record: RunRecord): RunRecord | undefined {
  try {
    writeFileSync(file, JSON.stringify(record), { flag: 'wx' });
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const before = read(file);
  if (
    before &&
    before.process !== record.process &&
    before.machine === record.machine &&
    isAlive(before.process)
  )
    throw new UsageError(
      `Another run is at work on this environment since ${before.started}: ${before.command}, step ${before.step || '(none)'}, process ${before.process}. Wait until it ends, or end it. (${file})`,
    );
  return before;
}

/** Remembers that a firewall rule is open, or that it is gone. */
export function noteRule(context: Context, name: string, open: boolean): void {
  change(context, (record) => ({
    ...record,
    rules: open ? [...record.rules, name] : record.rules.filter((rule) => rule !== name),
  }));
}

/** The firewall rules that runs on this machine have left open, this one's included. */
export const openRules = (context: Context): readonly string[] => read(fileOf(context))?.rules ?? [];

function change(context: Context, next: (record: RunRecord) => RunRecord): void {
  const record = read(fileOf(context));
  if (record) write(fileOf(context), next(record));
}

function read(file: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
  } catch {
    return undefined;
  }
}

/** Whole or not at all: a run may be killed at any time. */
function write(file: string, record: RunRecord): void {
  writeFileSync(`${file}.new`, JSON.stringify(record));
  renameSync(`${file}.new`, file);
}

function isAlive(id: number): boolean {
  if (id <= 0) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
