// What people did to the questions of a process, done again to those of its play.
import { Questions } from '../language/machine/questions.ts';
import type { MadeCalls } from './made-calls.ts';
import type { PersonStimulus, Stimulus } from './recorded-process.ts';

export class PlayedPeople {
  readonly questions = new Questions();
  readonly #made: MadeCalls;
  readonly #answered = new Map<Stimulus, string>();

  constructor(made: MadeCalls) {
    this.#made = made;
  }

  /** The key of the question that each was about. */
  get answered(): ReadonlyMap<Stimulus, string> {
    return this.#answered;
  }

  /**
   * Gives why it is not possible now; undefined: it is done.
   * @param question what it is for now, where the file asks it by another id
   */
  take(stimulus: PersonStimulus, question?: string): string | undefined {
    const { questions } = this;
    const given = { ...stimulus.given, ...(question !== undefined && { question }) };
    const refusal =
      stimulus.kind === 'answer' ? questions.refusal(given) : questions.changeRefusal(stimulus.action, given);
    if (refusal) {
      const what =
        stimulus.kind === 'answer'
          ? 'the answer of history is not one to its question'
          : `somebody did ${stimulus.action} a question, which is refused now`;
      return `${what}: ${refusal.message}`;
    }
    const taken =
      stimulus.kind === 'answer' ? questions.answer(given) : questions.change(stimulus.action, given);
    this.#answered.set(stimulus, this.#made.keyOfQuestion(taken.question));
    return undefined;
  }
}
