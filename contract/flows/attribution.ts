// Who has done something to a process, and why. It goes with each request, and Temporal keeps it in the history: flat in the fields
// of an update, as `who` in an event, as JSON in the reason of a cancellation, and in the memo of a start.

export type Attribution = {
  /** Who has proved who it is: a person, or a program. */
  readonly by: string;
  /** The person for whom that program says that it acts. */
  readonly onBehalfOf?: string;
  readonly why?: string;
};

/** For people: `Anna by shop (API)` where a program says for whom it acts. */
export const formatAttribution = ({
  by,
  onBehalfOf,
}: {
  readonly by: string;
  readonly onBehalfOf?: string | undefined;
}): string => (onBehalfOf === undefined ? by : `${onBehalfOf} by ${by}`);

/** Those of its fields that are there; null: it does not say who. */
export function attributionIn(fields: unknown): Attribution | null {
  const { by, onBehalfOf, why } = (fields ?? {}) as Readonly<Record<string, unknown>>;
  if (!isText(by)) return null;
  return { by, ...(isText(onBehalfOf) && { onBehalfOf }), ...(isText(why) && { why }) };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
