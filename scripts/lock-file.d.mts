/** Takes a lock, unless another running process has it. Returns whether this process has it now. */
export function tryToLock(file: string): boolean;
