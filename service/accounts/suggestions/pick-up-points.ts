// The tenant's pick up points as a row may name them: by uid, or by name without regard to case.

export interface PickUpPointName {
  readonly pupUid: string;
  readonly name: string;
}

export class PickUpPoints {
  readonly #uids: ReadonlySet<string>;
  /** Null if several have the same name. */
  readonly #uidsByName = new Map<string, string | null>();

  constructor(pickUpPoints: readonly PickUpPointName[]) {
    this.#uids = new Set(pickUpPoints.map(({ pupUid }) => pupUid));
    for (const { pupUid, name } of pickUpPoints) {
      const key = nameKey(name);
      this.#uidsByName.set(key, this.#uidsByName.has(key) ? null : pupUid);
    }
  }

  /** A uid wins over an equal name. */
  uidOf(text: string | null): string | null {
    if (text === null) return null;
    return this.#uids.has(text) ? text : (this.#uidsByName.get(nameKey(text)) ?? null);
  }

  problemOf(text: string): string | undefined {
    if (this.uidOf(text) !== null) return undefined;
    return this.#uidsByName.has(nameKey(text))
      ? 'is the name of several pick up points; give the uid'
      : 'is not a pick up point of yours, neither by uid nor by name';
  }
}

const nameKey = (name: string): string => name.trim().toLowerCase();
