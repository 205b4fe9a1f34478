// Checks what is read of an answer that a file keeps in its context, as `context.account.userUid`: a field that the answer does not
// have halts the process.
import { soleExpression } from '../expressions/template.ts';
import { type FlowFile, type Json, listOf } from '../flow-file.ts';
import { assignedIn } from '../reading/action-effects.ts';
import { fieldsRead, invokesOf, transitionsOf } from '../reading/walk.ts';
import { fieldsOfOutput } from './event-fields.ts';
import { formatNearest, type Invocables } from './invokes.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { readsOf } from './missing.ts';
import type { Reach } from './states.ts';

export function keptAnswerFindings(
  file: FlowFile,
  reach: Reach,
  invocables: Invocables | undefined,
): PlacedFinding[] {
  const kept = keptAnswers(file, reach, invocables);
  return reach.nodes.flatMap(readsOf).flatMap(({ sources, at }) =>
    [...kept].flatMap(([field, known]) =>
      fieldsRead(`context.${field}`, sources)
        .filter((each) => !known.includes(each))
        .map((each) => {
          const because = formatNearest(each, known) ?? `it has ${known.join(', ')}`;
          return lintFinding('ContextFieldUnknown', at, `context.${field}.${each}`, because);
        }),
    ),
  );
}

/** The fields of each answer, by the field of the context that nothing else is kept in. */
function keptAnswers(
  { context = {} }: FlowFile,
  { nodes }: Reach,
  invocables: Invocables | undefined,
): ReadonlyMap<string, readonly string[]> {
  const invokes = nodes.flatMap(invokesOf);
  const answers = nodes.flatMap(transitionsOf).flatMap(({ trigger, transition: { actions } }) => {
    const invoke = invokes.find(({ id }) => trigger.kind === 'invokeDone' && id === trigger.id)?.invoke;
    const known = invoke && fieldsOfOutput(invoke, invocables);
    if (!known) return [];
    return listOf(actions)
      .filter(({ type }) => type === 'assign')
      .flatMap(({ params = {} }) => Object.entries(params))
      .flatMap(([field, value]) => (isOutput(value) ? [{ field, known }] : []));
  });
  const assigned = assignedIn(nodes);
  const fields = new Set(answers.map(({ field }) => field));
  return new Map(
    [...fields].flatMap((field): [string, readonly string[]][] => {
      const own = answers.filter((each) => each.field === field);
      const isAll = assigned.filter((each) => each === field).length === own.length;
      return isAll && (context[field] ?? null) === null ? [[field, own.flatMap(({ known }) => known)]] : [];
    }),
  );
}

const isOutput = (value: Json): boolean =>
  typeof value === 'string' && soleExpression(value)?.trim() === 'event.output';
