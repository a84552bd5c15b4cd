/** The record of the runs on this machine, so that only one runs at a time and the next one knows how the last one ended. */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { tryToLock } from '../../scripts/lock-file.mjs';
import type { Context } from './context.ts';
import { UsageError } from './options.ts';
import { root } from './root.ts';

/** A run, from its start until it ends; what is left of one has failed, or was interrupted. */
interface RunRecord {
  /** Its id, for who reads it; 0: it has ended, and failed. */
  readonly process: number;
  /** True: somebody ended it, and it has taken away what must not stay. */
  readonly interrupted?: boolean;
  readonly machine: string;
  readonly started: string;
  readonly command: string;
  readonly step: string;
  /** Steps of the command that are done. */
  readonly done: readonly string[];
  /** A digest of what they have deployed (`digestOf`). */
  readonly deployed?: string;
  /** Firewall rules that are open. */
  readonly rules: readonly string[];
}

export interface Run {
  /** Steps that the run before did before it was interrupted, of the same command and with the same options and files. */
  readonly doneBefore: readonly string[];
  /** Firewall rules that the run before left open. */
  readonly rulesLeft: readonly string[];
  readonly begin: (step: string) => void;
  readonly complete: (step: string) => void;
  readonly end: (whole: boolean) => void;
}

const fileOf = ({ folder, options }: Context) => join(folder, `${options.environment}.run.json`);

/** Numbers of processes mean nothing on another machine, which may share the folder. */
const lockOf = ({ folder, options }: Context) =>
  join(folder, `${options.environment}.${hostname()}.run.lock`);

/** Notes that a run begins. Throws a UsageError when another one is at work on the environment, on this machine. */
export function beginRun(context: Context, command: string): Run {
  const file = fileOf(context);
  const lock = lockOf(context);
  mkdirSync(context.folder, { recursive: true });
  // The first call may have removed the lock of a run that was killed.
  const isOurs = tryToLock(lock) || tryToLock(lock);
  const before = read(file);
  if (!isOurs)
    throw new UsageError(
      `Another run is at work on this environment${before === undefined ? '' : ` since ${before.started}: ${before.command}, step ${before.step || '(none)'}, process ${before.process}`}. Wait until it ends, or end it. (${file})`,
    );
  if (before)
    context.say(
      `The run of ${before.started} ${before.process === 0 && before.interrupted !== true ? 'failed' : 'was interrupted'} in the step ${before.step || '(none)'}; every step can be run again.`,
    );
  const deployed = digestOf(context);
  const isSame = before?.deployed === deployed;
  if (context.options.resume && before?.command === command && !isSame)
    context.say('Options or files have changed since then: every step is run again.');
  const rulesLeft = before?.rules ?? [];
  write(file, {
    process: process.pid,
    machine: hostname(),
    started: new Date().toISOString(),
    command,
    step: '',
    done: [],
    deployed,
    rules: rulesLeft,
  });
  return {
    doneBefore: before?.command === command && isSame ? before.done : [],
    rulesLeft,
    begin: (step) => change(context, (record) => ({ ...record, step })),
    complete: (step) => change(context, (record) => ({ ...record, done: [...record.done, step] })),
    end: (whole) => {
      const record = read(file);
      // A run that failed leaves what it has done and what it could not take away.
      if (whole && record?.rules.length === 0) rmSync(file, { force: true });
      else if (record) write(file, { ...record, process: 0, interrupted: context.signal.aborted });
      rmSync(lock, { force: true });
    },
  };
}

/** What a deployment is made of, besides its options. */
const deployedPaths = ['infra', 'functions', 'shared', 'packages', 'host.json', 'package-lock.json'];

/** What tools make of it: packages, builds, and what Terraform fetches, locks and keeps as its state. */
const generated = /[\\/](?:(?:node_modules|dist)[\\/]|\.terraform|terraform\.tfstate)/;

/** A digest of what a run deploys: its options, with the values of the environment's file, the package that it names, and the repository's files. */
function digestOf(context: Context): string {
  // What says how a run goes, and not what it makes.
  const {
    resume: _,
    yes: _yes,
    timeLimit: _limit,
    maxAttempts: _attempts,
    wait: _wait,
    ...options
  } = context.options;
  const hash = createHash('sha256').update(JSON.stringify(options));
  const paths = deployedPaths.map((path) => join(root, path));
  for (const file of options.package === undefined ? paths : [...paths, options.package])
    for (const name of filesAt(file)) hash.update(`\0${relative(root, name)}\0`).update(readFileSync(name));
  return hash.digest('hex');
}

/** The files of a folder, in order; a file is itself, and what is not there has none. */
function filesAt(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !generated.test(file.slice(path.length)))
    .sort();
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
