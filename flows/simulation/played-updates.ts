// What people did to the bookings and timers of a process, done again to those of its play.
import type { Process } from '../../engine/process.ts';
import type { FormerNames } from './former-names.ts';

type Fields = Readonly<Record<string, unknown>>;

export class PlayedUpdates {
  readonly #names: FormerNames;
  /** How the last move of each end was answered here: that is what is undone of it. */
  readonly #moves = new Map<string, Fields>();

  constructor(names: FormerNames) {
    this.#names = names;
  }

  /** Gives why it is not possible now; undefined: it is done. */
  take(process: Process, name: string, given: unknown): string | undefined {
    const fields = (this.#names.updateNow(given) ?? {}) as Fields;
    const end = endIn(fields);
    const undo = fields.undo === undefined ? undefined : this.#moves.get(end);
    const now = undo ? { ...fields, undo } : fields;
    const refusal = process.updateRefusal(name, now);
    if (refusal) return `somebody did ${name}, which is refused now: ${refusal.message}`;
    const answer = (value: unknown) => void this.#moves.set(end, value as Fields);
    process.update(name, now, 'played', { answer, refuse: () => undefined });
    return undefined;
  }
}

/** Which deadline or timer it is about. */
const endIn = ({ booking, role, stage, timer }: Fields): string =>
  JSON.stringify([booking, role, stage, timer]);
