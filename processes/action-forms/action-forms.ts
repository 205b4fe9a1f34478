// Builds the forms of the actions that a person may take on a process, from the actions that the process itself offers. Only
// labels and texts are added here.
import type { Action, Actions, CommandName, JsonSchema } from '../../contract/flows/actions.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { internalWorkflows } from '../../contract/flows/flow-types.ts';
import type { TaskAction } from '../../flows/language/machine/tasks.ts';
import { t } from '../../shared/texts/text.ts';
import type { Form } from '../commands/command.ts';
import {
  type CommandName as ApiCommand,
  commands,
  describedNames,
  formsOf as formsOfCommand,
} from '../commands/commands.ts';
import { nextEndOf } from '../commands/named-end.ts';
import { consequenceSentence } from '../format-consequence.ts';
import { formatName, formatRole, formatStage, formatState } from '../views/format-names.ts';
import { formatDuration } from '../views/readable.ts';
import {
  type ActionField,
  type ActionForm,
  type FormRequest,
  isOfTask,
  questionForm,
  taskForm,
  WHY_FIELD,
} from './question-forms.ts';

/** What the forms of a process depend on. */
export interface ActionFormsInput {
  readonly key: string;
  readonly isOpen: boolean;
  readonly flow: string;
  readonly progress: ProcessProgress | null;
  /** Null: the process does not answer. */
  readonly actions: Actions | null;
  /** The names of pick up points; those that are not there are told by their uids. */
  readonly pickUpPoints?: ReadonlyMap<string, string>;
}

export function actionFormsOf(input: ActionFormsInput): ActionForm[] {
  const { key, isOpen, flow, progress, actions } = input;
  if (!isOpen || internalWorkflows.includes(flow)) return [];
  if (!actions) return [cancelForm(key)];
  const possible = actions.actions
    .filter(({ isPossible }) => isPossible)
    .flatMap((action) => formsOf(input, action));
  // A process that waits for a decision lists its decisions first.
  const isWaiting = progress?.phase === 'NeedsPerson';
  return isWaiting ? possible.toSorted((one, other) => rank(one) - rank(other)) : possible;
}

const isDecision = ({ command }: ActionForm): boolean =>
  describedNames.some((name) => name === command && commands[name].isDecision);
const rank = (form: ActionForm): number => (isDecision(form) ? 0 : 1);

/** The actions of which a waiting process needs one to continue. */
export const decisionsOf = (input: ActionFormsInput): ActionForm[] => actionFormsOf(input).filter(isDecision);

/** For a process that cannot be asked for its actions. */
const cancelForm = (key: string): ActionForm => ({
  id: 'cancel',
  command: 'cancel',
  label: t`Cancel the case`,
  isDestructive: true,
  fields: [WHY_FIELD()],
  request: requestOf(key, 'cancel'),
  consequence: t`The case hears that it is to end. It undoes what its flow says, and ends; this cannot be taken back.`,
});

function requestOf(key: string, command: ApiCommand, booking?: string): FormRequest {
  const process = `/v1/processes/${encodeURIComponent(key)}`;
  const path = command === 'event' ? `${process}/events` : `${process}/commands/${command}`;
  return { path, body: booking === undefined ? {} : { booking } };
}

/** Flow files have waits in place of the deadlines of stages. */
const waitTexts = (): Readonly<Partial<Record<ApiCommand, Pick<Form, 'label' | 'meaning'>>>> => ({
  extend: {
    label: t`Extend a wait`,
    meaning: t`The case waits until the new end, and then does what it would have done at the old one.`,
  },
  shorten: {
    label: t`Shorten a wait`,
    meaning: t`The case waits only until the new end, and then does what it would have done at the old one.`,
  },
});

/** Labels while it is unknown whether the booking was made. */
const labelsInDoubt = (): Readonly<Partial<Record<CommandName, string>>> => ({
  'resolve.retry': t`Book again`,
  'resolve.adopt': t`Adopt what was booked`,
});

function formsOf({ key, progress, pickUpPoints }: ActionFormsInput, action: Action): ActionForm[] {
  const { command, question, booking, consequence } = action;
  if (command === 'answer') return answerOf(key, question, progress);
  if (isOfTask(command)) return taskOf(key, command, question, progress);
  const timers = timersOf(action);
  const isOfEnd = command === 'extendDeadline';
  if (isOfEnd && pairsOf(action).length + timers.length === 0) return [];
  return formsOfCommand(command).map((form) => {
    const name = form.command;
    const { label, meaning } = { ...form, ...(timers.length > 0 && waitTexts()[name]) };
    const doesHarm = form.isDestructive || consequence?.booking === 'MayBookTwice';
    return {
      id: booking === undefined ? name : `${name}:${booking}`,
      command: name,
      label: labelOf(action, label, progress),
      fields: isOfEnd ? endFields(name, action, progress) : fieldsOf(action),
      request: requestOf(key, name, booking),
      consequence: consequence ? `${meaning} ${consequenceSentence(consequence, pickUpPoints)}` : meaning,
      ...(doesHarm && { isDestructive: true }),
    };
  });
}

