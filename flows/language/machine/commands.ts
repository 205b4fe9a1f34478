// What people can do to a process of a flow file now, and what follows, as data. Whether an answer is possible say its
// questions, as they do for the update; what follows says a copy of the process, which takes the command.

import type { EventObject } from 'xstate';
import type { Consequence, FieldsSchema, JsonSchema } from '../../../contract/flows/actions.ts';
import { matchesAny } from '../../../engine/chart/messages.ts';
import {
  type Command,
  type CommandFields,
  cancelCommand,
  newEndFields,
  notPossible,
  objectOf,
  oneNewEnd,
  type Rejection,
  textField,
  WHO_AND_WHY,
} from '../../../engine/commands.ts';
import type { ProcessCopy } from '../../../engine/copy.ts';
import { type Decision, noReply } from '../../../engine/inbox.ts';
import type { Process } from '../../../engine/process.ts';
import { can, takenEventTypes } from '../../../engine/stepper.ts';
import type { FlowFile } from '../flow-file.ts';
import { nearestOf } from '../nearest-names.ts';
import { plainEventName } from '../waiting-for.ts';
import type { Answer, OpenQuestion } from './asked-question.ts';
import { formatIssues, type Incoming, isOfState, outsideEvents, timerHandles } from './incoming.ts';
import { answerSchema } from './question.ts';
import type { Questions } from './questions.ts';
import {
  eventOfAction,
  HELD_BY_ANOTHER,
  LONGEST_INBOX,
  NOT_HELD,
  type TaskAction,
  type TaskChange,
  taskActions,
} from './tasks.ts';

/** What follows from a command, which is done to a copy of the process; with the event that it raises there. */
export type ConsequenceOf = (
  process: Process,
  play: (copy: ProcessCopy) => void,
  event?: string,
) => Consequence;

interface Here {
  readonly file: FlowFile;
  readonly process: Process;
  readonly questions: Questions;
  readonly incoming: Incoming;
  readonly consequence: ConsequenceOf;
}

export function flowFileCommands(here: Here): Command[] {
  const { process, questions, consequence } = here;
  return [
    ...questions.open.flatMap((question) => [answer(here, question), ...taskCommands(here, question)]),
    event(here),
    extendDeadline(here),
    decision(here, 'dropEvent'),
    decision(here, 'giveUp'),
    cancelCommand(process, () =>
      consequence(process, (copy) => copy.do((copied) => copied.cancel('cancelled'))),
    ),
  ];
}

function answer(here: Here, { id, question, fields }: OpenQuestion): Command {
  const { process, questions, consequence } = here;
  const refusal = (given: CommandFields) =>
    questions.refusal({ ...given, question: id } as unknown as Answer);
  return {
    command: 'answer',
    question: id,
    sent: { kind: 'update', name: 'answer', constant: { question: id } },
    fields: {
      ...objectOf<JsonSchema>({ values: answerSchema(fields), by: WHO_AND_WHY.by }, ['values', 'by']),
      description: question,
    } satisfies FieldsSchema,
    refusal: (given) => (given ? refusal(given) : undefined),
    consequence: (given) =>
      given &&
      consequence(
        process,
        (copy) => {
          const asked = copy.calls.find((call) => call.id === id && call.state === 'running');
          if (asked) copy.answer(asked, { ...(given.values as object), by: given.by });
        },
        `xstate.done.actor.${id}`,
      ),
  };
}

const withReason = { by: WHO_AND_WHY.by, why: WHO_AND_WHY.why } as const;

const taskFields: Readonly<Record<TaskAction, FieldsSchema>> = {
  claim: objectOf<JsonSchema>({ by: textField('Who is to answer it') }, ['by']),
  release: objectOf<JsonSchema>({ by: textField('Who holds it') }, ['by']),
  assign: objectOf<JsonSchema>(
    {
      to: textField('The person who is to hold it'),
      of: textField('The inbox that it goes to', LONGEST_INBOX),
      ...withReason,
    },
    ['by'],
  ),
};

/** Whoever is asked without a name may claim what nobody holds, and release what somebody holds. */
function taskCommands(here: Here, { id, holder, of }: OpenQuestion): Command[] {
  const { process, questions, consequence } = here;
  return taskActions.map((action) => ({
    command: action,
    question: id,
    sent: { kind: 'update', name: action, constant: { question: id } },
    fields: taskFields[action],
    refusal: (given) => {
      if (given) return questions.changeRefusal(action, given as unknown as TaskChange);
      if (action === 'release' && holder === undefined)
        return { code: NOT_HELD, message: `nobody holds ${id}` };
      if (action === 'claim' && holder !== undefined)
        return { code: HELD_BY_ANOTHER, message: `${id} is held by ${holder}` };
      return undefined;
    },
    consequence: (given) =>
      given &&
      consequence(
        process,
        (copy) => {
          const asked = copy.calls.find((call) => call.id === id && call.state === 'running');
          const type = eventOfAction[action];
          const to = { claim: given.by, release: null, assign: given.to ?? null }[action];
          if (asked)
            copy.childEvent(asked, { type, by: given.by, of: given.of ?? of, holder: to } as EventObject);
        },
        `${id}.${eventOfAction[action]}`,
      ),
  }));
}

