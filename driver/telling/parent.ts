// Sends the parent workflow the events that it listens for, in order, as signals.
import { getExternalWorkflowHandle, log, workflowInfo } from '@temporalio/workflow';

/** The signal with an event of a child; its argument is the event. */
export const CHILD_EVENT = 'childEvent';

/** In the memo that a parent starts its child with: a `Listening`. */
export const PARENT_MEMO = 'parent';

export interface Listening {
  /** The parent's id for the child: the events are `<id>.<news>`. */
  readonly id: string;
  /** `issue.Completed`, `issue.*`, or `*` for all. */
  readonly hears: readonly string[];
}

/** The event of a step, like `issue.Completed`. */
export interface News {
  readonly type: string;
  readonly [field: string]: unknown;
}

export class Parent {
  /** Null: no parent, or a parent that listens for nothing; then it costs nothing. */
  readonly listening: Listening | null;
  readonly #waiting: News[] = [];
  #running: Promise<void> | null = null;

  constructor() {
    const { parent, memo } = workflowInfo();
    const given = memo?.[PARENT_MEMO] as Listening | undefined;
    this.listening = parent && given ? given : null;
  }

  get isIdle(): boolean {
    return this.#running === null;
  }

  tell(news: readonly News[]): void {
    if (!this.listening) return;
    const { id, hears } = this.listening;
    for (const each of news)
      if (hears.some((pattern) => isHeard(pattern, each.type)))
        this.#waiting.push({ ...each, type: `${id}.${each.type}` });
    if (this.#waiting.length > 0) this.#running ??= this.#tellAll();
  }

  async finished(): Promise<void> {
    await this.#running;
  }

  async #tellAll(): Promise<void> {
    const { parent } = workflowInfo();
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift())
      // Without a run id: the parent may have continued as a new run.
      if (parent) await getExternalWorkflowHandle(parent.workflowId).signal(CHILD_EVENT, event).catch(left);
    this.#running = null;
  }
}

/** The parent has ended. */
const left = (error: unknown) => log.info('the parent workflow was not told', { error: String(error) });

function isHeard(pattern: string, type: string): boolean {
  if (pattern === '*' || pattern === type) return true;
  return pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1));
}
