// What a process tells the workflow that has started it as a child: only what that one listens for, in order, as signals.
import { getExternalWorkflowHandle, log, workflowInfo } from '@temporalio/workflow';

/** The signal by which a parent hears of its child; its argument is an event. */
export const CHILD_EVENT = 'childEvent';

/** In the memo that a parent starts its child with: a `Listening`. */
export const PARENT_MEMO = 'parent';

export interface Listening {
  /** Under which the parent knows the child: the events are `<id>.<news>`. */
  readonly id: string;
  /** `issue.Completed`, `issue.*`, or `*` for all. */
  readonly hears: readonly string[];
}

/** What a step has brought, like `issue.Completed`. */
export interface News {
  readonly type: string;
  readonly [field: string]: unknown;
}

export class Parent {
  /** Null: it has no parent, or one that hears nothing; it costs nothing then. */
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
      // Of any run: the parent may have continued as a new one.
      if (parent) await getExternalWorkflowHandle(parent.workflowId).signal(CHILD_EVENT, event).catch(left);
    this.#running = null;
  }
}

/** The parent has ended: there is nobody to tell. */
const left = (error: unknown) => log.info('the parent workflow was not told', { error: String(error) });

function isHeard(pattern: string, type: string): boolean {
  if (pattern === '*' || pattern === type) return true;
  return pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1));
}
