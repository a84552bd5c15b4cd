/** Whether work lets others have the event loop. */

/** Does some work, and counts the turns that others got meanwhile. */
export async function withTurns<Result>(work: () => Promise<Result>) {
  let turns = 0;
  let isDone = false;
  const take = () => {
    if (isDone) return;
    turns++;
    setImmediate(take);
  };
  setImmediate(take);
  try {
    return { result: await work(), turns };
  } finally {
    isDone = true;
  }
}
