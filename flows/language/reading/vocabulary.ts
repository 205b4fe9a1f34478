// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples of expressions.
// All that a flow file may contain: each part with its fields. The checks, the JSON Schema for editors and the docs are made
// from these tables. What a part does is in machine/.
import type { Kind } from './kinds.ts';
import { bookingOperations } from './walk.ts';

export interface Field {
  readonly kind: Kind;
  readonly meaning: string;
  readonly required?: true;
  /** All values that the field may have. */
  readonly values?: readonly string[];
}

export type Fields = Readonly<Record<string, Field>>;

export const stateFields: Fields = {
  title: {
    kind: 'title',
    meaning:
      'The name of the state for people, such as `With the borrower`, at most 60 characters; made of its name unless given.',
  },
  description: { kind: 'text', meaning: 'What the state is for, in words.' },
  id: { kind: 'name', meaning: 'A name by which any transition can reach the state, as `#id`.' },
  type: {
    kind: 'text',
    meaning: 'The kind of state; `atomic` or `compound` unless given.',
    values: ['atomic', 'compound', 'parallel', 'final', 'history'],
  },
  initial: { kind: 'initial', meaning: 'The state within that is entered first.' },
  states: { kind: 'states', meaning: 'The states within, by their names.' },
  on: { kind: 'events', meaning: 'What happens at each event.' },
  after: {
    kind: 'delays',
    meaning:
      'What happens after each delay: a duration such as `P2D`, or an expression that gives one or an instant.',
  },
  always: { kind: 'transitions', meaning: 'Transitions that are taken at once where their guard holds.' },
  entry: { kind: 'actions', meaning: 'The actions that are done when the state is entered.' },
  exit: { kind: 'actions', meaning: 'The actions that are done when the state is left.' },
  invoke: {
    kind: 'invokes',
    meaning: 'Flows, operations, questions and calls that run while the state is active.',
  },
  onDone: {
    kind: 'transitions',
    meaning: 'What happens when the states within have reached their final state.',
  },
  output: { kind: 'value', meaning: 'What a final state gives to the `onDone` of the state around it.' },
  history: {
    kind: 'text',
    meaning: 'Only in a history state: how deep it remembers.',
    values: ['shallow', 'deep'],
  },
  target: { kind: 'target', meaning: 'Only in a history state: the state that is entered the first time.' },
  overdue: {
    kind: 'boolean',
    meaning:
      'Whether the process is overdue while the state is active: lists, Work and notifications show it as a booking whose deadline has passed.',
  },
  tags: { kind: 'texts', meaning: 'Words that people see while the state is active.' },
  was: {
    kind: 'former',
    meaning:
      'The path of this state in the version before, such as `lent.waiting`, where it was renamed or moved.',
  },
  meta: { kind: 'data', meaning: 'Data for other tools, and notes for `lint`.' },
};

/** The file itself is identified by its name, and no state is around it. */
function withoutIds({ id, history, target, onDone, was, overdue, ...fields }: Fields): Fields {
  return fields;
}

export const fileFields: Fields = {
  name: { kind: 'name', meaning: 'The name by which processes of this flow are started.', required: true },
  meaning: { kind: 'text', meaning: 'What the flow is for, in one sentence.', required: true },
  input: {
    kind: 'schema',
    meaning:
      'JSON Schema of the `request` with which a process is started. `format: account` marks the uid of a person, `item: true` what is sent.',
  },
  result: {
    kind: 'schema',
    meaning:
      'JSON Schema of `output`, which a process gives at its end: a process that would end with another result halts, and files that invoke this one are checked against it.',
  },
  context: {
    kind: 'value',
    meaning:
      'The data that a process keeps, with the values at the start, which may be expressions over `input`, `flow`, `now` and `calendars`, such as `waiting: ${input.patrons}`.',
  },
  calendars: {
    kind: 'calendars',
    meaning:
      'Time zones, opening hours and closed days, by names of your own such as `desk`: [a calendar](#a-calendar), or the name of one that the files of the folder share (`calendars.yaml`).',
  },
  correlate: {
    kind: 'correlate',
    meaning:
      'The keys by which events find a process, such as `device: ${input.device}`: expressions over `input`, `context` and `flow`. A key that is null does not count.',
  },
  events: {
    kind: 'eventSchemas',
    meaning: 'What the events that the file hears say, by their types: [an event](#an-event).',
  },
  schedules: {
    kind: 'schedules',
    meaning:
      'When processes start by themselves, by names of your own such as `monthly`: [a schedule](#a-schedule).',
  },
  starts: {
    kind: 'starts',
    meaning: 'The events from outside that start a process, by their types: [a start](#a-start-by-an-event).',
  },
  ...withoutIds(stateFields),
  title: {
    kind: 'title',
    meaning:
      'The name of the flow for people, such as `Device loan`, at most 60 characters; made of `name` unless given.',
  },
  maintainer: {
    kind: 'title',
    meaning:
      'Who corrects the file, such as `IT, extension 12`, at most 60 characters: people are told to call them where a process has halted.',
  },
  output: { kind: 'value', meaning: "The process's result." },
};

