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

/** What the name of a program ends with: the console gives no such name to a person. */
export const PROGRAM_ENDING = ' (API)';

/** The identity that each client of Temporal has by itself: the command line acts under it, unless somebody says who they are. */
const COMMAND_LINE = /^\d+@(?<host>.+)$/;

export const isByCommandLine = (by: string): boolean => COMMAND_LINE.test(by);

/** As people read it: the command line of one machine is one, whatever number its process had. */
export const nameOfActor = (by: string): string => by.replace(COMMAND_LINE, '$<host> (command line)');

/** A program, and nobody for whom it says that it acts. */
export const isByProgram = ({ by, onBehalfOf }: Attribution): boolean =>
  onBehalfOf === undefined && by.endsWith(PROGRAM_ENDING);

/** Those of its fields that are there; null: it does not say who. */
export function attributionIn(fields: unknown): Attribution | null {
  const { by, onBehalfOf, why } = (fields ?? {}) as Readonly<Record<string, unknown>>;
  if (!isText(by)) return null;
  return { by, ...(isText(onBehalfOf) && { onBehalfOf }), ...(isText(why) && { why }) };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
