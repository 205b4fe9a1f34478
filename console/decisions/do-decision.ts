// A form that a person has filled in, as a command: which one, with which input. The command reads it, and does it.
import type { Acting } from '../../processes/at-temporal.ts';
import { claim } from '../../processes/commands/claim.ts';
import type { Command } from '../../processes/commands/command.ts';
import { commands, isCommandName } from '../../processes/commands/commands.ts';
import { drop } from '../../processes/commands/drop.ts';
import { refusedFields, type Values } from '../../processes/commands/read-values.ts';
import { orThrow, type WrongFields } from '../../processes/outcome.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { questionOf } from './question-choices.ts';

export interface Decided {
  /** The key of the process, or the id of what is parked. */
  readonly key: string;
  /** The id of a choice. */
  readonly id: string;
  readonly values: Values;
}

/** Throws Refusal with the wrong fields, or what the process refuses. */
export async function doDecision(
  acting: Omit<Acting, 'why'>,
  { key, id, values: { why, ...values } }: Decided,
): Promise<void> {
  const [command, input] = commandOf(id, unflattened(values));
  if (why !== undefined && typeof why !== 'string') throw refusedFields({ why: 'must be a text' });
  if (NEEDS_WHY.has(id) && !why?.trim()) throw refusedFields({ why: 'is missing' });
  const read = command.read(input);
  if (!read.done && read.refusal.fields) throw refusedFields(asInForm(id, read.refusal.fields));
  orThrow(await command.do({ ...acting, why }, key, orThrow(read)));
}

// Whoever looks at the process later wants to know it, also where the command itself does without.
const NEEDS_WHY: ReadonlySet<string> = new Set(['cancel']);

/** The choices that are actions of `resolve`; giveUp is a command of its own, too. */
const RESOLVING: ReadonlySet<string> = new Set(['retry', 'adopt', 'setState']);

type Doing = Pick<Command<unknown, unknown, unknown>, 'read' | 'do'>;

function commandOf(id: string, values: Values): readonly [Doing, Values] {
  const question = questionOf(id);
  if (question !== undefined) return [commands.answer, { ...values, question }];
  if (RESOLVING.has(id)) return [commands.resolve, { ...values, action: id }];
  const command = isCommandName(id)
    ? commands[id]
    : Object.entries(ofParked).find(([name]) => name === id)?.[1];
  if (!command)
    throw new ConsoleRefusal(404, 'NoSuchChoice', `There is no ${id}; look at the process again.`);
  return [command, (Object.hasOwn(formOf, id) && formOf[id]?.(values)) || values];
}

const ofParked = { claim, drop } as unknown as Readonly<Record<string, Doing>>;

/** Where a form has other fields than the command. */
const formOf: Readonly<Record<string, (values: Values) => Values>> = {
  extend({ deadline, ...values }) {
    if (typeof deadline !== 'string' || deadline === '') throw refusedFields({ deadline: 'is missing' });
    const [role, stage] = deadline.split('.');
    return { ...values, role, stage };
  },
  event({ data, ...values }) {
    if (typeof data !== 'string' || data.trim() === '') return values;
    try {
      return { ...values, data: JSON.parse(data) };
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw refusedFields({ data: `is not JSON (${words}); expected something like { "cost": 12 }` });
    }
  },
};

/** Role and stage are one field of a form, and only a time is asked for there. */
const fieldInForm: Readonly<Record<string, string>> = {
  role: 'deadline',
  stage: 'deadline',
  fromNow: 'until',
};

const asInForm = (id: string, fields: WrongFields): WrongFields =>
  id === 'extend'
    ? Object.fromEntries(Object.entries(fields).map(([name, why]) => [fieldInForm[name] ?? name, why]))
    : fields;

/** `shipments.issue` of a form is the field `issue` within `shipments`. */
function unflattened(values: Values): Values {
  const all: Record<string, unknown> = {};
  const within = new Map<string, [string, unknown][]>();
  for (const [name, value] of Object.entries(values)) {
    const dot = name.indexOf('.');
    if (dot < 0) all[name] = value;
    else {
      const outer = name.slice(0, dot);
      within.set(outer, [...(within.get(outer) ?? []), [name.slice(dot + 1), value]]);
    }
  }
  for (const [name, fields] of within) all[name] = Object.fromEntries(fields);
  return all;
}
