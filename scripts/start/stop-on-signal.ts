/** Stops work in order at the first signal, and ends this process at the second one; the child processes then end by themselves. */
export function stopOnSignal(stop: () => Promise<unknown>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(130);
      stopping = true;
      console.log('\nStopping ... (Ctrl-C again ends it at once)');
      void stop().then(() => process.exit(0));
    });
  }
}
