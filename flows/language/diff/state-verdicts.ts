// What would become of the processes in each state of a flow file, if they went over to another version of it: what follows
// from the two files alone. That `carried` is said here and refused later must not be: in doubt it depends.
import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { pathOf } from '../../../engine/chart/chart-view.ts';
import { type StateVerdict, uncertain, verdictsByState } from '../../../engine/migration/by-state.ts';
import { ancestorsOf } from '../../../engine/migration/images.ts';
import type { Layout } from '../../../engine/migration/layout.ts';
import { joined, type Obstacle, obstacles } from '../../../engine/migration/plan.ts';
import { durationMs } from '../duration.ts';
import { type ActionData, type FlowFile, type Json, listOf, type StateData } from '../flow-file.ts';
import type { FlowFilePlan } from '../machine/migration.ts';
import { isOfOtherType } from '../machine/migration.ts';
import { textsIn } from '../reading/walk.ts';
import { type Compared, isSame, type Side } from './compared.ts';

export type { StateVerdict };

/** Whether a plan could say it: also where it may be in the way of some. */
export const isGap = (code: Obstacle['code']): boolean => obstacles[code].kind === 'gap';

export function stateVerdicts(compared: Compared, plan: FlowFilePlan = {}): StateVerdict[] {
  const { old, now, names } = compared;
  const everywhere = [...contextDoubts(old.file, now.file, plan), ...inputDoubts(old.file, now.file, plan)];
  return verdictsByState(old.machine, now.machine, joined(names, plan), {
    lengthOf: ({ name }) => durationMs(name) ?? undefined,
    doubtsOf: (layout) => [...everywhere, ...stepDoubts(compared, layout)],
  });
}

function contextDoubts(old: FlowFile, now: FlowFile, { context: planned = {} }: FlowFilePlan): Obstacle[] {
  const declared = old.context ?? {};
  return [
    ...Object.entries(planned).flatMap(([field, value]) =>
      isComputed(value) ? [computed(`context.${field}`, 'the plan')] : [],
    ),
    ...Object.entries(now.context ?? {}).flatMap(([field, initial]): Obstacle[] => {
      if (Object.hasOwn(planned, field)) return [];
      const was = Object.hasOwn(declared, field) ? declared[field] : undefined;
      if (was === undefined) return isComputed(initial) ? [computed(`context.${field}`, 'the new file')] : [];
      if (!isOfOtherType(was, initial, was)) return [];
      return [
        {
          code: 'ContextUnknown',
          at: `context.${field}`,
          reason: `context.${field} began with ${JSON.stringify(was)}, and begins with ${JSON.stringify(initial)} in the new file`,
          remedy: `say what it is to be: context: { ${field}: "$\{ … }" } in the plan, an expression over the old context`,
        },
      ];
    }),
  ];
}

function inputDoubts(old: FlowFile, now: FlowFile, { input: planned = {} }: FlowFilePlan): Obstacle[] {
  const required = ({ input }: FlowFile) => (input?.required ?? []) as readonly string[];
  const known = required(old);
  return [
    ...Object.entries(planned).flatMap(([field, value]) =>
      isComputed(value) ? [computed(`input.${field}`, 'the plan')] : [],
    ),
    ...required(now)
      .filter((field) => !known.includes(field) && !Object.hasOwn(planned, field))
      .map(
        (field): Obstacle => ({
          code: 'InputUnknown',
          at: `input.${field}`,
          reason: `input.${field} is required in the new file, and processes may have begun without it`,
          remedy: `say what it is: input: { ${field}: "$\{ … }" } in the plan, an expression over the old input and context`,
        }),
      ),
  ];
}

const computed = (what: string, by: string): Obstacle =>
  uncertain('StepFails', what, `${by} computes ${what}, which may fail`);

const isComputed = (value: Json | undefined): boolean => textsIn(value).some((text) => text.includes('${'));

/** What the step does, beside what the states say: it may fail, or lead on. */
function stepDoubts(
  compared: Compared,
  { nodes, carried, left, entered, started, completed }: Layout,
): Obstacle[] {
  const { old, now } = compared;
  const begun = new Set(started.map(({ id }) => id));
  const starts = [...nodes].filter(({ invoke }) => invoke.some(({ id }) => begun.has(id)));
  return [
    ...left
      .filter((node) => mayFail(dataOf(old, node).exit))
      .map((node) => doubt(node, 'what is left computes')),
    ...entered
      .filter((node) => mayFailToEnter(dataOf(now, node)))
      .map((node) => doubt(node, 'what is entered computes')),
    ...starts
      .filter((node) => listOf(dataOf(now, node).invoke).some(({ input }) => isComputed(input)))
      .map((node) => doubt(node, 'what begins there computes its input')),
    ...[...nodes]
      .filter((node) => mayLeadOn(compared, node, carried.get(node), entered.length + left.length > 0))
      .map((node) => doubt(node, 'its `always` is asked once')),
    ...completed.map((node) => doubt(node, 'the states within are done now, and what follows computes')),
  ];
}

const doubt = (node: AnyStateNode, why: string): Obstacle =>
  uncertain('StepFails', pathOf(node), `${pathOf(node) || 'the flow'}: ${why}, which may fail`);

const dataOf = ({ byPath }: Side, node: AnyStateNode): StateData => byPath.get(pathOf(node))?.state ?? {};

/** Without an expression they cannot fail; the others depend on what runs, or lead on. */
const harmless: readonly string[] = ['assign', 'emit', 'log'];

const mayFail = (actions: ActionData | readonly ActionData[] | undefined): boolean =>
  listOf<ActionData>(actions).some(({ type, params }) => !harmless.includes(type) || isComputed(params));

const mayFailToEnter = ({ entry, invoke }: StateData): boolean =>
  mayFail(entry) || listOf(invoke).some(({ input }) => isComputed(input));

/** One that has been asked already, and sees nothing new, gives the same again: it is not taken, unless it leads back. */
function mayLeadOn(
  { old, now }: Compared,
  node: AnyStateNode,
  origin: AnyStateNode | undefined,
  isElsewhere: boolean,
): boolean {
  const { always } = dataOf(now, node);
  if (always === undefined) return false;
  const isKnown =
    origin && isSame(dataOf(old, origin).always, always) && isSame(old.file.context, now.file.context);
  const texts = textsIn(always as Json);
  const seesMore = isElsewhere || texts.some((text) => /\b(?:event|now|flow|input)\b|stateIn/.test(text));
  return !isKnown || seesMore || node.always?.some((each) => leadsBack(each, node)) === true;
}

/** A process may rest where the guard of such a transition holds: taken again, it changed nothing in the old file. */
function leadsBack({ target = [] }: AnyTransitionDefinition, node: AnyStateNode): boolean {
  const around = [node, ...ancestorsOf(node)];
  const meets = (each: AnyStateNode) =>
    [each, ...ancestorsOf(each)].find((shared) => around.includes(shared));
  return (
    target.length === 0 || target.some((each) => meets(each) === each || meets(each)?.type === 'parallel')
  );
}
