// Evaluates a flow file's `correlate`, the keys by which events find a process, and progress bars what its queues were told of
// them.
import {
  type CorrelationKeys,
  type CorrelationMessage,
  correlationKeys,
  type Listening,
} from '../correlation.ts';
import { Budget } from '../expressions/cost.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { template } from '../expressions/template.ts';
import type { FlowFile, Json } from '../flow-file.ts';
import { outsideEvents } from './incoming.ts';
import type { FlowContext } from './machine-runtime.ts';

export class Correlation {
  readonly #file: FlowFile;
  readonly #keys: ((context: FlowContext, budget: Budget) => CorrelationKeys) | undefined;
  /** Keys by context: contexts are immutable. */
  readonly #known = new WeakMap<FlowContext, CorrelationKeys>();
  #subscriptions: readonly string[] | undefined;

  constructor(file: FlowFile) {
    this.#file = file;
    if (file.correlate) this.#keys = keysOf(file.correlate);
  }

  /** Throws ExpressionFailure. */
  keys(context: FlowContext, budget = new Budget()): CorrelationKeys {
    const known = this.#known.get(context);
    if (known || !this.#keys) return known ?? {};
    const keys = this.#keys(context, budget);
    this.#known.set(context, keys);
    return keys;
  }

  /** Null: no event can find the process. */
  listening(context: FlowContext): Listening | null {
    const keys = this.keys(context);
    if (Object.keys(keys).length === 0) return null;
    this.#subscriptions ??= outsideEvents(this.#file);
    return { flow: this.#file.name, keys, subscriptions: this.#subscriptions };
  }
}

function keysOf(correlate: Json): (context: FlowContext, budget: Budget) => CorrelationKeys {
  const run = template(correlate, 'correlate');
  return ({ input, flow, context }, budget) => {
    const keys = correlationKeys(run({ input, flow, context, event: null, now: null }, budget));
    if (!Array.isArray(keys)) return keys;
    const [{ field, message } = { field: '', message: '' }] = keys;
    throw new ExpressionFailure({
      code: 'ExpressionFailed',
      path: field === '' ? 'correlate' : `correlate.${field}`,
      reason: `it gives no key: ${message}`,
    });
  };
}

/** The process's registration with its queues. It survives a migration to another version of the file. */
export class Registration {
  #known: Listening | null;

  constructor(known: Listening | null = null) {
    this.#known = known;
  }

  get known(): Listening | null {
    return this.#known;
  }

  /** The message that updates the queues; undefined: they are up to date. */
  change(now: Listening | null): CorrelationMessage | undefined {
    const before = this.#known;
    if (JSON.stringify(before) === JSON.stringify(now)) return undefined;
    this.#known = now;
    return { kind: 'listening', now, before: before?.keys ?? {} };
  }
}
