// A process of a flow file that goes over to another version of it: what the new file says of its former names, and what becomes
// of the context and of what the process waits for.
import type { MigrationTarget } from '../../../engine/definition.ts';
import { joined, type Obstacle, type Plan } from '../../../engine/migration/plan.ts';
import { instantText } from '../duration.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { template } from '../expressions/template.ts';
import {
  type FlowFile,
  heardFrom,
  type InvokeData,
  invokeIdOf,
  type Json,
  type JsonObject,
  listOf,
  type StateData,
  type TransitionData,
} from '../flow-file.ts';
import type { Published } from '../registry.ts';
import { type FlowContext, type Invocation, scopeOf, withDefaults } from './kit.ts';
import type { Work } from './work.ts';

/** With expressions over the old `input` and `context`, which give fields of the new ones. */
export interface FlowFilePlan extends Plan {
  readonly context?: JsonObject;
  readonly input?: JsonObject;
}

interface MigrationOptions {
  readonly from: Published;
  readonly to: Published;
  readonly plan: FlowFilePlan;
  readonly before: FlowContext;
  now(): number;
  /** That of the process: a plan may have thousands of fields. */
  readonly work: Work;
}

/** Throws an ExpressionFailure if an expression of the plan cannot be parsed. */
export function flowFileMigration({
  from,
  to,
  plan,
  before,
  now,
  work,
}: MigrationOptions): Omit<MigrationTarget, 'definition' | 'version'> {
  const obstacles: Obstacle[] = [];
  const evaluate = (value: Json, path: string, scope: FlowContext): Json =>
    work.beside(() =>
      template(value, path)(
        scopeOf({ context: scope, event: { type: 'xstate.init' } }, instantText(now())),
        work.budget,
      ),
    );
  const filled = (part: 'context' | 'input'): JsonObject =>
    Object.fromEntries(
      Object.entries(plan[part] ?? {}).flatMap(([field, value]) => {
        try {
          return [[field, evaluate(value, `${part}.${field}`, before)]];
        } catch (error) {
          if (!(error instanceof ExpressionFailure)) throw error;
          obstacles.push(failedObstacle(part, field, error));
          return [];
        }
      }),
    );
  const planned = filled('context');
  const asked = inputIn(to.file, before.input, filled('input'), obstacles);
  const input = withDefaults(to.file.input, asked);
  const context = contextIn(from.file, to.file, { ...before, input }, planned, { obstacles, evaluate });
  const after: FlowContext = { ...before, input, flow: { ...before.flow, version: to.version }, context };
  const invoked = new Map(allInvokes(to.file).map(({ id, invoke }) => [id, invoke]));
  return {
    plan: joined(namesOf(from, to), plan),
    obstacles,
    context: () => after,
    input: (id, given) => {
      const { src, input: asked } = given as Invocation;
      const { input: written = {} } = invoked.get(id) ?? {};
      const renewed = src === 'ask' ? questionOf(written, (value) => evaluate(value, id, after)) : undefined;
      return { ...(given as Invocation), id, hears: heardFrom(to.file, id), input: renewed ?? asked };
    },
    notes: (invokes) => notesOf(from.file, to.file, invokes),
  };
}

/** Between two neighbours; what a name has become between others is the plan's to say. */
function namesOf(from: Published, to: Published): Plan {
  if (to.version > from.version) return formerNames(to.file);
  return to.version === from.version ? {} : inverse(formerNames(from.file));
}

/** A question is asked as the new file has it. One that needs the event that led to it stays as it was. */
function questionOf(written: Json, evaluate: (value: Json) => Json): Json | undefined {
  try {
    return evaluate(written);
  } catch (error) {
    if (error instanceof ExpressionFailure) return undefined;
    throw error;
  }
}

function contextIn(
  { context: declared = {} }: FlowFile,
  { context: wanted = {} }: FlowFile,
  before: FlowContext,
  planned: JsonObject,
  {
    obstacles,
    evaluate,
  }: { obstacles: Obstacle[]; evaluate(value: Json, path: string, scope: FlowContext): Json },
): JsonObject {
  // What the new file declares no longer is dropped; what only actions assign is kept.
  const kept = Object.entries(before.context).filter(
    ([field]) => Object.hasOwn(wanted, field) || !Object.hasOwn(declared, field),
  );
  const context: Record<string, Json> = { ...Object.fromEntries(kept), ...planned };
  const begin = (field: string, initial: Json): void => {
    try {
      context[field] = evaluate(initial, `context.${field}`, { ...before, context: {} });
    } catch (error) {
      if (!(error instanceof ExpressionFailure)) throw error;
      obstacles.push({
        code: 'ContextUnknown',
        at: `context.${field}`,
        reason: `context.${field} is new, and what it begins with fails here: ${error.message}`,
        remedy: `say what it is to be: context: { ${field}: "$\{ … }" } in the plan, an expression over the old context`,
      });
    }
  };
  for (const [field, initial] of Object.entries(wanted)) {
    if (Object.hasOwn(planned, field)) continue;
    const value = context[field];
    if (value === undefined) begin(field, initial);
    else if (isOfOtherType(declared[field], initial, value))
      obstacles.push({
        code: 'ContextUnknown',
        at: `context.${field}`,
        reason: `context.${field} is ${JSON.stringify(value)}, and begins with ${JSON.stringify(initial)} in the new file`,
        remedy: `say what it is to be: context: { ${field}: "$\{ … }" } in the plan, an expression over the old context`,
      });
  }
  return context;
}

