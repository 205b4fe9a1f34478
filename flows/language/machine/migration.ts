// Migrates a process of a flow file to another version of that file: the renames, the new context and input, and what it waits
// for.
import type { MigrationTarget } from '../../../engine/definition/definition.ts';
import type { InlineActorView } from '../../../engine/definition/views.ts';
import { joined, type Obstacle, type Plan } from '../../../engine/migration-plan.ts';
import { calendarsOf } from '../calendar.ts';
import { instantText } from '../duration.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { template } from '../expressions/template.ts';
import {
  type FlowFile,
  type InvokeData,
  invokesIn,
  isMap,
  type Json,
  type JsonObject,
  listenedFor,
  listOf,
  mapOf,
  statesIn,
  subscribedEvents,
  type TransitionData,
} from '../flow-file.ts';
import type { Published } from '../registry.ts';
import { type EachContext, itemSubscriptions, srcInName } from './each-data.ts';
import { type FlowContext, type Invocation, scopeOf, withDefaults } from './machine-runtime.ts';
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
  readonly actors: readonly InlineActorView[];
  now(): number;
  /** The work budget of the process: evaluating a plan with thousands of fields counts against it. */
  readonly work: Work;
}

/** Gives the failure where the expression fails. */
type Evaluate = (value: Json, path: string, scope: FlowContext) => Json | ExpressionFailure;

/** Throws a TypeError if an expression of the plan is not closed; every other failure is an obstacle. */
export function flowFileMigration({
  from,
  to,
  plan,
  before,
  actors,
  now,
  work,
}: MigrationOptions): Omit<MigrationTarget, 'definition' | 'version'> {
  const obstacles: Obstacle[] = [];
  const calendars = calendarsOf(to.file.calendars);
  const evaluate: Evaluate = (value, path, context) => {
    const run = template(value, path);
    const scope = scopeOf({ context, event: { type: 'xstate.init' } }, instantText(now()), calendars);
    try {
      return work.beside(() => run(scope, work.budget));
    } catch (error) {
      if (error instanceof ExpressionFailure) return error;
      throw error;
    }
  };
  const planned = (part: 'context' | 'input'): JsonObject =>
    Object.fromEntries(
      Object.entries(plan[part] ?? {}).flatMap(([field, value]) => {
        const given = evaluate(value, `${part}.${field}`, before);
        if (!(given instanceof ExpressionFailure)) return [[field, given]];
        obstacles.push({
          code: part === 'context' ? 'ContextUnknown' : 'InputUnknown',
          at: `${part}.${field}`,
          reason: `the plan's expression for ${part}.${field} fails: ${given.message}`,
          remedy: `correct ${part}: { ${field}: … } in the plan`,
        });
        return [];
      }),
    );
  const plannedContext = planned('context');
  const asked = inputIn(to.file, before.input, planned('input'), obstacles);
  const input = withDefaults(to.file.input, asked);
  const context = contextIn(from.file, to.file, { ...before, input }, plannedContext, {
    obstacles,
    evaluate,
  });
  const after: FlowContext = { ...before, input, flow: { ...before.flow, version: to.version }, context };
  const invoked = new Map(invokesIn(to.file).map(({ id, invoke }) => [id, invoke]));
  const heard = (id: string) => subscribedEvents(to.file, id);
  const joinedPlan = joined(namesOf(from, to), plan);
  return {
    plan: joinedPlan,
    obstacles: [...obstacles, ...takenIds(actors, joinedPlan, invoked)],
    context: () => after,
    input: (id, given, of) => {
      if (of !== undefined) {
        const isItem = invoked.get(of)?.src === 'each';
        return isItem ? { ...(given as Invocation), subscriptions: itemSubscriptions(heard(of)) } : given;
      }
      const { src, input: asked } = given as Invocation;
      const { input: written = {} } = invoked.get(id) ?? {};
      // A question is asked as the new file has it. One that needs the event that led to it stays as it was.
      const renewed = src === 'ask' ? evaluate(written, id, after) : asked;
      return {
        ...(given as Invocation),
        id,
        subscriptions: heard(id),
        input: renewed instanceof ExpressionFailure ? asked : renewed,
      };
    },
    actor: (id, state, of) =>
      of === undefined && invoked.get(id)?.src === 'each'
        ? { ...(state as EachContext), subscriptions: heard(id) }
        : state,
    notes: (invokes) => notesOf(from.file, to.file, invokes),
  };
}

