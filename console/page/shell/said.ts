// What the server says in English to people of processes, in the reader's language: a sentence is found by its English, with what
// differs in it. What is not found stays as it is: words of a flow file's author, of a person, or of another system.
import type { Translations } from '../../locales/said/nl.ts';

/** What stands for these is of the list itself: the names of shipments and states. What stands for all others is anybody's. */
const OWN = new Set(['leg', 'legs', 'role', 'stage', 'state', 'label']);
const PLACE = /\{(\w+)\}/g;
const FOR_REGEXP = /[.*+?^$()|[\]\\]/g;
/** Sentences come again and again; more than this nobody has on the screen. */
const MAX_KEPT = 5_000;

const sizeOfOwn = (text: string): number => text.replaceAll(PLACE, '').length;

interface Sentence {
  readonly pattern: RegExp;
  readonly places: readonly string[];
  readonly own: string;
}

export class ServerMessages {
  /** Without places, by its English in small letters. */
  readonly #fixed = new Map<string, string>();
  readonly #sentences: readonly Sentence[];
  readonly #kept = new Map<string, string>();

  constructor(said: Translations) {
    const all = Object.entries(said);
    const isFixed = ([text]: readonly [string, string]) => !text.includes('{');
    for (const [text, words] of all.filter(isFixed)) this.#fixed.set(text.toLowerCase(), words);
    const names = [...this.#fixed.keys()].sort((one, other) => other.length - one.length);
    const anyOfOwn = names.map((name) => name.replaceAll(FOR_REGEXP, '\\$&')).join('|');
    this.#sentences = all
      .filter((each) => !isFixed(each))
      // Where two fit, the one that says more itself: “{name} failed: {why}” would take others' sentences apart.
      .sort(([one], [other]) => sizeOfOwn(other) - sizeOfOwn(one))
      .map(([text, words]) => ({
        pattern: new RegExp(
          `^${text
            .replaceAll(FOR_REGEXP, '\\$&')
            .replaceAll(PLACE, (_, name: string) => (OWN.has(name) ? `(${anyOfOwn})` : '(.+?)'))}$`,
          'is',
        ),
        places: [...text.matchAll(PLACE)].map(([, name = '']) => name),
        own: words,
      }));
  }

  of(text: string): string {
    const kept = this.#kept.get(text);
    if (kept !== undefined) return kept;
    const words = this.#whole(text) ?? this.#bySentence(text);
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(text, words);
    return words;
  }

  #bySentence(text: string): string {
    const parts = text.split(/(?<=[.!?]) (?=\p{Lu})/u);
    if (parts.length > 1) return parts.map((part) => this.of(part)).join(' ');
    // What follows from a command: one thing after the other.
    const things = text.split('; ');
    return things.length > 1 ? things.map((thing) => this.of(thing)).join('; ') : text;
  }

  /** Undefined: it is not in the list. */
  #whole(text: string): string | undefined {
    const bare = text.replace(/\.$/, '');
    const found = this.#fixed.get(bare.toLowerCase()) ?? this.#filled(bare);
    if (found === undefined) return undefined;
    const isSentence = bare !== text && !/[.!?]$/.test(found);
    const isCapital = /^\p{Lu}/u.test(text);
    return `${isCapital ? found.slice(0, 1).toUpperCase() + found.slice(1) : found}${isSentence ? '.' : ''}`;
  }

  #filled(text: string): string | undefined {
    for (const { pattern, places, own } of this.#sentences) {
      const [, ...given] = pattern.exec(text) ?? [];
      if (given.length === 0) continue;
      const values = new Map(places.map((name, index) => [name, given[index] ?? '']));
      return own.replaceAll(PLACE, (_, name: string) => {
        const value = values.get(name) ?? '';
        return OWN.has(name) ? (this.#fixed.get(value.toLowerCase()) ?? value) : value;
      });
    }
    return undefined;
  }
}
