// What is followed live. An area names a path of the server, says how to read it, and how often while somebody looks; all who
// follow the same path share one reading. A page opens one stream, GET /v1/stream?of=/v1/inbox/entries&of=… (stream-routes.ts).
// Each event is one of
//   { of, data }      the whole of it: at once after the stream is opened, and after each change
//   { of, problem }   it cannot be read now; data comes again when it can
// So a page that was cut off only opens the stream again.
import { type Problem, problemOf } from '../api/problem.ts';
import type { Right } from '../api/rights.ts';
import { ConsoleRefusal, consoleRefusalOf } from '../refusal.ts';
import type { ConsoleRole } from '../sign-in/user.ts';

/** What a person or a program asks for by a path: its parameters, decoded, and what stands behind the question mark. */
interface AskedPath {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

interface Topic {
  /** With parameters as {key}. */
  readonly path: string;
  /** Who may follow it: who has the right, or a signed-in person with the role. */
  readonly access: { readonly right: Right } | { readonly role: ConsoleRole };
  /** Throws ConsoleRefusal, or an error that refusal.ts knows, when it cannot be read now. */
  read(asked: AskedPath): Promise<unknown>;
  /** Milliseconds from the end of one reading to the next. */
  readonly everyMs: number;
  /** Who may not act on processes reads it without what is of people: each hearer sees to that. */
  readonly isOfPeople?: boolean;
}

interface LiveEvent {
  readonly of: string;
  /** As JSON. */
  readonly text: string;
}

export type Followed =
  | { readonly of: string; readonly data: unknown }
  | { readonly of: string; readonly problem: Problem };

export type Hear = (event: LiveEvent) => void;

interface TopicMatch extends AskedPath {
  readonly topic: Topic;
}

interface Watched {
  readonly of: string;
  readonly match: TopicMatch;
  readonly hearers: Set<Hear>;
  last: string | undefined;
  timer: NodeJS.Timeout | undefined;
  isReading: boolean;
  /** A change was told of while it was read. */
  isStale: boolean;
}

export class Live {
  readonly #topics: { readonly topic: Topic; readonly pattern: RegExp }[] = [];
  readonly #watched = new Map<string, Watched>();
  readonly #unforeseen: (error: unknown, of: string) => void;

  constructor(unforeseen: (error: unknown, of: string) => void) {
    this.#unforeseen = unforeseen;
  }

  topic(topic: Topic): void {
    const pattern = topic.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    this.#topics.push({ topic, pattern: new RegExp(`^${pattern}$`) });
  }

  /** Who may follow this path. Throws ConsoleRefusal (404) for one that nobody has named. */
  accessOf(of: string): Topic['access'] {
    return this.#matchOf(of).topic.access;
  }

  isOfPeople(of: string): boolean {
    return this.#matchOf(of).topic.isOfPeople === true;
  }

  /** Reads at once what may have changed, if somebody follows it. A path that ends with / means all below it. */
  changed(path: string): void {
    for (const watched of this.#watched.values()) {
      const own = pathOf(watched.of);
      if (path.endsWith('/') ? own.startsWith(path) : own === path) this.#look(watched);
    }
  }

  /** Gives what ends it. */
  watch(of: string, hear: Hear): () => void {
    const watched = this.#watched.get(of) ?? newWatched(of, this.#matchOf(of));
    this.#watched.set(of, watched);
    watched.hearers.add(hear);
    if (watched.last === undefined) this.#look(watched);
    else hear({ of, text: watched.last });
    return () => {
      watched.hearers.delete(hear);
      if (watched.hearers.size > 0) return;
      clearTimeout(watched.timer);
      this.#watched.delete(of);
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

  #matchOf(of: string): TopicMatch {
    for (const { topic, pattern } of this.#topics) {
      const match = pattern.exec(pathOf(of));
      if (!match) continue;
      const query = Object.fromEntries(new URLSearchParams(of.slice(pathOf(of).length)));
      return { topic, params: decoded(match.groups ?? {}, of), query };
    }
    throw nothingToFollow(of);
  }

  async #read(watched: Watched): Promise<void> {
    const { topic, ...asked } = watched.match;
    clearTimeout(watched.timer);
    watched.isReading = true;
    while (watched.isStale && this.#isLookedAt(watched)) {
      watched.isStale = false;
      this.#tell(watched, await this.#textOf(watched.of, () => topic.read(asked)));
    }
    watched.isReading = false;
    if (this.#isLookedAt(watched)) watched.timer = setTimeout(() => this.#look(watched), topic.everyMs);
  }

  #isLookedAt = (watched: Watched): boolean => this.#watched.get(watched.of) === watched;

  async #textOf(of: string, read: () => Promise<unknown>): Promise<string> {
    try {
      return JSON.stringify({ of, data: await read() } satisfies Followed);
    } catch (error) {
      const refusal = consoleRefusalOf(error);
      if (!refusal) this.#unforeseen(error, of);
      return JSON.stringify({ of, problem: problemOf(refusal ?? FAILED) } satisfies Followed);
    }
  }

  #tell(watched: Watched, text: string): void {
    if (text === watched.last) return;
    watched.last = text;
    for (const hear of watched.hearers) hear({ of: watched.of, text });
  }
}

const newWatched = (of: string, match: TopicMatch): Watched => ({
  of,
  match,
  hearers: new Set(),
  last: undefined,
  timer: undefined,
  isReading: false,
  isStale: false,
});

const FAILED = new ConsoleRefusal(500, 'Failed', 'The console failed to read this. Its log has the reason.');

const nothingToFollow = (of: string) =>
  new ConsoleRefusal(404, 'NothingToFollow', `There is nothing to follow at ${of}.`);

const pathOf = (of: string): string => of.split('?', 1)[0] ?? '';

function decoded(params: Readonly<Record<string, string>>, of: string): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw nothingToFollow(of);
  }
}
