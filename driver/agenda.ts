// What is due by a clock that does not run by itself, in the order of time; of one moment, in the order in which it was added.
export interface Due {
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  readonly summary: string;
  readonly ring: () => void;
}

interface Entry extends Due {
  readonly number: number;
  isDropped: boolean;
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.number < other.number);

/** A binary heap: thousands of processes share one, and most of what they add is dropped. */
export class Agenda {
  #heap: Entry[] = [];
  #count = 0;
  #dropped = 0;

  get next(): Due | undefined {
    return this.#first;
  }

  add(due: Due): { drop(): void } {
    this.#count += 1;
    const entry: Entry = { ...due, number: this.#count, isDropped: false };
    this.#rise(this.#heap.push(entry) - 1);
    return { drop: () => this.#drop(entry) };
  }

  /** Takes the next one off. */
  take(): Due | undefined {
    const first = this.#first;
    if (!first) return undefined;
    this.#removeFirst();
    first.isDropped = true;
    return first;
  }

  get #first(): Entry | undefined {
    while (this.#heap[0]?.isDropped) {
      this.#dropped -= 1;
      this.#removeFirst();
    }
    return this.#heap[0];
  }

  #drop(entry: Entry): void {
    if (entry.isDropped) return;
    entry.isDropped = true;
    this.#dropped += 1;
    // Else one that is far away, and armed anew again and again, would fill the memory.
    if (this.#dropped <= this.#heap.length / 2) return;
    // Sorted, it is a heap again.
    this.#heap = this.#heap
      .filter(({ isDropped }) => !isDropped)
      .sort((one, other) => (isBefore(one, other) ? -1 : 1));
    this.#dropped = 0;
  }

  #rise(from: number): void {
    const heap = this.#heap;
    const entry = heap[from] as Entry;
    let index = from;
    for (let parent = (index - 1) >> 1; index > 0; parent = (index - 1) >> 1) {
      const above = heap[parent] as Entry;
      if (isBefore(above, entry)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const entry = heap.pop();
    if (!entry || heap.length === 0) return;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child] as Entry)) child += 1;
      const below = heap[child] as Entry;
      if (isBefore(entry, below)) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = entry;
  }
}
