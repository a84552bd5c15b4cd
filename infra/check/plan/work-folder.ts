/** Files as a folder on disk for a tool, and what a tool has computed of them, each by its content. */

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { root } from '../root.ts';

type Files = ReadonlyMap<string, string>;

let base: string | undefined;

/** Returns the folder that holds these files; it is removed when the process ends. */
export function workFolder(files: Files): string {
  if (base === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'check-infra-'));
    base = made;
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  }
  const folder = join(base, keyOf(files).slice(0, 16));
  if (existsSync(folder)) return folder;
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

/** The files that a stack may read: its own, and those that both share. */
export function filesOf(stack: 'bicep' | 'terraform', files: Files): Files {
  const folders = [stack, 'profiles', 'queries', 'gateway', 'entra', 'runner'].map(
    (name) => `infra/${name}/`,
  );
  const isRead = (file: string) =>
    file === 'infra/concurrency.json' ||
    (!file.endsWith('.md') && folders.some((folder) => file.startsWith(folder)));
  return new Map([...files].filter(([file]) => isRead(file)));
}

/** A digest of the sources of the emulated providers, so that plans of an earlier emulator are not reused. */
export function emulatorDigest(): string {
  const paths = ['infra/check/terraform', 'infra/check/plan', 'infra/facts'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
  );
  return keyOf(new Map(paths.map((path) => [path, readFileSync(path, 'utf8')])));
}

const computed = new Map<string, Promise<string>>();

/** Returns the answer of a tool to a question about files, computed once in this process and on this machine. */
export function computedOnce(
  files: Files,
  question: unknown,
  compute: () => Promise<string>,
): Promise<string> {
  const key = createHash('sha256')
    .update(`${keyOf(files)} ${JSON.stringify(question)}`)
    .digest('hex');
  const result = computed.get(key) ?? onDisk(key, compute);
  computed.set(key, result);
  return result;
}

async function onDisk(key: string, compute: () => Promise<string>): Promise<string> {
  const file = join(root, '.local/check-infra', `${key}.gz`);
  if (existsSync(file)) return gunzipSync(readFileSync(file)).toString();
  const result = await compute();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(result));
  return result;
}

function keyOf(files: Files): string {
  const hash = createHash('sha256');
  for (const [file, text] of [...files].sort()) hash.update(`${file}\0${text}\0`);
  return hash.digest('hex');
}
