// Checks conditions: each transition of a list can be taken, and each comparison is with a value that may be there.
import type { FlowFile, Json, JsonObject } from '../flow-file.ts';
import type { QuestionField } from '../machine/question.ts';
import { nearestOf } from '../nearest-names.ts';
import type { At } from '../reading/finding.ts';
import { isMap } from '../reading/report.ts';
import {
  invokesOf,
  type Node,
  sourcesIn,
  type TransitionAt,
  textsIn,
  transitionsOf,
} from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './reach.ts';

export function conditionFindings(file: FlowFile, { nodes }: Reach): PlacedFinding[] {
  return nodes.flatMap((node) => [...neverTaken(node), ...neverGiven(node, file)]);
}

/** The first transition of a list whose guard holds is taken: none after one without a guard ever is. */
function neverTaken(node: Node): PlacedFinding[] {
  const plain = new Map<string, TransitionAt>();
  return transitionsOf(node).flatMap((each) => {
    const { trigger, transition, at } = each;
    const key = JSON.stringify(trigger);
    const before = plain.get(key);
    if (before === undefined && transition.guard === undefined) plain.set(key, each);
    return before === undefined ? [] : [lintFinding('TransitionNeverTaken', at, wordsOf(each))];
  });
}

const wordsOf = ({ transition: { target, guard } }: TransitionAt): string =>
  [target ?? [], guard === undefined ? [] : 'with a guard'].flat().join(' ') || 'a transition';

const COMPARED = /(?<![\w.])(event\.output|input)\.(\w+)\s*(?:==|!=)\s*(?:'([^']*)'|"([^"]*)")(?!\s*[+.])/g;

/** A comparison with a text that no answer and no input has is false for ever, or true. */
function neverGiven(node: Node, { input }: FlowFile): PlacedFinding[] {
  const ofInput = isMap(input?.properties) ? input.properties : {};
  const found = (at: At, value: unknown, answer: JsonObject): PlacedFinding[] => [
    ...comparedFindings(at, value, 'input', (field) => textsOfSchema(ofInput[field])),
    ...comparedFindings(at, value, 'event.output', (field) => textsOfField(answer[field])),
  ];
  const questions = new Map(
    invokesOf(node).flatMap(({ id, invoke: { src, input: asked } }) =>
      src === 'ask' && isMap(asked) && isMap(asked.fields) ? [[id, asked.fields] as const] : [],
    ),
  );
  return [
    ...transitionsOf(node).flatMap(({ trigger, transition: { guard, actions }, at }) =>
      found(
        at,
        [guard ?? null, actions ?? null],
        trigger.kind === 'invokeDone' ? (questions.get(trigger.id) ?? {}) : {},
      ),
    ),
    ...found(node.at, [node.state.entry ?? null, node.state.exit ?? null], {}),
  ];
}

/** `known` gives the texts that a field of the variable may have. */
export function comparedFindings(
  at: At,
  value: unknown,
  variable: 'input' | 'event.output',
  known: (field: string) => readonly string[] | undefined,
): PlacedFinding[] {
  return textsIn(value as Json)
    .flatMap(sourcesIn)
    .flatMap((source) => [...source.matchAll(COMPARED)])
    .flatMap(([, of = '', field = '', single, double]) => {
      const text = single ?? double ?? '';
      const texts = of === variable ? known(field) : undefined;
      if (texts === undefined || texts.includes(text)) return [];
      return [
        lintFinding('ValueNeverGiven', at, JSON.stringify(text), because(text, `${of}.${field}`, texts)),
      ];
    });
}

function because(text: string, field: string, known: readonly string[]): string {
  if (known.length === 0) return `${field} is never a text`;
  const near = nearestOf(text, known);
  return near === undefined ? `${field} is one of ${known.join(', ')}` : `perhaps ${near} was meant`;
}

/** The texts that a field of an answer may have; none if it never has a text, undefined if it may have any. */
function textsOfField(given: Json | undefined): readonly string[] | undefined {
  if (!isMap(given)) return undefined;
  const { type, choice, many } = given as unknown as QuestionField;
  if (type === 'yesNo' || type === 'number') return [];
  if (many === true || !Array.isArray(choice)) return undefined;
  return (choice as readonly string[]).some((each) => String(each).includes('${')) ? undefined : choice;
}

export function textsOfSchema(given: Json | undefined): readonly string[] | undefined {
  if (!isMap(given)) return undefined;
  if (Array.isArray(given.enum))
    return (given.enum as readonly Json[]).filter((each) => typeof each === 'string');
  return given.type === 'boolean' || given.type === 'number' || given.type === 'integer' ? [] : undefined;
}
