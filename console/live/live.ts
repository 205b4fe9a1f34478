// What pages look at live. An area names a topic, says how to read it, and how often while somebody looks; all who look at
// the same share one reading. A page opens one stream, GET /api/live?topic=inbox&topic=process:order-1042, where what
// stands behind the first colon is the topic's argument. Each event is one of
//   { topic, data }      the whole of it: at once after the stream is opened, and after each change
//   { topic, refusal }   it cannot be read now; data comes again when it can
// So a page that was cut off only opens the stream again.
import { type ConsoleRefusal, consoleRefusalOf } from '../refusal.ts';
import type { ConsoleRole } from '../sign-in/user.ts';

/** Throws ConsoleRefusal, or an error that refusal.ts knows, when it cannot be read now. */
export type ReadTopic = (argument: string) => Promise<unknown>;

export interface LiveEvent {
  readonly topic: string;
  /** As JSON. */
  readonly text: string;
}

export type Hear = (event: LiveEvent) => void;

interface Topic {
  readonly role: ConsoleRole;
  readonly read: ReadTopic;
  readonly everyMs: number;
}

interface Watched {
  readonly topic: string;
  readonly hearers: Set<Hear>;
  last: string | undefined;
  timer: NodeJS.Timeout | undefined;
  isReading: boolean;
  /** A change was told of while it was read. */
  isStale: boolean;
}

export class Live {
  readonly #topics = new Map<string, Topic>();
  readonly #watched = new Map<string, Watched>();
  readonly #unforeseen: (error: unknown, topic: string) => void;

  constructor(unforeseen: (error: unknown, topic: string) => void) {
    this.#unforeseen = unforeseen;
  }

  /**
   * @param role of those who may look at it
   * @param everyMs milliseconds from the end of one reading to the next
   */
  topic(name: string, role: ConsoleRole, read: ReadTopic, everyMs: number): void {
    this.#topics.set(name, { role, read, everyMs });
  }

  /** Undefined for a topic that nobody has named. */
  roleOf(topic: string): ConsoleRole | undefined {
    return this.#topics.get(nameOf(topic))?.role;
  }

  /** Reads at once what may have changed, if somebody looks at it. Without an argument: every one of that name. */
  changed(name: string, argument?: string): void {
    const exact = argument === undefined ? undefined : `${name}:${argument}`;
    for (const watched of this.#watched.values())
      if (exact === undefined ? nameOf(watched.topic) === name : watched.topic === exact) this.#look(watched);
  }

  /** Gives what ends it. */
  watch(topic: string, hear: Hear): () => void {
    const watched = this.#watched.get(topic) ?? newWatched(topic);
    this.#watched.set(topic, watched);
    watched.hearers.add(hear);
    if (watched.last === undefined) this.#look(watched);
    else hear({ topic, text: watched.last });
    return () => {
      watched.hearers.delete(hear);
      if (watched.hearers.size > 0) return;
      clearTimeout(watched.timer);
      this.#watched.delete(topic);
    };
  }

  /** Ends all readings. */
  stop(): void {
    for (const { timer } of this.#watched.values()) clearTimeout(timer);
    this.#watched.clear();
  }

  #look(watched: Watched): void {
    watched.isStale = true;
    if (!watched.isReading) void this.#read(watched);
  }

  async #read(watched: Watched): Promise<void> {
    const found = this.#topics.get(nameOf(watched.topic));
    if (!found) return;
    clearTimeout(watched.timer);
    watched.isReading = true;
    while (watched.isStale && this.#isLookedAt(watched)) {
      watched.isStale = false;
      this.#tell(watched, await this.#textOf(watched.topic, found.read));
    }
    watched.isReading = false;
    if (this.#isLookedAt(watched)) watched.timer = setTimeout(() => this.#look(watched), found.everyMs);
  }

  #isLookedAt = (watched: Watched): boolean => this.#watched.get(watched.topic) === watched;

  async #textOf(topic: string, read: ReadTopic): Promise<string> {
    try {
      return JSON.stringify({ topic, data: await read(argumentOf(topic)) });
    } catch (error) {
      const refusal = consoleRefusalOf(error);
      if (!refusal) this.#unforeseen(error, topic);
      return JSON.stringify({ topic, refusal: bodyOf(refusal) });
    }
  }

  #tell(watched: Watched, text: string): void {
    if (text === watched.last) return;
    watched.last = text;
    for (const hear of watched.hearers) hear({ topic: watched.topic, text });
  }
}

const newWatched = (topic: string): Watched => ({
  topic,
  hearers: new Set(),
  last: undefined,
  timer: undefined,
  isReading: false,
  isStale: false,
});

const bodyOf = (refusal: ConsoleRefusal | undefined) =>
  refusal
    ? { error: refusal.error, message: refusal.message }
    : { error: 'Failed', message: 'The console failed to read this. Its log has the reason.' };

const nameOf = (topic: string): string => topic.split(':', 1)[0] ?? '';
const argumentOf = (topic: string): string => topic.slice(nameOf(topic).length + 1);
