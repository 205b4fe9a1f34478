// The receiver's log of callbacks and hooks. Anybody can post to the receiver, so a stranger must not fill the log: few refusals
// are logged one by one, with little of what was sent. The rest is counted, by the reason.
import { shortened } from '../../contract/wire/format-issue.ts';

import { LONGEST_UID, LONGEST_WORDS, type Received } from './receive-callback.ts';
import type { ReceivedHook } from './receive-hook.ts';

/** Those of pino that it needs. */
interface LogLines {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Refused callbacks that are logged one by one in a minute, of each reason: a flood of one must not hide another. */
export const LINES_A_MINUTE = 10;
const MINUTE_MS = 60_000;

/** What was refused so, or asked without proof, and how often in this minute. */
interface Counted {
  readonly what: keyof typeof more;
  readonly why: string;
  count: number;
}

const more = {
  callback: 'more callbacks refused',
  hook: 'more hooks refused',
} as const;

export class ReceivedLog {
  readonly #log: LogLines;
  readonly #refused = new Map<string, Counted>();
  #minute: NodeJS.Timeout | undefined;

  constructor(log: LogLines) {
    this.#log = log;
  }

  write({ error, refused, ...received }: Received): void {
    const fields = { ...received, ...short(received) };
    if (error) this.#log.error({ ...fields, err: error }, 'callback not taken');
    else if (refused) this.#refuse(fields, refused, 'callback');
    else this.#log.info(fields, 'callback');
  }

  /** What the sender has proved to be its own is logged in the same bounds: it may be wrong a thousand times too. */
  writeHook({ error, refused, event, ...received }: ReceivedHook): void {
    const fields = { ...received, ...event };
    if (error) this.#log.error({ ...fields, err: error }, 'hook not taken');
    else if (refused) {
      const words = shortened(refused.words, LONGEST_WORDS);
      this.#refuse(fields, { ...refused, words }, 'hook', received.hook);
    } else this.#log.info(fields, 'hook');
  }

  /** Logs what has only been counted. */
  close(): void {
    this.#tellCounted();
  }

  #refuse(
    fields: object,
    refused: { readonly why: string; readonly words: string },
    what: 'callback' | 'hook',
    hook = '',
  ): void {
    const { why, words } = refused;
    this.#counted(what, hook === '' ? why : `${hook} ${why}`, () =>
      this.#log.warn({ ...fields, ...refused }, `${what} refused (${why}): ${words}`),
    );
  }

  #counted(what: Counted['what'], why: string, write: () => void): void {
    const key = `${what} ${why}`;
    const counted = this.#refused.get(key) ?? { what, why, count: 0 };
    counted.count += 1;
    this.#refused.set(key, counted);
    this.#minute ??= setTimeout(() => this.#tellCounted(), MINUTE_MS).unref();
    if (counted.count <= LINES_A_MINUTE) write();
  }

  #tellCounted(): void {
    clearTimeout(this.#minute);
    this.#minute = undefined;
    for (const { what, why, count } of this.#refused.values())
      if (count > LINES_A_MINUTE) this.#log.warn({ why, count: count - LINES_A_MINUTE }, more[what]);
    this.#refused.clear();
  }
}

/** Without authentication (LOCKER_CALLBACK_AUTH=None) anybody chooses them. */
const short = ({ shipmentUid, caseNumber }: Omit<Received, 'error' | 'refused'>) => ({
  shipmentUid: shipmentUid && shortened(shipmentUid, LONGEST_UID),
  ...(caseNumber !== undefined && { caseNumber: shortened(caseNumber, LONGEST_UID) }),
});