/** With the name of the booking, where the process has several. */
function labelOf(action: Action, usual: string, progress: ProcessProgress | null): string {
  const { command, booking } = action;
  const isInDoubt = bookingsOf(action, progress).some(({ doubt }) => doubt !== undefined);
  const label = (isInDoubt && labelsInDoubt()[command]) || usual;
  const isOneOfSeveral = booking !== undefined && (progress?.bookings.length ?? 0) > 1;
  return isOneOfSeveral ? `${label}: ${formatName(booking)}` : label;
}

/** What it is about: one booking, or all. */
const bookingsOf = ({ booking }: Action, progress: ProcessProgress | null) =>
  (progress?.bookings ?? []).filter(({ id }) => booking === undefined || id === booking);

const questionIn = (id: string | undefined, progress: ProcessProgress | null) =>
  progress?.questions.find((each) => each.id === id);

function taskOf(key: string, command: TaskAction, id: string | undefined, progress: ProcessProgress | null) {
  const asked = questionIn(id, progress);
  return asked ? [taskForm(key, command, asked)] : [];
}

/** The form repeats the question, which the page shows nowhere else. */
function answerOf(key: string, id: string | undefined, progress: ProcessProgress | null): ActionForm[] {
  const asked = questionIn(id, progress);
  if (!asked) return [];
  const form = questionForm(key, asked);
  return [{ ...form, consequence: `${asked.question} ${form.consequence}` }];
}

/** Request fields without an input: the console fills them in, or the form has another input for them. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set(['by', 'onBehalfOf', 'id']);

/** Which deadline or wait, by how much or until when, and why. */
function endFields(name: ApiCommand, action: Action, progress: ProcessProgress | null): ActionField[] {
  const timers = timersOf(action);
  const by = name === 'shorten' ? 'shortenBy' : 'extendBy';
  return [
    timers.length > 0
      ? timerField(timers, progress)
      : deadlineField(pairsOf(action), runningDeadline(progress, action.booking)),
    {
      name: by,
      label: t`By how much`,
      kind: 'select',
      options: lengths,
      optionLabels: lengths.map((each) => formatDuration(each) ?? each),
      none: t`Until a date…`,
      suggested: 'P1D',
    },
    {
      ...fieldOf('until', action.fields?.properties.until, true),
      unless: by,
      ...(name === 'extend' && { extends: currentEnds(action, progress) }),
    },
    WHY_FIELD(),
  ];
}

/** By which an end is moved, as the page offers it. */
const lengths = ['PT4H', 'P1D', 'P2D', 'P3D', 'P1W', 'P2W'];

function fieldsOf({ command, fields }: Action): ActionField[] {
  const { properties = {}, required = [] } = fields ?? {};
  const names = Object.keys(properties).filter((name) => !HIDDEN_FIELDS.has(name));
  const all = names.flatMap((name) => {
    const schema = properties[name] ?? {};
    const isRequired = required.includes(name);
    if (name === 'why')
      return [isRequired || command === 'cancel' ? WHY_FIELD() : { ...WHY_FIELD(), optional: true as const }];
    const inner = Object.entries(schema.properties ?? {});
    return inner.length > 0
      ? inner.map(([role, each]) => shipmentField(`${name}.${role}`, role, each))
      : [fieldOf(name, schema, isRequired)];
  });
  if (command === 'resolve.setState') return [...all, EVEN_IF_OTHER()];
  return command === 'cancel' && !names.includes('why') ? [...all, WHY_FIELD()] : all;
}

/** Of the command, and none of the process's. */
const EVEN_IF_OTHER = (): ActionField => ({
  name: 'evenIfOther',
  label: t`Also where the locker service says otherwise`,
  kind: 'yesNo',
  suggested: 'no',
  hint: t`What would come after it, such as a return, does not begin there.`,
});

