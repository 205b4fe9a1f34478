// The inbox: everything that waits for a person.
import { AnswerCache } from '../../answer-cache.ts';
import { ProcessClocks } from '../../process-clocks.ts';
import type { KeptQuestions } from '../questions.ts';
import { decisions } from './decisions.ts';
import { DoorWatch, doors } from './doors.ts';
import type { InboxView } from './inbox-entry.ts';
import { itemsLeft } from './items-left.ts';
import { parked } from './parked.ts';
import { questions } from './questions.ts';
import { type LastRead, readInbox } from './read-inbox.ts';
import type { InboxParts, InboxSource } from './source.ts';

export class Inbox {
  readonly keptQuestions: KeptQuestions = new AnswerCache();
  readonly #parts: InboxParts;
  readonly #doorWatch: DoorWatch;
  readonly #sources: readonly InboxSource[];
  readonly #lastRead: LastRead = new Map();

  /** @param changed called when a look has ended */
  constructor(parts: InboxParts, changed: () => void) {
    this.#parts = parts;
    this.#doorWatch = new DoorWatch(parts, changed);
    const asked = questions(new ProcessClocks(), this.keptQuestions);
    this.#sources = [decisions(), asked, doors, itemsLeft, parked];
  }

  read(): Promise<InboxView> {
    this.#doorWatch.goOn();
    return readInbox(this.#parts, this.#sources, this.#lastRead);
  }
}
