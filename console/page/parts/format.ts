// How the page writes numbers, labels and flows.

/** A label within a sentence. */
export const midSentence = (label: string): string => label.slice(0, 1).toLowerCase() + label.slice(1);

/** Like 2,999. */
export const inFigures = (count: number): string => count.toLocaleString('en');

/** The processes of a flow, narrowed as their list takes it. */
export const listOf = (flow: string, narrowed: Readonly<Record<string, string>> = {}): string =>
  `/processes?${new URLSearchParams({ flow, ...narrowed })}`;
