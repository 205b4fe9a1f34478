// The only source of chance in a simulation: sfc32, seeded by a text. A stream of its own for each concern keeps choices of one
// concern the same when another one draws more or fewer numbers.

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
    [this.#a, this.#b, this.#c] = [hash(`${seed}/a`), hash(`${seed}/b`), hash(`${seed}/c`)];
    for (let warmUp = 0; warmUp < 12; warmUp++) this.next();
  }

  /** The stream of a concern; it does not depend on what was drawn so far. */
  stream(concern: string): Random {
    return new Random(`${this.#seed}/${concern}`);
  }

  /** A 32-bit whole number. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.next() / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** Between both by the order of magnitude: as many small ones as large ones. */
  spread(least: number, most: number): number {
    return Math.round(least * (most / least) ** this.fraction());
  }

  chance(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  pick<Each>(all: readonly Each[]): Each {
    const picked = all[this.between(0, all.length - 1)];
    if (all.length === 0) throw new TypeError('expected at least one to pick from');
    return picked as Each;
  }

  shuffled<Each>(all: readonly Each[]): Each[] {
    const left = [...all];
    const shuffled: Each[] = [];
    while (left.length > 0) shuffled.push(...left.splice(this.between(0, left.length - 1), 1));
    return shuffled;
  }

  uuid(): string {
    const hex = [this.next(), this.next(), this.next(), this.next()]
      .map((word) => word.toString(16).padStart(8, '0'))
      .join('');
    return [8, 4, 4, 4, 12]
      .reduce(
        ({ from, parts }, length) => ({
          from: from + length,
          parts: [...parts, hex.slice(from, from + length)],
        }),
        { from: 0, parts: [] as string[] },
      )
      .parts.join('-');
  }
}

/** FNV-1a. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