export const calendarFields: Fields = {
  zone: { kind: 'zone', meaning: 'Its time zone, such as `Europe/Amsterdam`.', required: true },
  open: {
    kind: 'openingHours',
    meaning:
      'By day (`SAT`) or days (`MON-FRI`) the hours in which it is open, such as `08:00-17:00`, or a list of such hours. Other days are closed.',
  },
  closed: {
    kind: 'days',
    meaning:
      'Days on which it is closed: `2026-12-25`, one of each year as `12-25`, all from one to another as `2026-12-24..2027-01-02`.',
  },
  description: { kind: 'text', meaning: 'What the calendar is for, in words.' },
  offsets: {
    kind: 'offsets',
    meaning: 'When the clocks of its zone change. It is written by whoever reads the file, and not read.',
  },
};

export const eventFields: Fields = {
  data: {
    kind: 'schema',
    meaning:
      'JSON Schema of its data. What does not fit is refused, or put aside where nobody hears a refusal: the process never sees it.',
  },
  description: { kind: 'text', meaning: 'What has happened, in words.' },
};

export const startFields: Fields = {
  key: {
    kind: 'value',
    meaning:
      'The key of the process, over `event` (`type`, `id`, `data`); the name of the flow and the id of the event unless given.',
  },
  request: {
    kind: 'value',
    meaning: 'The `request` with which it is started, over `event`; its data unless given.',
  },
  description: { kind: 'text', meaning: 'What the start is for, in words.' },
};

export const scheduleFields: Fields = {
  cron: {
    kind: 'cron',
    meaning:
      'When: minute, hour, day of the month, month, day of the week. `0 8 * * MON` is each Monday at eight, `0 8 * * MON#1` the first one of each month.',
    required: true,
  },
  zone: {
    kind: 'zone',
    meaning: 'The time zone of these times, such as `Europe/Amsterdam`. Give one of `zone` and `calendar`.',
  },
  calendar: {
    kind: 'name',
    meaning: 'A calendar of the file: the times are in its zone, and those on its closed days are left out.',
  },
  request: {
    kind: 'data',
    meaning: 'The `request` with which each process is started; `input` of the file checks it.',
  },
  description: { kind: 'text', meaning: 'What the schedule is for, in words.' },
};

/** A deadline of a leg that is counted by a calendar. */
export const calendarDeadlineFields: Fields = {
  open: {
    kind: 'anyDuration',
    meaning: 'Days on which the calendar opens (`P3D`), or hours in which it is open.',
  },
  date: { kind: 'anyDuration', meaning: 'Days of the calendar, up to the same time of the day.' },
  at: {
    kind: 'text',
    meaning:
      'With `closing` the deadline is when the calendar closes on the day that is reached, or on the next open day.',
    values: ['closing'],
  },
  in: { kind: 'text', meaning: 'The calendar.', required: true },
  closed: {
    kind: 'value',
    meaning: 'More days on which it is closed, as a calendar has them, such as `${context.holidays}`.',
  },
};

export const transitionFields: Fields = {
  target: {
    kind: 'targets',
    meaning:
      'The state that is entered: the name of a state beside this one, `.name` for a state within it, or `#id`; each may go on with names within, as in `lent.waiting`. Without a target, the state stays.',
  },
  guard: { kind: 'guard', meaning: 'The transition is taken only where this holds.' },
  actions: { kind: 'actions', meaning: 'The actions that are done on the way.' },
  reenter: { kind: 'boolean', meaning: 'Whether a state that is its own target is left and entered again.' },
  name: {
    kind: 'name',
    meaning:
      'Only in `after`: the name of the timer, such as `reminder`, by which people know it and `extend` moves it.',
  },
  description: { kind: 'text', meaning: 'What the transition is for, in words.' },
  was: {
    kind: 'eventName',
    meaning: 'Only in `on`: the name of the event in the version before, where it was renamed.',
  },
  meta: { kind: 'data', meaning: 'Data for other tools.' },
};

