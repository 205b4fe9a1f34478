// A process that is killed, and replaced by another, as often as a test likes.

export interface Killable extends AsyncDisposable {
  /** With SIGKILL, at any moment; then the next one begins. */
  kill(): Promise<void>;
}

export async function killable(start: () => Promise<Pick<Killable, 'kill'>>): Promise<Killable> {
  let running = await start();
  return {
    kill: async () => {
      await running.kill();
      running = await start();
    },
    [Symbol.asyncDispose]: () => running.kill(),
  };
}
