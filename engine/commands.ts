// What can be done to a process: its name, how it reaches the process, whether it is possible now, and what follows. The answer to
// the query `actions` has it as data. The definition knows its commands; here is what holds for all of them.

export interface Rejection {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** Code of the refusal of an update that is not possible in the present state of the process. */
const NOT_POSSIBLE_NOW = 'NotPossibleNow';

export const notPossible = (message: string): Rejection => ({ code: NOT_POSSIBLE_NOW, message });

/** Refuses an update that several inline actors would take: it has one answer. */
export const sayWhich = (name: string, ids: readonly string[]): Rejection =>
  notPossible(`${name}: say which one by its id, ${ids.join(' or ')}`);

export type CommandFields = Readonly<Record<string, unknown>>;

/** How it reaches the process. */
export type Sent =
  | { readonly kind: 'cancellation' }
  | { readonly kind: 'update' | 'signal'; readonly name: string; readonly constant?: CommandFields };

export interface Command {
  readonly command: string;
  /** For one of several commands of the same name. */
  readonly question?: string;
  /** The same, of a booking. */
  readonly booking?: string;
  readonly sent: Sent;
  /** JSON Schema; null if there are no fields with which it is possible now. */
  readonly fields: object | null;
  /** With no fields: why it is not possible with any. */
  refusal(fields?: CommandFields): Rejection | undefined;
  /** Whether these fields are for it, where several commands have its name. Not given: they are. */
  takes?(fields: CommandFields): boolean;
  /** With no fields: only if they do not matter for it. */
  consequence?(fields?: CommandFields): unknown;
}

/** Code of the refusal of a command to a process that has ended. */
const PROCESS_ENDED = 'ProcessEnded';

/** Code of the refusal of a command that the process does not have. */
export const NO_SUCH_COMMAND = 'NoSuchCommand';

/** A process of the engine, or another workflow that has commands. */
interface Answering {
  readonly isOpen: boolean;
  readonly start: { readonly flow: string };
}

interface ActionsQuery {
  readonly command?: unknown;
  readonly fields?: CommandFields;
  /** The asker's time: that of a query is when the process took its last step. */
  readonly at?: unknown;
  readonly withProgress?: unknown;
}

export function actionsOf(process: Answering, commands: () => readonly Command[], query: unknown): object {
  const { start, isOpen } = process;
  const { command: name, fields = {} } = fieldsOf(query) as ActionsQuery;
  const here = { format: 1, flow: start.flow };
  const all = commands();
  if (name === undefined)
    return { ...here, isOpen, actions: all.map((command) => actionOf(command, isOpen)) };
  const matches = all.filter(({ command }) => command === name);
  const { question, booking } = fields;
  const meant = matches.filter(
    (each) =>
      (question === undefined || each.question === question) &&
      (booking === undefined || each.booking === booking) &&
      each.takes?.(fields) !== false,
  );
  const possible = isOpen ? meant.filter((each) => !each.refusal(fields)) : [];
  const command = possible[0] ?? meant[0] ?? matches[0];
  const refusalNow = () => {
    if (!command) return noSuch(name, all);
    const ids = matches.flatMap((each) => each.booking ?? []);
    if (booking !== undefined && ids.length > 0 && !ids.includes(String(booking)))
      return notPossible(`booking is ${JSON.stringify(booking)}, expected one of ${ids.join(', ')}`);
    const bookings = possible.flatMap((each) => each.booking ?? []);
    return bookings.length > 1 ? sayWhich(String(name), bookings) : command.refusal(fields);
  };
  const refusal = isOpen ? refusalNow() : ended;
  return {
    ...here,
    command: String(name),
    isPossible: !refusal,
    ...(refusal ? { refusal } : { consequence: command?.consequence?.(fields) }),
  };
}

/** One question in place of two: each costs a worker some work. */
export const asksForProgress = (query: unknown): boolean =>
  (fieldsOf(query) as ActionsQuery).withProgress === true;

/** By the asker's clock, which `at` gives in ISO 8601; never before `now`. The clock of a process may be ahead of it. */
export function askedAt(query: unknown, now: number, aheadMs = 0): number {
  const { at } = fieldsOf(query) as ActionsQuery;
  const given = typeof at === 'string' ? Date.parse(at) + aheadMs : Number.NaN;
  return Number.isNaN(given) ? now : Math.max(given, now);
}

const fieldsOf = (query: unknown): object => (typeof query === 'object' ? (query ?? {}) : {});

export const ended: Rejection = { code: PROCESS_ENDED, message: 'the process has ended' };

function noSuch(name: unknown, all: readonly Command[]): Rejection {
  const names = [...new Set(all.map(({ command }) => command))];
  const expected = names.length > 0 ? `one of ${names.join(', ')}` : 'none';
  return { code: NO_SUCH_COMMAND, message: `command is ${JSON.stringify(name)}, expected ${expected}` };
}

function actionOf(offered: Command, isOpen: boolean): object {
  const { command, question, booking, sent, fields } = offered;
  const refusal = isOpen ? offered.refusal() : ended;
  const consequence = refusal ? undefined : offered.consequence?.();
  return {
    command,
    ...(question !== undefined && { question }),
    ...(booking !== undefined && { booking }),
    sent,
    isPossible: !refusal,
    ...(refusal ? { refusal, fields: null } : { fields }),
    ...(consequence !== undefined && { consequence }),
  };
}

/** The schema of an object that has these fields only. */
export const objectOf = <Property extends object>(
  properties: Readonly<Record<string, Property>>,
  required: readonly string[] = [],
) => ({ type: 'object', properties, required, additionalProperties: false }) as const;

export const textField = (description: string, maxLength?: number) =>
  ({ type: 'string', minLength: 1, ...(maxLength && { maxLength }), description }) as const;

export const WHO_AND_WHY = {
  by: textField('Who decides this; it is kept'),
  why: textField('Why; it is kept'),
} as const;

/** The fields for a new end: exactly one of them is given, beside `only`. */
export const newEndFields = {
  until: { type: 'string', format: 'date-time', description: 'An instant' },
  fromNow: { type: 'string', format: 'duration', description: 'An ISO 8601 duration like P3D, from now' },
  extendBy: { type: 'string', format: 'duration', description: 'A duration by which the end is later' },
  shortenBy: { type: 'string', format: 'duration', description: 'A duration by which the end is earlier' },
  only: { type: 'string', enum: ['later', 'earlier'], description: 'Refuses a new end that is not' },
  undo: {
    type: 'object',
    properties: {
      from: {
        type: 'string',
        format: 'date-time',
        description: 'The end before it; left out: there was none',
      },
      until: {
        type: 'string',
        format: 'date-time',
        description: 'The end that it made, and that still holds',
      },
    },
    required: ['until'],
    description: 'A move as it was answered, to be taken back',
  },
} as const;
export const oneNewEnd = {
  oneOf: ['until', 'fromNow', 'extendBy', 'shortenBy', 'undo'].map((way) => ({ required: [way] })),
} as const;

/** Every process takes it. Temporal keeps who and why with it. */
export const cancelCommand = (
  process: { cancellationRefusal(): Rejection | undefined },
  consequence: () => unknown = () => undefined,
): Command => ({
  command: 'cancel',
  sent: { kind: 'cancellation' },
  fields: objectOf(WHO_AND_WHY),
  refusal: () => process.cancellationRefusal(),
  consequence,
});