export const invokeFields: Fields = {
  src: {
    kind: 'src',
    meaning:
      'A flow, an operation of the locker API, `ask`, `book`, `call`, `each` or `undo`. A published flow is started on its current version.',
    required: true,
  },
  id: {
    kind: 'name',
    meaning:
      'The name of the invoke: the events of a booking or a child flow begin with it. By default the path of the state.',
  },
  input: { kind: 'value', meaning: 'The data that it gets.' },
  onDone: { kind: 'transitions', meaning: 'What happens when it is done; its result is `event.output`.' },
  onError: {
    kind: 'transitions',
    meaning:
      'What happens when it fails; `event.error` has `code`, `message`, `status` and `detail`, that of a booking `details` too.',
  },
  retry: {
    kind: 'retry',
    meaning:
      'Of an operation or a call: how it is tried again. Unless given, what was not carried out is tried again without end, after 1 s, 2 s … 1 min.',
  },
  within: {
    kind: 'duration',
    meaning:
      'Of an operation or a call: how long all attempts may take together. Then `onError` hears the last failure, or `OutcomeUnknown` if it may have been carried out.',
  },
  undo: {
    kind: 'undo',
    meaning:
      'What undoes it once it is done: `src`, a flow, an operation, `ask` or `call`; and its `input`, over the data and the `event.output` that there are then. An invoke of `undo` carries it out.',
  },
  was: { kind: 'former', meaning: 'The id of this invoke in the version before, where it was renamed.' },
  meta: { kind: 'data', meaning: 'Data for other tools, and notes for `lint`.' },
};

export const retryFields: Fields = {
  on: {
    kind: 'refusals',
    meaning:
      'Codes and HTTP statuses of refusals that are tried again too, such as `[404, NoLockerAvailable]`: a refusal ends the call otherwise.',
  },
  first: { kind: 'duration', meaning: 'The first pause; `PT1S` unless given.' },
  factor: { kind: 'factor', meaning: 'By how much each pause is longer than the last; 2 unless given.' },
  longest: { kind: 'duration', meaning: 'The longest pause; `PT1M` unless given.' },
  tries: { kind: 'positive', meaning: 'How many attempts there are at most.' },
};

