// Checks what is read of an answer that a file keeps in its context, as `context.account.userUid`: a field that the answer does not
// have halts the process.
import { anything, mapWith, type Shape, unknownFields } from '../expressions/read-fields.ts';
import { soleExpression } from '../expressions/template.ts';
import { type FlowFile, type Json, listOf } from '../flow-file.ts';
import { assignedIn } from '../reading/action-effects.ts';
import { invokesOf, transitionsOf } from '../reading/walk.ts';
import { outputShape } from './event-fields.ts';
import { formatKnown, type Invocables } from './invokes.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { readsOf } from './missing.ts';
import type { Reach } from './states.ts';

export function keptAnswerFindings(
  file: FlowFile,
  reach: Reach,
  invocables: Invocables | undefined,
): PlacedFinding[] {
  const context = { properties: keptAnswers(file, reach, invocables), additionalProperties: true };
  return reach.nodes
    .flatMap(readsOf)
    .flatMap(({ sources, at }) =>
      unknownFields(sources, { context }).map(({ path, name, known }) =>
        lintFinding('ContextFieldUnknown', at, path, formatKnown(name, known)),
      ),
    );
}

/** What each answer holds, by the field of the context that nothing else is kept in. */
function keptAnswers(
  { context = {} }: FlowFile,
  { nodes }: Reach,
  invocables: Invocables | undefined,
): Readonly<Record<string, Shape>> {
  const invokes = nodes.flatMap(invokesOf);
  const answers = nodes.flatMap(transitionsOf).flatMap(({ trigger, transition: { actions } }) => {
    const invoke = invokes.find(({ id }) => trigger.kind === 'invokeDone' && id === trigger.id)?.invoke;
    const shape = invoke && outputShape(invoke, invocables);
    if (!shape?.properties) return [];
    return listOf(actions)
      .filter(({ type }) => type === 'assign')
      .flatMap(({ params = {} }) => Object.entries(params))
      .flatMap(([field, value]) => (isOutput(value) ? [{ field, shape }] : []));
  });
  const assigned = assignedIn(nodes);
  const fields = new Set(answers.map(({ field }) => field));
  return Object.fromEntries(
    [...fields].flatMap((field): [string, Shape][] => {
      const own = answers.filter((each) => each.field === field);
      const isAll = assigned.filter((each) => each === field).length === own.length;
      return isAll && (context[field] ?? null) === null
        ? [[field, anyOf(own.map(({ shape }) => shape))]]
        : [];
    }),
  );
}

/** Where it is one of several answers, only the names of the fields are sure. */
function anyOf(shapes: readonly Shape[]): Shape {
  const [first = anything] = shapes;
  return shapes.every((each) => JSON.stringify(each) === JSON.stringify(first))
    ? first
    : mapWith(shapes.flatMap(({ properties = {} }) => Object.keys(properties)));
}

const isOutput = (value: Json): boolean =>
  typeof value === 'string' && soleExpression(value)?.trim() === 'event.output';