/** The file has changed the type of the field, and the process has a value of the old one. */
function isOfOtherType(declared: Json | undefined, wanted: Json, value: Json): boolean {
  const [was, is] = [kindOf(declared), kindOf(wanted)];
  return was !== undefined && is !== undefined && was !== is && kindOf(value) !== is;
}

/** Undefined where the value does not tell it. */
function kindOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || (typeof value === 'string' && value.includes('${')))
    return undefined;
  return Array.isArray(value) ? 'list' : typeof value;
}

/** Only what is required now: the rest of the schema was checked when the process began. */
function inputIn(
  { input: schema }: FlowFile,
  before: Json,
  planned: JsonObject,
  obstacles: Obstacle[],
): Json {
  const isMap = typeof before === 'object' && before !== null && !Array.isArray(before);
  if (!isMap) return before;
  const input = { ...before, ...planned };
  for (const field of (schema?.required ?? []) as readonly string[])
    if (!Object.hasOwn(input, field))
      obstacles.push({
        code: 'InputUnknown',
        at: `input.${field}`,
        reason: `input.${field} is required in the new file, and the process began without it`,
        remedy: `say what it is: input: { ${field}: "$\{ … }" } in the plan, an expression over the old input and context`,
      });
  return input;
}

function failedObstacle(part: 'context' | 'input', field: string, { message }: ExpressionFailure): Obstacle {
  return {
    code: part === 'context' ? 'ContextUnknown' : 'InputUnknown',
    at: `${part}.${field}`,
    reason: `the plan's expression for ${part}.${field} fails: ${message}`,
    remedy: `correct ${part}: { ${field}: … } in the plan`,
  };
}

function notesOf(from: FlowFile, to: FlowFile, invokes: ReadonlyMap<string, string>): string[] {
  const old = new Map(allInvokes(from).map(({ id, invoke }) => [id, invoke]));
  const now = new Map(allInvokes(to).map(({ id, invoke }) => [id, invoke]));
  return [...invokes].flatMap(([id, image]) => {
    const [was, is] = [old.get(id), now.get(image)];
    const isSame = JSON.stringify(was?.input) === JSON.stringify(is?.input);
    return [
      ...(isSame || was?.src === 'ask' ? [] : [`${image} goes on with the input that it was given before`]),
    ];
  });
}

export type FormerNames = Required<Pick<Plan, 'states' | 'invokes' | 'events'>>;

/** The former names in a file, as they were in the version before it. */
export function formerNames(file: FlowFile): FormerNames {
  const all = allStates(file, []);
  const states = all.flatMap(({ state: { was }, keys }) =>
    was === undefined ? [] : [[was, keys.join('.')]],
  );
  const invokes = allInvokes(file).flatMap(({ id, invoke: { was } }) =>
    was === undefined ? [] : [[was, id]],
  );
  const events = all.flatMap(({ state: { on = {} } }) =>
    Object.entries(on).flatMap(([type, given]) =>
      listOf<string | TransitionData>(given as TransitionData).flatMap((each) =>
        typeof each === 'object' && each.was !== undefined ? [[each.was, type]] : [],
      ),
    ),
  );
  return {
    states: Object.fromEntries(states),
    invokes: Object.fromEntries(invokes),
    events: Object.fromEntries(events),
  };
}

interface StateAt {
  readonly state: StateData;
  readonly keys: readonly string[];
}

const allStates = (state: StateData, keys: readonly string[]): StateAt[] => [
  { state, keys },
  ...Object.entries(state.states ?? {}).flatMap(([key, inner]) => allStates(inner, [...keys, key])),
];

const invokesOf = ({ invoke }: StateData, keys: readonly string[]): { id: string; invoke: InvokeData }[] =>
  listOf(invoke).map((each, index) => ({ id: invokeIdOf(each, keys, index), invoke: each }));

export const allInvokes = (file: FlowFile): { id: string; invoke: InvokeData }[] =>
  allStates(file, []).flatMap(({ state, keys }) => invokesOf(state, keys));

/** From what they are called before the first of some versions, one after the other, to what they are called in the last. */
export const chainedNames = (versions: readonly FormerNames[]): FormerNames =>
  versions.reduce<FormerNames>(
    (first, then) => ({
      states: chained(first.states, then.states),
      invokes: chained(first.invokes, then.invokes),
      events: chained(first.events, then.events),
    }),
    { states: {}, invokes: {}, events: {} },
  );

/** For a process that goes to an earlier version. */
export function inverse({ states, invokes, events }: FormerNames): FormerNames {
  const turned = (names: Names): Names =>
    Object.fromEntries(Object.entries(names).map(([old, now]) => [now, old]));
  return { states: turned(states), invokes: turned(invokes), events: turned(events) };
}

type Names = Readonly<Record<string, string>>;

/** A name within a renamed one, such as the path of an inner state, is renamed with it. */
function chained(first: Names, then: Names): Names {
  const back = Object.fromEntries(Object.entries(first).map(([old, now]) => [now, old]));
  const onward = Object.entries(first).map(([old, now]) => [old, renamed(now, then)]);
  const later = Object.entries(then).map(([old, now]) => [renamed(old, back), now]);
  return { ...Object.fromEntries(later), ...Object.fromEntries(onward) };
}

/** What a name, or the path of a state within a renamed one, is called now. */
export function renamed(name: string, names: Names): string {
  const around = Object.keys(names)
    .filter((each) => name === each || name.startsWith(`${each}.`))
    .sort((one, other) => other.length - one.length)[0];
  return around === undefined ? name : `${names[around]}${name.slice(around.length)}`;
}