/** The input of what is neither a flow nor an operation. */
export const inputFields: Readonly<Record<'ask' | 'book' | 'call' | 'each' | 'undo', Fields>> = {
  ask: {
    of: { kind: 'value', meaning: 'The inbox that the question comes into.', required: true },
    question: { kind: 'value', meaning: 'What is asked.', required: true },
    fields: { kind: 'fields', meaning: 'The fields of an answer, by name.' },
    within: { kind: 'delay', meaning: 'How long the answer may take; then `onError` hears `NotAnswered`.' },
    assignee: {
      kind: 'value',
      meaning: 'Who holds it from the start: nobody else answers, until it is released or assigned.',
    },
    candidates: {
      kind: 'value',
      meaning: 'A list of those who may claim and answer it. By default everybody who has the inbox.',
    },
    not: {
      kind: 'value',
      meaning: 'Who may not answer it, as a name or a list: four eyes, if it is who has decided before.',
    },
    priority: {
      kind: 'priority',
      meaning: 'From 0 to 100; 50 unless given. An inbox shows the highest first.',
    },
    due: {
      kind: 'delay',
      meaning:
        'When it should be answered. The process hears `<id>.overdue` then, and the question stays open.',
    },
    remind: {
      kind: 'moments',
      meaning:
        'When the process hears `<id>.reminder`, counted from when it was asked: a duration or an instant, or a list of them.',
    },
  },
  call: {
    connector: {
      kind: 'connector',
      meaning: 'The connector, by the name that the operator of the workers gave it.',
      required: true,
    },
    method: { kind: 'text', meaning: 'The HTTP method.', values: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    path: {
      kind: 'path',
      meaning: 'The path below the connector, beginning with /.',
      required: true,
    },
    query: { kind: 'value', meaning: 'Parameters of the query, by name.' },
    body: { kind: 'value', meaning: 'The JSON that is sent.' },
    key: {
      kind: 'value',
      meaning:
        'What the other side knows the call by, in its `Idempotency-Key`: calls with the same key are one call. By default each call has its own.',
    },
    headers: { kind: 'value', meaning: 'Headers by name; the connector says which a file may give.' },
    keep: {
      kind: 'keep',
      meaning:
        'The part of the answer that the process keeps: an expression over `status`, `headers` and `body`.',
    },
  },
  each: {
    of: { kind: 'value', meaning: 'The list: something is done with each of its items.', required: true },
    do: {
      kind: 'do',
      meaning:
        'What is done with an item: `src`, a flow, an operation, `book`, `ask` or `call`; and its `input`, with the variables `item` and `index`.',
      required: true,
    },
    atOnce: { kind: 'atOnce', meaning: 'How many run at once, from 1 to 100; 10 unless given.' },
    tolerate: {
      kind: 'tolerance',
      meaning:
        'How many may fail before the whole fails, with the code `ItemsFailed`; `all` for any number. None unless given.',
    },
    enough: {
      kind: 'enough',
      meaning:
        'When no more is needed: how many are done, or an expression over `done` and `failed`. The others are cancelled. By default every item ends.',
    },
    title: {
      kind: 'titleOfItem',
      meaning:
        'What people call an item, such as `${item.device}`: an expression over `item` and `index`. Everybody who may read the process reads it, so it names no person.',
    },
    keep: {
      kind: 'keepOfItem',
      meaning:
        'The part of the result of an item that the process keeps: an expression over `output`, `item` and `index`. By default all of it.',
    },
  },
  book: {
    operation: {
      kind: 'text',
      meaning: 'The operation that books.',
      required: true,
      values: bookingOperations,
    },
    request: { kind: 'value', meaning: 'Its request, as the built-in flow of the operation takes it.' },
    deadlines: {
      kind: 'value',
      meaning:
        'How long each leg may stay in a stage: by leg, by `dropOff`, `receiver` or `pickUp`, a duration, or open days of [a calendar](#a-calendar) as in `{ open: P3D, in: desk }`.',
    },
    onOverdue: {
      kind: 'value',
      meaning:
        'What a passed deadline does: `wait`, or `cancel`, which undoes the booking; `wait` unless given.',
    },
    waitForLocker: {
      kind: 'anyDuration',
      meaning: 'How long it keeps trying where no locker is free.',
    },
    legs: { kind: 'legs', meaning: 'What is otherwise for a leg than the operation has it, by its name.' },
    personAssignsLegs: {
      kind: 'boolean',
      meaning: 'A person is asked which shipment is which leg where reports cannot tell them apart.',
    },
    isWhole: {
      kind: 'boolean',
      meaning:
        'The booking is the whole process, as in a built-in flow: it takes what the process was started with (`request`, `deadlines`, …) in place of an input, and its answers are those of the process.',
    },
  },
  undo: {
    of: {
      kind: 'value',
      meaning: 'The inbox of whoever decides about what cannot be undone; `operator` unless given.',
    },
    steps: {
      kind: 'steps',
      meaning: 'The ids of the invokes that are undone; all that are done and have an `undo` unless given.',
    },
  },
};

/** What may be said of a leg of a booking. */
export const legFields: Fields = {
  done: { kind: 'legStates', meaning: 'The states of its shipment in one of which it is done.' },
  undo: {
    kind: 'text',
    meaning: 'What undoing the booking does to it.',
    values: ['cancel', 'removeReceiver', 'leave'],
  },
};

/** What one field of a question may have. */
export const questionFields: Fields = {
  type: {
    kind: 'text',
    meaning: 'The kind of value that the person fills in.',
    values: ['text', 'number', 'yesNo', 'date'],
  },
  choice: { kind: 'choices', meaning: 'The values from which the person chooses one.' },
  many: { kind: 'boolean', meaning: 'Of a choice: several values may be chosen; the answer is a list.' },
  minLength: {
    kind: 'count',
    meaning: 'Of a text: how many characters it has at least, without the white space around it.',
  },
  maxLength: { kind: 'count', meaning: 'Of a text: how many characters it has at most; 2000 unless given.' },
  min: {
    kind: 'value',
    meaning: 'Of a number or a date: the least one. Of `many`: how many are chosen at least.',
  },
  max: {
    kind: 'value',
    meaning: 'Of a number or a date: the greatest one. Of `many`: how many are chosen at most.',
  },
  default: { kind: 'value', meaning: 'What the answer has if the person leaves the field out.' },
  label: { kind: 'text', meaning: 'What the person reads.' },
  optional: { kind: 'boolean', meaning: 'Whether the person may leave it out.' },
};
