// Long work in the thread that answers requests: it lets the others have their turn.

const AT_ONCE_MS = 20;

/** Call it in each round of a loop; undefined: go on. What is given must be waited for. */
export function yieldToEventLoop(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < AT_ONCE_MS) return undefined;
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      since = performance.now();
    });
  };
}
