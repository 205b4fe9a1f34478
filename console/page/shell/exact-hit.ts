// What is found by exactly what was typed, and what of it comes first: Enter opens that.
import type { Found } from '../../find/find-view.ts';

type Kind = 'people' | 'items' | 'cases' | 'lockers';

interface FoundByName {
  readonly cases: readonly Pick<Found['cases'][number], 'key'>[];
  readonly items: readonly Pick<Found['items'][number], 'reference'>[];
}

const usual: readonly Kind[] = ['people', 'items', 'cases', 'lockers'];

/** Of which kinds the first has exactly that as its key, or as its reference: a case before an item. */
export function exactIn({ cases, items }: FoundByName, text: string): readonly Kind[] {
  const is = (each: string | null | undefined) => each?.toLowerCase() === text.toLowerCase();
  return [
    ...(is(cases[0]?.key) ? (['cases'] as const) : []),
    ...(is(items[0]?.reference) ? (['items'] as const) : []),
  ];
}

/** The kinds as they are listed. */
export const orderOf = (found: FoundByName, text: string): readonly Kind[] => [
  ...new Set([...exactIn(found, text), ...usual]),
];
