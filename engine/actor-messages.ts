// Messages to a process that are for its inline actors: which they are, why one is not possible now, and who gets it.

import { notPossible, type Rejection, sayWhich } from './commands.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import { handOverUnaccepted, type NotifyingProcess } from './effects.ts';
import type { Entry } from './inbox.ts';
import type { InlineActors } from './inline-actors.ts';

interface AddressedProcess extends NotifyingProcess {
  readonly chart: { readonly actors: InlineActors };
}

export class ActorMessages {
  readonly #process: AddressedProcess;

  constructor(process: AddressedProcess) {
    this.#process = process;
  }

  areOf({ type }: MessageEvent): boolean {
    return this.#process.definition.messages.forActors?.includes(type) === true;
  }

  /** Whether one would take it, be it not now. */
  isForAny(message: MessageEvent): boolean {
    return this.#process.chart.actors.accepting(message) !== undefined;
  }

  /** An independent actor goes on while the chart is halted: what it tells the chart waits behind the event that failed. */
  isForIndependent(entry: Entry): boolean {
    if (entry.kind === 'message') return this.areOf(entry.message);
    const of = actorOf(entry);
    return of !== undefined && this.#process.chart.actors.of(of)?.isIndependent === true;
  }

  /** Why an update is not possible now; undefined: it is. */
  refusalOf(message: MessageEvent): Rejection | undefined {
    return this.#addressed({ ...message, updateId: message.updateId ?? '' }).refusal;
  }

  /** @param step takes it for one of them, as a step of the process */
  take(message: MessageEvent, step: (take: () => void) => void): void {
    const { replies, chart } = this.#process;
    const { keys, refusal } = this.#addressed(message);
    if (refusal && message.updateId !== undefined) {
      replies.refuse(message.updateId, refusal);
      return;
    }
    for (const key of keys) step(() => chart.actors.take(key, message));
    if (keys.length === 0) handOverUnaccepted(message, this.#process);
  }

  #forNobody(type: string): Rejection {
    const { actors } = this.#process.chart;
    const ids = actors.view.flatMap(({ id }) => (actors.of(id)?.isIndependent ? [id] : []));
    const runs =
      ids.length > 0 ? `none of those that run takes it: ${ids.join(', ')}` : 'nothing that runs takes it';
    return notPossible(`${type} is not possible: ${runs}`);
  }

  #addressed(message: MessageEvent): { readonly keys: readonly string[]; readonly refusal?: Rejection } {
    const { type, updateId } = message;
    const accepted = this.#process.chart.actors.accepting(message);
    if (!accepted) return { keys: [], refusal: this.#forNobody(type) };
    if (updateId === undefined || accepted.keys.length < 2) return accepted;
    return { keys: [], refusal: sayWhich(type, accepted.keys) };
  }
}

/** The inline actor that an entry is for. */
function actorOf(entry: Entry): string | undefined {
  if (entry.kind === 'timer') return entry.timer.of;
  return entry.kind === 'answer' ? entry.call.of : undefined;
}
