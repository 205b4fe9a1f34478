// The inbox: everything that waits for a person.
import { AnswerCache } from '../../answer-cache.ts';
import { ProcessClocks } from '../../flow-clock.ts';
import type { KeptQuestions } from '../questions.ts';
import { decisions } from './decisions.ts';
import { doors } from './doors.ts';
import type { InboxView } from './inbox-entry.ts';
import { itemsLeft } from './items-left.ts';
import { parked } from './parked.ts';
import { questions } from './questions.ts';
import { type LastRead, readInbox } from './read-inbox.ts';
import type { InboxParts, InboxSource } from './source.ts';

export class Inbox {
  readonly keptQuestions: KeptQuestions = new AnswerCache();
  readonly #parts: InboxParts;
  readonly #sources: readonly InboxSource[];
  readonly #lastRead: LastRead = new Map();

  constructor(parts: InboxParts) {
    this.#parts = parts;
    const asked = questions(new ProcessClocks(), this.keptQuestions);
    this.#sources = [decisions(), asked, doors, itemsLeft, parked];
  }

  read(): Promise<InboxView> {
    return readInbox(this.#parts, this.#sources, this.#lastRead);
  }
}
