// What each part of a case is started with, as its flow file makes it of the items of an `each`: also of those that have not begun.
// It starts nothing.
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import { Budget } from '../../../flows/language/expressions/cost.ts';
import { expressionFailureIn } from '../../../flows/language/expressions/failure.ts';
import { eachEnvironments } from '../../../flows/language/expressions/language.ts';
import { type Template, template } from '../../../flows/language/expressions/template.ts';
import { type FlowFile, invokesIn, type Json, mapOf } from '../../../flows/language/flow-file.ts';
import { titleOfItem } from '../../../flows/language/item-title.ts';
import { eachOf } from '../../../flows/language/machine/each-data.ts';
import { indexesShown, partId } from './case-parts.ts';

type Batch = NonNullable<ProcessProgress['batches']>[number];
type Data = Readonly<Record<string, unknown>>;

interface Given {
  /** What the process was started with, and what it keeps. */
  readonly input: Data;
  readonly context: Data;
  readonly batches: readonly Batch[];
}

interface PartInput {
  readonly id: string;
  /** What is done with it, like the name of a flow. */
  readonly type: string;
  /** What people call its item; undefined: the file does not say. */
  readonly title: string | undefined;
  /** Its request; empty where it could not be made. */
  readonly request: Data;
}

export function inputsOfParts(file: FlowFile, { input, context, batches }: Given): PartInput[] {
  const invokes = new Map(invokesIn(file).map(({ id, invoke }) => [id, invoke]));
  return batches.flatMap((batch) => {
    const invoke = invokes.get(batch.id);
    const each = invoke && eachOf(invoke);
    if (!each) return [];
    const run = template(each.do.input ?? {}, batch.id, { environment: eachEnvironments.do });
    const title = template(each.title ?? null, batch.id, { environment: eachEnvironments.do });
    const now = new Date().toISOString();
    return indexesShown(batch).map((index): PartInput => {
      const item = batch.of?.[index] ?? null;
      const scope = { input, context, flow: {}, now, item, index };
      const { request } = mapOf(madeBy(run, scope));
      return {
        id: partId(batch, index),
        type: batch.type,
        title: titleOfItem(madeBy(title, scope)),
        request: mapOf(request),
      };
    });
  });
}

/** What the file cannot make now, it could not start either: the page says so where it fails. */
function madeBy(run: Template, scope: Data): Json {
  try {
    return run(scope as never, new Budget());
  } catch (error) {
    if (!expressionFailureIn(error)) throw error;
    return null;
  }
}
