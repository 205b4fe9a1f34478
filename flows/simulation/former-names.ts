// What the parts of a file were called in the version that the process ran on: a part with a new name is the same part.
import { getOwn } from '../../engine/chart/messages.ts';
import { ACTOR_TIMER } from '../../engine/inline-actor.ts';
import { type FlowFile, invokesIn } from '../language/flow-file.ts';
import { inverse, type Renames, renamed, renamesOf } from '../language/machine/migration.ts';

const none: Renames = { states: {}, invokes: {}, events: {} };

/** By the names of now. What the version that the process ran on had renamed itself is not renamed since. */
function renamesSince(file: FlowFile, former: FlowFile): Renames {
  const [now, then] = [inverse(renamesOf(file)), inverse(renamesOf(former))];
  const since = (kind: keyof Renames) =>
    Object.fromEntries(Object.entries(now[kind]).filter(([name, was]) => getOwn(then[kind], name) !== was));
  return { states: since('states'), invokes: since('invokes'), events: since('events') };
}

export class FormerNames {
  /** By the names of now. */
  readonly #names: Renames;
  readonly #invokes: ReadonlyMap<string, string>;

  /** @param former that of the version that the process ran on, if this is another one */
  constructor(file: FlowFile, former?: FlowFile) {
    const names = former ? renamesSince(file, former) : none;
    this.#names = names;
    this.#invokes = new Map(
      invokesIn(file).map(({ id, invoke }) => [
        id,
        // Without an id of its own it is named after its state.
        getOwn(names.invokes, id) ?? (invoke.id === undefined ? renamed(id, names.states) : id),
      ]),
    );
  }

  state(path: string): string {
    return renamed(path, this.#names.states);
  }

  /** Also of what is made of the id of an invoke: of an item of an `each`, or of a call of a booking. */
  invoke(id: string): string {
    return this.#invokes.get(id) ?? this.#within(id);
  }

  #within(name: string): string {
    const now = [...this.#invokes.keys()]
      .filter((id) => name.startsWith(id) && /[./ ]/.test(name.charAt(id.length)))
      .sort((one, other) => other.length - one.length)[0];
    return now === undefined ? name : `${this.#invokes.get(now)}${name.slice(now.length)}`;
  }

  /** In words. */
  event(type: string): string {
    if (type.startsWith('xstate.after.') || type === ACTOR_TIMER) return 'a timer';
    const [, what, id = ''] = /^xstate\.(done|error)\.actor\.(.*)$/s.exec(type) ?? [];
    if (what) return `${this.invoke(id)} ${what === 'done' ? 'is done' : 'has failed'}`;
    return getOwn(this.#names.events, type) ?? this.#within(type);
  }

  /** An event from outside by the name that it has now. */
  eventNow(payload: unknown): unknown {
    const { type } = (payload ?? {}) as { readonly type?: unknown };
    const found = Object.entries(this.#names.events).find(([, former]) => former === type);
    return found ? { ...(payload as object), type: found[0] } : payload;
  }

  /** What somebody has said of a booking, by the name that it has now. */
  updateNow(given: unknown): unknown {
    const { booking } = (given ?? {}) as { readonly booking?: unknown };
    const found = [...this.#invokes].find(([, former]) => former === booking);
    return found ? { ...(given as object), booking: found[0] } : given;
  }
}
