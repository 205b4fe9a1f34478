// The receiver's log of callbacks. Anybody can post to the receiver, so a stranger must not fill the log: few refusals
// are logged one by one, with little of what was sent. The rest is counted, by the reason.
import { shortened } from '../../contract/wire/format-issue.ts';
import { LONGEST_UID, type Received, type RejectedCallback } from './receive-callback.ts';

/** Those of pino that it needs. */
interface LogLines {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Refused callbacks that are logged one by one in a minute, of each reason: a flood of one must not hide another. */
export const LINES_A_MINUTE = 10;
const MINUTE_MS = 60_000;

export class ReceivedLog {
  readonly #log: LogLines;
  /** By the reason: how many in this minute. */
  readonly #refused = new Map<RejectedCallback['why'], number>();
  #minute: NodeJS.Timeout | undefined;

  constructor(log: LogLines) {
    this.#log = log;
  }

  write({ error, refused, ...received }: Received): void {
    const fields = { ...received, ...short(received) };
    if (error) this.#log.error({ ...fields, err: error }, 'callback not taken');
    else if (refused) this.#refuse(fields, refused);
    else this.#log.info(fields, 'callback');
  }

  #refuse(fields: object, refused: RejectedCallback): void {
    const { why, words } = refused;
    const count = (this.#refused.get(why) ?? 0) + 1;
    this.#refused.set(why, count);
    this.#minute ??= setTimeout(() => this.close(), MINUTE_MS).unref();
    if (count <= LINES_A_MINUTE)
      this.#log.warn({ ...fields, ...refused }, `callback refused (${why}): ${words}`);
  }

  /** Logs what has only been counted. */
  close(): void {
    clearTimeout(this.#minute);
    this.#minute = undefined;
    for (const [why, count] of this.#refused)
      if (count > LINES_A_MINUTE)
        this.#log.warn({ why, count: count - LINES_A_MINUTE }, 'more callbacks refused');
    this.#refused.clear();
  }
}

/** Without authentication (LOCKER_CALLBACK_AUTH=None) anybody chooses them. */
const short = ({ shipmentUid, caseNumber }: Omit<Received, 'error' | 'refused'>) => ({
  shipmentUid: shipmentUid && shortened(shipmentUid, LONGEST_UID),
  ...(caseNumber !== undefined && { caseNumber: shortened(caseNumber, LONGEST_UID) }),
});
