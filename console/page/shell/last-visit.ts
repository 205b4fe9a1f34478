// When a person last worked in the console before this visit. The server keeps nothing of it: it is known to this browser alone,
// and only where the person was at it before.

/** Whoever does nothing for so long has been away: a break is shorter, and a night longer. */
const AWAY_MS = 4 * 3_600_000;
/** Not at every key that is pressed. */
const EVERY_MS = 60_000;

interface Visits {
  readonly last: number;
  /** The end of the visit before. */
  readonly before?: number;
}

const nameOf = (person: string): string => `lockerflow-visits ${person}`;

export function lastVisitOf(person: string): Date | undefined {
  const { before } = visitsOf(person);
  return typeof before === 'number' ? new Date(before) : undefined;
}

export function noteVisit(person: string, now = Date.now()): void {
  const { last, before } = visitsOf(person);
  if (last !== undefined && now - last < EVERY_MS) return;
  const isNew = last !== undefined && now - last > AWAY_MS;
  const visits: Visits = { last: now, ...(isNew ? { before: last } : before !== undefined && { before }) };
  try {
    localStorage.setItem(nameOf(person), JSON.stringify(visits));
  } catch {
    // A browser that keeps nothing offers no last visit.
  }
}

function visitsOf(person: string): Partial<Visits> {
  try {
    return (JSON.parse(localStorage.getItem(nameOf(person)) ?? '{}') ?? {}) as Partial<Visits>;
  } catch {
    return {};
  }
}

/** Notes what the person does from now on; returns the function that ends it. */
export function followVisit(person: string): () => void {
  const note = () => noteVisit(person);
  note();
  const signs = ['pointerdown', 'keydown'] as const;
  for (const each of signs) addEventListener(each, note, { passive: true });
  return () => {
    for (const each of signs) removeEventListener(each, note);
  };
}