function event(here: Here): Command {
  const { file, process, incoming, consequence } = here;
  const { snapshot, halt } = process;
  const known = outsideEvents(file);
  const taken = takenEventTypes(known, snapshot);
  const isWild = taken.some((type) => type.endsWith('*'));
  const type: JsonSchema = isWild ? { type: 'string', examples: taken } : { type: 'string', enum: taken };
  const refusal = (given?: CommandFields): Rejection | undefined => {
    if (halt) return repeatedEvent(process, given) ?? whileHalted(halt);
    const found = given && incoming.eventOf({ type: 'event', payload: given });
    const wrong = found && wrongEvent(here, found);
    if (wrong) return wrong;
    const name = found ? process.named(found).type : undefined;
    if (taken.length === 0) return notPossible('the process takes no event in its present state');
    if (!given || (name !== undefined && matchesAny(name, taken))) return undefined;
    return notPossible(`type is ${JSON.stringify(given.type)}, expected one of ${taken.join(', ')}`);
  };
  return {
    command: 'event',
    sent: { kind: 'signal', name: 'event' },
    fields: objectOf<JsonSchema>(
      {
        type,
        data: { description: 'What the event says, as JSON' },
        id: textField('Each id counts once; so the event may be sent again'),
      },
      ['type'],
    ),
    refusal,
    consequence: (given) =>
      given && {
        ...consequence(
          process,
          (copy) => copy.do((copied) => copied.signal('event', given)),
          String(given.type),
        ),
        isTaken: isTaken(process, incoming.eventOf({ type: 'event', payload: given })),
      },
  };
}

/** A guard that fails does not turn it down: it halts the process. */
function isTaken(process: Process, event: EventObject | null): boolean {
  try {
    return event !== null && can(process.snapshot, process.named(event));
  } catch {
    return true;
  }
}

function extendDeadline({ process, consequence }: Here): Command {
  const open = process.timers.open.filter(isOfState);
  const handles = timerHandles(open, process.snapshot.machine);
  const timers = open.map(({ id }) => handles.get(id) ?? id);
  const refusal = (given?: CommandFields): Rejection | undefined => {
    if (timers.length === 0) return notPossible('the process waits for no time in its present state');
    return given && process.updateRefusal('extendDeadline', given);
  };
  return {
    command: 'extendDeadline',
    sent: { kind: 'update', name: 'extendDeadline' },
    fields: {
      ...objectOf<JsonSchema>(
        {
          timer: { type: 'string', enum: timers, description: 'The wait, as `waitingFor` names it' },
          ...newEndFields,
        },
        ['timer'],
      ),
      allOf: [oneNewEnd],
    } satisfies FieldsSchema,
    refusal,
    takes: ({ role }) => role === undefined,
    consequence: (given) =>
      given &&
      consequence(process, (copy) =>
        copy.do((copied) => copied.update('extendDeadline', given, 'copy', noReply)),
      ),
  };
}

/** It would be lost, whenever it comes. */
const whileHalted = ({ event }: NonNullable<Process['halt']>): Rejection =>
  notPossible(
    `an event waits until a person has decided about ${plainEventName(event)}: dropEvent or giveUp`,
  );

/** By its id. */
const repeatedEvent = ({ messages }: Process, given?: CommandFields): Rejection | undefined =>
  given && messages.isRepeated({ type: 'event', payload: given })
    ? {
        code: 'EventRepeated',
        message: `an event with the id ${given.id} has come before: it takes effect once`,
      }
    : undefined;

function wrongEvent({ file, process, incoming }: Here, event: EventObject): Rejection | undefined {
  const { type: name } = process.named(event);
  const known = outsideEvents(file);
  if (!matchesAny(name, known)) return unknownEvent(file.name, name, known);
  const issues = incoming.issuesOf(event, (each) => process.named(each));
  if (issues.length === 0) return repeatedEvent(process, event as unknown as CommandFields);
  return { code: 'EventDataWrong', message: `${name}: ${formatIssues(issues)}`, details: issues };
}

/** No state of the file takes it. */
function unknownEvent(flow: string, type: string, known: readonly string[]): Rejection {
  const near = nearestOf(type, known);
  const expected =
    known.length === 0 ? 'it takes none from outside' : `expected ${near ?? `one of ${known.join(', ')}`}`;
  return { code: 'EventUnknown', message: `no state of ${flow} takes ${JSON.stringify(type)}: ${expected}` };
}

const decision = ({ process, consequence }: Here, name: Decision): Command => ({
  command: name,
  sent: { kind: 'update', name },
  fields: objectOf(WHO_AND_WHY),
  refusal: () => process.halting.decisionRefusal(name),
  consequence: () =>
    consequence(process, (copy) => copy.do((copied) => copied.decide(name, 'copy', noReply))),
});
