// Memo fields of flows.
import type { Attribution } from './attribution.ts';

export interface FlowMemo {
  /** The link to the process's page in the console. Temporal forgets a process's static details, where the link stands too,
   *  when the process continues as a new run; it keeps the memo. */
  readonly consoleLink?: string;
  /** Who has started the process over the API, by the id that the console knows a caller by: names may be alike. */
  readonly startedBy?: string;
  /** Who has started it, and why, for people. */
  readonly who?: Attribution;
}
