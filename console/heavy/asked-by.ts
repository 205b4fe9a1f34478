// In whose request heavy work is asked for. The work is asked for far below the route, by code that knows of no request.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Asker {
  /** The id of the person or the program. */
  readonly caller: string;
  /** Whether nobody reads the answer any more. */
  isGone(): boolean;
}

export const askedBy = new AsyncLocalStorage<Asker>();
