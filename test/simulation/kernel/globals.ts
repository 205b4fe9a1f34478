// Replaces what Node has of time and chance for the whole program: code of the product that sleeps, waits or draws gets the
// simulated ones. It must be imported before anything of the product, and nothing but a simulation may run in the program.
import { AsyncLocalStorage } from 'node:async_hooks';
import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { Due, Simulator } from './simulator.ts';

// Temporal's SDK takes it from here, as in its own sandbox.
Object.assign(globalThis, { AsyncLocalStorage });

const real = {
  Date,
  setImmediate,
  now: Date.now.bind(Date),
  performanceNow: performance.now.bind(performance),
};

let simulator: Simulator | null = null;
let workflowTime: (() => number | undefined) | null = null;
let workflowChance: (() => number | undefined) | null = null;

/** All time and chance from now on. */
export function simulate(
  by: Simulator,
  inWorkflow: { readonly time: () => number | undefined; readonly chance: () => number | undefined },
): void {
  simulator = by;
  workflowTime = inWorkflow.time;
  workflowChance = inWorkflow.chance;
}

/** For the report only. */
export const realMilliseconds = (): number => real.performanceNow();

/** Outside of all microtasks. */
export const macrotask = <Value>(run: () => Value): Promise<Value> =>
  new Promise((resolve, reject) =>
    real.setImmediate(() => {
      try {
        resolve(run());
      } catch (error) {
        reject(error);
      }
    }),
  );

const now = (): number => workflowTime?.() ?? simulator?.now ?? real.now();

class SimulatedDate extends real.Date {
  constructor(...given: readonly unknown[]) {
    super(...((given.length > 0 ? given : [now()]) as [number]));
  }

  static override now = now;
}

interface Handle {
  due: Due | null;
  isCleared: boolean;
  ref(): Handle;
  unref(): Handle;
  hasRef(): boolean;
  refresh(): Handle;
  [Symbol.dispose](): void;
}

function handle(begin: (own: Handle) => void): Handle {
  const own: Handle = {
    due: null,
    isCleared: false,
    ref: () => own,
    unref: () => own,
    hasRef: () => true,
    refresh: () => {
      if (own.due) simulator?.drop(own.due);
      begin(own);
      return own;
    },
    [Symbol.dispose]: () => clear(own),
  };
  begin(own);
  return own;
}

function clear(given: Handle | undefined): void {
  if (!given) return;
  given.isCleared = true;
  if (given.due) simulator?.drop(given.due);
}

function later(milliseconds: number, what: string, run: () => void): Due {
  if (!simulator) throw new TypeError('a timer is set, but no simulation runs');
  // As Node's own: never at once. Of a program that was killed it never rings.
  return simulator.in(Math.max(1, milliseconds || 0), what, run, simulator.program);
}

type Callback = (...given: unknown[]) => void;

const simulatedTimeout = (callback: Callback, milliseconds = 1, ...given: unknown[]): Handle =>
  handle((own) => {
    own.due = later(
      milliseconds,
      'timeout',
      AsyncLocalStorage.bind(() => callback(...given)),
    );
  });

const simulatedInterval = (callback: Callback, milliseconds = 1, ...given: unknown[]): Handle => {
  const bound = AsyncLocalStorage.bind(() => callback(...given));
  return handle((own) => {
    const ring = (): void => {
      if (own.isCleared) return;
      bound();
      if (!own.isCleared) own.due = later(milliseconds, 'interval', ring);
    };
    own.due = later(milliseconds, 'interval', ring);
  });
};

function simulatedSleep<Value>(
  milliseconds?: number,
  value?: Value,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(new DOMException('The operation was aborted', 'AbortError'));
    if (signal?.aborted) return aborted();
    signal?.addEventListener('abort', aborted, { once: true });
    later(milliseconds ?? 1, 'sleep', () => resolve(value as Value));
  });
}

Object.assign(globalThis, {
  Date: SimulatedDate,
  setTimeout: simulatedTimeout,
  setInterval: simulatedInterval,
  clearTimeout: clear,
  clearInterval: clear,
});
Math.random = () => {
  if (!simulator) throw new TypeError('a random number is drawn, but no simulation runs');
  return workflowChance?.() ?? simulator.random.fraction();
};
performance.now = () => now() - real.now.length;
AbortSignal.timeout = (milliseconds) => {
  const controller = new AbortController();
  const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  later(milliseconds, 'timeout', () => controller.abort(reason));
  return controller.signal;
};
Object.assign(timersPromises, { setTimeout: simulatedSleep });
const simulatedUuid = () => simulator?.random.uuid() ?? nodeCrypto.webcrypto.randomUUID();
Object.assign(nodeCrypto, { randomUUID: simulatedUuid });
syncBuiltinESMExports();
