// What all projects of a run share: vitest loads a set-up once for each project, always into the same process.

/** Starts it at the first call; every call of the same name gives the same. */
export function once<Shared>(name: string, start: () => Promise<Shared>): Promise<Shared> {
  const started = globalThis as { [key: symbol]: Promise<Shared> | undefined };
  const key = Symbol.for(`lockerflow test set-up: ${name}`);
  started[key] ??= start();
  return started[key];
}
