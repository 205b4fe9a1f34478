// How a process that serves learns that it is to stop: Ctrl-C, or the signal of its supervisor.

/**
 * Resolves with the first such signal. It listens for good, not once: a Ctrl-C arrives from the terminal and again from npm,
 * and the second one must not end the process while it stops.
 * @param more signals that ask for the same, beside SIGINT and SIGTERM
 */
export function shutdownSignal(...more: readonly NodeJS.Signals[]): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', ...more] as const) process.on(signal, resolve);
  });
}