/** The current end of each wait or deadline that can be extended. */
function currentEnds(action: Action, progress: ProcessProgress | null): NonNullable<ActionField['extends']> {
  if (timersOf(action).length > 0) {
    const waits = (progress?.waitingFor ?? []).flatMap((each) =>
      each.id && each.until ? [[each.id, each.until] as const] : [],
    );
    return { field: 'timer', ends: Object.fromEntries(waits) };
  }
  const all = bookingsOf(action, progress).flatMap(({ deadlines }) => deadlines);
  const ends = all.map(({ role, stage, until }) => [`${role}.${stage}`, until] as const);
  return { field: 'deadline', ends: Object.fromEntries(ends) };
}

/** One select field for role and stage of the deadline. */
function deadlineField(pairs: readonly string[], running: string | undefined): ActionField {
  return {
    name: 'deadline',
    label: t`Deadline`,
    kind: 'select',
    options: pairs,
    optionLabels: pairs.map((each) => {
      const [role = '', stage = ''] = each.split('.');
      return formatStage(role, stage);
    }),
    parts: ['role', 'stage'],
    ...(running !== undefined && pairs.includes(running) && { suggested: running }),
  };
}

/** A select field for the waits of a flow file, labelled by their ends. It suggests the one that ends first. */
function timerField(timers: readonly string[], progress: ProcessProgress | null): ActionField {
  const awaited = (progress?.waitingFor ?? []).filter(({ kind }) => kind === 'time');
  const known = new Map(awaited.flatMap((each) => (each.id ? [[each.id, each]] : [])));
  const until = (id: string): string => known.get(id)?.until ?? '\uffff';
  const [first, ...others] = timers.toSorted((one, other) => until(one).localeCompare(until(other)));
  return {
    name: 'timer',
    label: t`Wait`,
    kind: 'select',
    options: timers,
    optionLabels: timers.map((id) => known.get(id)?.words ?? id),
    ...(first !== undefined && (others.length === 0 || known.has(first)) && { suggested: first }),
  };
}

/** The waits of the process itself; a deadline of a booking has a role. */
const timersOf = ({ fields }: Action): string[] => (fields?.properties.timer?.enum ?? []).map(String);

/** Role and stage of each deadline of a booking, such as issue.pickUp. */
const pairsOf = ({ fields }: Action): string[] =>
  (fields?.allOf ?? [])
    .flatMap(({ oneOf = [] }: JsonSchema) => oneOf)
    .flatMap(({ properties: { role, stage } = {} }) =>
      (stage?.enum ?? []).map((each) => `${String(role?.const)}.${String(each)}`),
    );

/** The deadline that ends first, among those that have begun. */
function runningDeadline(progress: ProcessProgress | null, booking?: string): string | undefined {
  const next = progress === null ? undefined : nextEndOf(progress, booking);
  return next?.role && `${next.role}.${next.stage}`;
}

function shipmentField(name: string, role: string, schema: JsonSchema): ActionField {
  const { const: only, examples = [], default: likely = only } = schema;
  const candidates = only === undefined ? examples : [only];
  return {
    name,
    label: t`shipmentUid of ${role}`,
    kind: 'text',
    ...(candidates.length > 0 && { hint: t`It may be ${candidates.join(' or ')}.` }),
    ...(typeof likely === 'string' && { suggested: likely }),
  };
}

const labels = (): Readonly<
  Record<string, Pick<ActionField, 'label' | 'hint'> & Partial<Pick<ActionField, 'kind'>>>
> => ({
  role: { label: t`Shipment` },
  stateCode: { label: t`State` },
  until: { label: t`Until`, hint: t`In your own time zone.` },
  toUserUid: { label: t`Receiver`, kind: 'person' },
  caseReferenceNew: { label: t`New case number`, hint: t`Leave it empty to keep the case number.` },
  type: { label: t`Event` },
  data: {
    label: t`Data`,
    hint: t`As JSON, like { "cost": 12 }. Leave it empty if the event has none.`,
  },
});

/** What the options of a field are called. */
const inWords: Readonly<Record<string, (option: string) => string>> = {
  role: formatRole,
  stateCode: formatState,
};

function fieldOf(name: string, schema: JsonSchema = {}, isRequired = false): ActionField {
  const options = schema.enum?.map(String);
  return {
    name,
    kind: kindOf(schema),
    ...(labels()[name] ?? { label: schema.title ?? name }),
    ...(options && { options }),
    ...(options && inWords[name] && { optionLabels: options.map(inWords[name]) }),
    ...(!isRequired && { optional: true as const }),
  };
}

const kinds: Readonly<Record<string, ActionField['kind']>> = {
  boolean: 'yesNo',
  number: 'number',
  integer: 'number',
  string: 'text',
};

function kindOf({ type, format, enum: options }: JsonSchema): ActionField['kind'] {
  if (options) return 'select';
  if (format === 'date-time') return 'instant';
  return (type && kinds[type]) || 'json';
}