/** The items of an `each` keep the ids with which they began: another one of that id would begin its items under the same. */
function takenIds(
  actors: readonly InlineActorView[],
  { invokes = {} }: Plan,
  invoked: ReadonlyMap<string, InvokeData>,
): Obstacle[] {
  return actors.flatMap(({ id, name, state, isEnded }) => {
    if (isEnded || srcInName(name) === undefined) return [];
    const { id: first } = state as EachContext;
    const now = invokes[id] ?? id;
    if (now === first || invoked.get(first)?.src !== 'each') return [];
    return [
      {
        code: 'ActorChanged',
        at: id,
        reason: `the items of ${now} run as ${first}.0, ${first}.1 and so on, and the new file has another each named ${first}`,
        remedy: `give the new each another id, or wait until ${id} has ended`,
      },
    ];
  });
}

/** Renames between two consecutive versions. For versions further apart, the plan must state them. */
function namesOf(from: Published, to: Published): Plan {
  if (to.version > from.version) return renamesOf(to.file);
  return to.version === from.version ? {} : inverse(renamesOf(from.file));
}

function contextIn(
  { context: declared = {} }: FlowFile,
  { context: wanted = {} }: FlowFile,
  before: FlowContext,
  planned: JsonObject,
  { obstacles, evaluate }: { obstacles: Obstacle[]; evaluate: Evaluate },
): JsonObject {
  // What the new file declares no longer is dropped; what only actions assign is kept.
  const kept = Object.entries(before.context).filter(
    ([field]) => Object.hasOwn(wanted, field) || !Object.hasOwn(declared, field),
  );
  const context: Record<string, Json> = { ...Object.fromEntries(kept), ...planned };
  const unknown = (field: string, why: string) =>
    obstacles.push({
      code: 'ContextUnknown',
      at: `context.${field}`,
      reason: `context.${field} ${why}`,
      remedy: `say what it is to be: context: { ${field}: "$\{ … }" } in the plan, an expression over the old context`,
    });
  for (const [field, initial] of Object.entries(wanted)) {
    if (Object.hasOwn(planned, field)) continue;
    const value = context[field];
    if (value === undefined) {
      const begun = evaluate(initial, `context.${field}`, { ...before, context: {} });
      if (begun instanceof ExpressionFailure)
        unknown(field, `is new, and what it begins with fails here: ${begun.message}`);
      else context[field] = begun;
    } else if (isOfOtherType(declared[field], initial, value))
      unknown(
        field,
        `is ${JSON.stringify(value)}, and begins with ${JSON.stringify(initial)} in the new file`,
      );
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
  if (!isMap(before)) return before;
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

function notesOf(from: FlowFile, to: FlowFile, invokes: ReadonlyMap<string, string>): string[] {
  const old = new Map(invokesIn(from).map(({ id, invoke }) => [id, invoke]));
  const now = new Map(invokesIn(to).map(({ id, invoke }) => [id, invoke]));
  return [...invokes].flatMap(([id, image]) => {
    const [was, is] = [old.get(id), now.get(image)];
    const isSame = inputText(was) === inputText(is);
    return isSame || was?.src === 'ask' ? [] : [`${image} goes on with the input that it was given before`];
  });
}

/** Without the deadlines of a booking, which says of them itself. */
const inputText = ({ src, input }: Partial<InvokeData> = {}): string | undefined =>
  JSON.stringify(src === 'book' ? { ...mapOf(input), deadlines: undefined } : input);

export type Renames = Required<Pick<Plan, 'states' | 'invokes' | 'events'>>;

/** The former names in a file, as they were in the version before it. */
export function renamesOf(file: FlowFile): Renames {
  const all = statesIn(file);
  const states = all.flatMap(({ state: { was }, keys }) =>
    was === undefined ? [] : [[was, keys.join('.')]],
  );
  const invokes = invokesIn(file).flatMap(({ id, invoke: { was } }) =>
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

/** Whoever sends an event by its former name is understood, unless that is the name of another one now. */
export function aliasesIn(file: FlowFile): Readonly<Record<string, string>> {
  const listened = new Set(listenedFor(file));
  return Object.fromEntries(Object.entries(renamesOf(file).events).filter(([was]) => !listened.has(was)));
}

/** Combines the renames of consecutive versions: names before the first version to names in the last. */
export const chainedRenames = (versions: readonly Renames[]): Renames =>
  versions.reduce<Renames>(
    (first, then) => ({
      states: chained(first.states, then.states),
      invokes: chained(first.invokes, then.invokes),
      events: chained(first.events, then.events),
    }),
    { states: {}, invokes: {}, events: {} },
  );

/** The renames of a migration back to an earlier version. */
export function inverse({ states, invokes, events }: Renames): Renames {
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
