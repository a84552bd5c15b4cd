// A lock that is a file with the process that has taken it. It uses nothing but what Node 18 has.

import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Milliseconds after which a claim is one of a process that ended while it removed a lock. */
const maxClaimAge = 10_000;

/**
 * Takes a lock, unless another running process has it; removes that of a process that has ended, to be taken at the next call. Returns whether this
 * process has it now; it does not ask again then.
 */
export function tryToLock(file) {
  const own = `${file}.${process.pid}`;
  // A link appears with its content at once: no process ever sees a lock without an owner.
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  const owner = ownerOf(file);
  // A process that had the number of this one has ended: in a container numbers come again.
  if (owner !== 0 && (owner === process.pid || !isRunning(owner))) removeLockOf(owner, file);
  return false;
}

/**
 * Removes the lock of a process that has ended. Of several processes that find it one has the claim, and looks again: the lock may be that of a
 * running process by then, which was the first.
 */
function removeLockOf(owner, file) {
  const claim = `${file}.claim`;
  try {
    writeFileSync(claim, '', { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    removeOldClaim(claim);
    return;
  }
  try {
    if (ownerOf(file) === owner) rmSync(file, { force: true });
  } finally {
    rmSync(claim, { force: true });
  }
}

function removeOldClaim(claim) {
  const { mtimeMs } = statSync(claim, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  if (Date.now() - mtimeMs > maxClaimAge) rmSync(claim, { force: true });
}

/** The process that has taken the lock; 0 when it has been removed since. */
function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return 0;
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
