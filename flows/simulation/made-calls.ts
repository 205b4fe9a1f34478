// The calls that a play makes, by what history knows them by; and why what came of one then may not be what would come of it.
import type { VirtualCall } from '../../engine/virtual-host.ts';
import type { Json, JsonObject } from '../language/flow-file.ts';
import type { Invocation } from '../language/machine/machine-runtime.ts';
import { UNDO_KEY } from '../language/machine/undo.ts';
import { askedOfService, bookingCallName } from './booking-call.ts';
import type { FormerNames } from './former-names.ts';
import { callKey } from './recorded-process.ts';

/** As a step shows it: a call that it makes, or a question that it asks. */
export interface Started {
  readonly id: string;
  readonly src: string;
  /** For a question only whose it is: its words do not change what the process does. */
  readonly input: Json;
}

export interface MadeCall extends Started {
  readonly key: string;
  readonly at: number;
  readonly subscriptions: readonly string[];
  /** How what came of it is read: `keep` of a call. */
  readonly keep: Json | undefined;
  /** What a booking asks the service. */
  readonly asked: Readonly<Record<string, string>> | undefined;
  isCancelled: boolean;
}

export class MadeCalls {
  readonly #names: FormerNames;
  readonly #counts = new Map<string, number>();
  readonly #made = new Map<string, MadeCall>();
  readonly #keys = new WeakMap<VirtualCall, string>();

  constructor(names: FormerNames) {
    this.#names = names;
  }

  get all(): ReadonlyMap<string, MadeCall> {
    return this.#made;
  }

  keyOf(call: VirtualCall): string {
    return this.#keys.get(call) ?? '';
  }

  /** That of the last question with this id. */
  keyOfQuestion(id: string): string {
    const former = this.#names.invoke(id);
    return callKey(former, this.#counts.get(former) ?? 0);
  }

  add(call: VirtualCall, at: number): MadeCall {
    const { name, count, ...made } = this.#ofBooking(call) ?? this.#ofFile(call);
    const number = count ?? (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, number);
    const key = callKey(name, number);
    const all: MadeCall = { ...made, key, at, isCancelled: false };
    this.#keys.set(call, key);
    this.#made.set(key, all);
    return all;
  }

  #ofBooking({ id, type, input }: VirtualCall) {
    const name = bookingCallName(type, input, (each) => this.#names.invoke(each));
    if (name === undefined) return undefined;
    const asked = askedOfService(type, input);
    const shown = { id: this.#names.invoke(id), src: type, input: null };
    return { name, count: undefined, ...shown, subscriptions: [], keep: undefined, asked };
  }

  #ofFile({ input: invocation }: VirtualCall) {
    const { id, src, input, subscriptions, step } = invocation as Invocation;
    const { keep } = (src === 'call' ? input : {}) as JsonObject;
    const former = this.#names.invoke(id);
    const count = src === 'ask' ? undefined : step;
    const name = count === undefined ? former : UNDO_KEY;
    const shown = { id: former, src, input: shownInput(src, input) };
    return { name, count, ...shown, subscriptions, keep, asked: undefined };
  }
}

function shownInput(src: string, input: Json): Json {
  if (src === 'ask') return { of: (input as JsonObject).of ?? null };
  if (src !== 'call') return input;
  const { keep: _, ...asked } = input as JsonObject;
  return asked;
}

/**
 * Why history does not know what would come of a call; undefined: it does.
 * @param id by the names of now
 */
export function doubtAbout(id: string, now: MadeCall, then: MadeCall | undefined): string | undefined {
  if (then?.src !== now.src) return `history has no ${now.src === 'ask' ? 'answer to' : 'outcome of'} ${id}`;
  const { asked = {} } = then;
  const other = Object.entries(now.asked ?? {}).flatMap(([part, text]) =>
    text === asked[part] ? [] : [part],
  );
  if (other.length > 0)
    return `${id} asks the service for something else (${other.join(', ')}), and history has no answer to that`;
  if (now.asked && now.at !== then.at)
    return `${id} asks the service at another time, and history has no answer from then`;
  // A task is played with the file: it sends its events itself.
  const heard = now.src === 'ask' ? [] : now.subscriptions;
  const unheard = heard.filter(
    (type) => !then.subscriptions.includes(type) && !then.subscriptions.includes('*'),
  );
  if (unheard.length > 0) return `it listens for ${unheard.join(', ')} of ${id}, which history was not told`;
  if (JSON.stringify(now.keep) !== JSON.stringify(then.keep))
    return `it keeps something else of the answer to ${id}`;
  return undefined;
}
