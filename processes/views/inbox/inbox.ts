// The inbox: everything that waits for a person, and the comparison by which it finds what no process knows.
import type { ServiceReader } from '../../../shared/locker-api/compared-service.ts';
import { AnswerCache } from '../../answer-cache.ts';
import { Comparisons } from '../comparison.ts';
import type { KeptQuestions } from '../questions.ts';
import { decisions } from './decisions.ts';
import { disagreements, type Mended, mend } from './disagreements.ts';
import { DoorWatch, doors } from './doors.ts';
import type { InboxView } from './inbox-entry.ts';
import { itemsLeft } from './items-left.ts';
import { LateCallbacks } from './late-callbacks.ts';
import { parked } from './parked.ts';
import { ProcessClocks } from './process-clocks.ts';
import { questions } from './questions.ts';
import { type LastRead, readInbox } from './read-inbox.ts';
import type { ActingAtService, InboxParts, InboxSource } from './source.ts';

export class Inbox {
  readonly comparisons: Comparisons;
  readonly keptQuestions: KeptQuestions = new AnswerCache();
  readonly #parts: InboxParts;
  readonly #late: LateCallbacks;
  readonly #doorWatch: DoorWatch;
  readonly #sources: readonly InboxSource[];
  readonly #lastRead: LastRead = new Map();

  /** @param changed called when a look has ended */
  constructor(parts: InboxParts, changed: () => void) {
    const { peer, service } = parts;
    const reader: ServiceReader = {
      peer,
      call: (operation, request) => service.call(operation, request),
    };
    this.#parts = parts;
    this.comparisons = new Comparisons(parts, reader);
    this.#late = new LateCallbacks(parts, reader, changed);
    this.#doorWatch = new DoorWatch(parts, changed);
    const asked = questions(new ProcessClocks(), this.keptQuestions);
    this.#sources = [decisions(), asked, doors, itemsLeft, parked, disagreements(this.#found)];
  }

  read(): Promise<InboxView> {
    this.#doorWatch.goOn();
    return readInbox(this.#parts, this.#sources, this.#found, this.#lastRead);
  }

  /** Waits for a look at the shipments that changed last: for whoever reads it only once. */
  async readOnce(): Promise<InboxView> {
    await this.#late.look();
    return await this.read();
  }

  mend(acting: ActingAtService, wanted: Mended): Promise<string> {
    return mend(acting, this.#found, wanted);
  }

  get #found() {
    return { comparisons: this.comparisons, late: this.#late };
  }
}
