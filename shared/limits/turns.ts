// Callers that wait for something of which there is little take turns: one that asks a hundred times holds up another by one
// of them at most.

export class Turns<Caller, Waiting> {
  /** By caller, the caller whose turn is next first. */
  readonly #waiting = new Map<Caller, Waiting[]>();

  wait(caller: Caller, waiting: Waiting): void {
    this.#waiting.set(caller, [...(this.#waiting.get(caller) ?? []), waiting]);
  }

  /** Takes the next one that may go. Its caller is behind all others then. */
  next(mayGo: (waiting: Waiting) => boolean = () => true): Waiting | undefined {
    for (const [caller, all] of this.#waiting) {
      const found = all.findIndex(mayGo);
      if (found < 0) continue;
      this.#toTheEnd(
        caller,
        all.filter((_, index) => index !== found),
      );
      return all[found];
    }
    return undefined;
  }

  /** A turn of this caller is over: those who wait go first, also those who came during it. */
  ended(caller: Caller): void {
    this.#toTheEnd(caller, this.#waiting.get(caller) ?? []);
  }

  /** Takes out those that need no turn any more. */
  drop(isGone: (waiting: Waiting) => boolean): Waiting[] {
    const gone: Waiting[] = [];
    for (const [caller, all] of this.#waiting) {
      const left = all.filter((each) => !isGone(each));
      if (left.length === all.length) continue;
      gone.push(...all.filter((each) => !left.includes(each)));
      if (left.length > 0) this.#waiting.set(caller, left);
      else this.#waiting.delete(caller);
    }
    return gone;
  }

  countOf(caller: Caller): number {
    return this.#waiting.get(caller)?.length ?? 0;
  }

  get count(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  #toTheEnd(caller: Caller, waiting: Waiting[]): void {
    this.#waiting.delete(caller);
    if (waiting.length > 0) this.#waiting.set(caller, waiting);
  }
}
