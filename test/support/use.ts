// A service, a tenant at work, a receiver: made before the tests of a file or before each test, and disposed of after them.
import { beforeAll, beforeEach } from 'vitest';

/** One for all tests of the file. */
export const useInFile = <Resource extends object>(make: () => Promise<Resource>): Resource =>
  used(beforeAll, make);

/** A new one for each test. */
export const useInTest = <Resource extends object>(make: () => Promise<Resource>): Resource =>
  used(beforeEach, make);

/** Stands for the resource: what is read of it, set or called is that of the one that there is at that moment. */
function used<Resource extends object>(
  before: (work: () => Promise<() => Promise<void>>) => void,
  make: () => Promise<Resource>,
): Resource {
  let current: Resource | undefined;
  before(async () => {
    const made = await make();
    current = made;
    return async () => {
      if (Symbol.asyncDispose in made) await (made as AsyncDisposable)[Symbol.asyncDispose]();
    };
  });
  const present = (): Resource => {
    if (!current) throw new TypeError('it is made before the first test, not when the file is read');
    return current;
  };
  return new Proxy((() => undefined) as unknown as Resource, {
    get: (_, name) => {
      const value: unknown = Reflect.get(present(), name);
      return typeof value === 'function' ? value.bind(present()) : value;
    },
    set: (_, name, value) => Reflect.set(present(), name, value),
    ownKeys: () => Reflect.ownKeys(present()),
    getOwnPropertyDescriptor: (_, name) => {
      const property = Reflect.getOwnPropertyDescriptor(present(), name);
      return property && { ...property, configurable: true };
    },
    has: (_, name) => Reflect.has(present(), name),
    apply: (_, __, given) => Reflect.apply(present() as () => unknown, undefined, given),
  });
}
