// Checks moments that stay as they are: a process that one of them brings back to the state in which it waits for it finds it
// in the past, and goes around without a pause.
import { soleExpression } from '../expressions/template.ts';
import { type FlowFile, type Json, type JsonObject, listOf } from '../flow-file.ts';
import { isMap } from '../reading/report.ts';
import {
  invokesOf,
  type Node,
  type TransitionAt,
  type Trigger,
  targetsOf,
  transitionsOf,
} from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { isWithin, lineOf, type Reach } from './reach.ts';

/** A transition that a moment causes. */
interface Way {
  readonly moment: string;
  /** The state whose entry begins the wait for the moment. */
  readonly waits: Node;
  /** The state that has the transition: `waits`, or one around it. */
  readonly source: Node;
  readonly taken: TransitionAt;
}

export function pastMomentFindings(file: FlowFile, reach: Reach): PlacedFinding[] {
  const ways = reach.nodes.flatMap((node) => waysOutOf(node, file)).filter((way) => isSure(way, reach));
  const found: Way[] = [];
  for (const way of ways) {
    const isKnown = found.some((before) => comesBack(way.waits, before, ways, reach, []));
    if (!isKnown && comesBack(way.waits, way, ways, reach, [])) found.push(way);
  }
  return found.map(({ taken, moment }) => lintFinding('MomentInCircle', taken.at, moment));
}

function waysOutOf(waits: Node, file: FlowFile): Way[] {
  const caused = (moment: Json | undefined, is: (trigger: Trigger) => boolean): Way[] =>
    moment === undefined || !isFixed(moment, file)
      ? []
      : lineOf(waits)
          .flatMap((source) => transitionsOf(source).map((taken) => ({ source, taken })))
          .filter(({ taken }) => is(taken.trigger))
          .slice(0, 1)
          .map((each) => ({ ...each, waits, moment: String(moment) }));
  return [
    ...Object.keys(waits.state.after ?? {}).flatMap((delay) =>
      caused(delay, (trigger) => trigger.kind === 'after' && trigger.delay === delay),
    ),
    ...invokesOf(waits).flatMap(({ invoke: { src, input }, id }) => {
      if (src !== 'ask' || !isMap(input)) return [];
      const { due, within, remind } = input as JsonObject;
      const isEvent = (event: string) => (trigger: Trigger) =>
        trigger.kind === 'on' && trigger.event === event;
      return [
        ...caused(due, isEvent(`${id}.overdue`)),
        ...listOf(remind as Json | undefined).flatMap((each) => caused(each, isEvent(`${id}.reminder`))),
        ...caused(within, (trigger) => trigger.kind === 'invokeError' && trigger.id === id),
      ];
    }),
  ];
}

/** Whether the way is taken each time: no guard may end the circle, neither its own nor that of an `always` where it leads. */
const isSure = ({ taken: { transition }, source }: Way, { nodes }: Reach): boolean =>
  transition.guard === undefined &&
  targetsOf(transition, source, nodes)
    .flatMap(lineOf)
    .every(({ state }) => state.always === undefined);

/** Whether the way, or one by a past moment that follows it, enters the state again. */
function comesBack(
  state: Node,
  way: Way,
  ways: readonly Way[],
  reach: Reach,
  passed: readonly Way[],
): boolean {
  if (passed.includes(way)) return false;
  const entered = enteredBy(way, reach);
  return (
    entered.includes(state) ||
    ways.some((next) => entered.includes(next.waits) && comesBack(state, next, ways, reach, [...passed, way]))
  );
}

function enteredBy({ taken: { transition }, source }: Way, reach: Reach): Node[] {
  const targets = targetsOf(transition, source, reach.nodes);
  // A transition that leads into its own state leaves that one alone, unless it says reenter.
  const stays = transition.reenter !== true && targets.every((target) => isWithin(target, source));
  return targets
    .flatMap((target) => [
      ...lineOf(target).filter((each) =>
        stays ? each !== source && isWithin(each, source) : isLeft(each, source),
      ),
      ...beginningsOf(target, reach),
    ])
    .filter((each) => !stays || each !== source);
}

/** Whether a transition out of a state to another one enters this state anew: it is not around both of them. */
const isLeft = (entered: Node, source: Node): boolean => entered === source || !isWithin(source, entered);

/** All states within that are entered with it. */
const beginningsOf = (node: Node, reach: Reach): Node[] =>
  reach.enteredWith(node).flatMap((child) => [child, ...beginningsOf(child, reach)]);

/** Functions that give a moment; counted from `now` it moves on. */
const MOMENT_OF = /^(?:later|earlier|workLater|dateLater)\s*\(/;

/** Whether it is a moment, and the same one however often it is evaluated: of the input, or of the start. */
function isFixed(moment: Json, { input }: FlowFile): boolean {
  const source = typeof moment === 'string' ? soleExpression(moment)?.trim() : undefined;
  if (source === undefined || /(?<![\w.])(?:now|context|event)\b/.test(source)) return false;
  if (MOMENT_OF.test(source) || source === 'flow.startedAt') return true;
  const [, field] = /^input\.(\w+)$/.exec(source) ?? [];
  const schema = field === undefined ? undefined : (input?.properties as JsonObject | undefined)?.[field];
  return isMap(schema) && schema.format === 'date-time';
}
