// What people see of a process without a query: search attributes and current details.
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { shownAsText } from '../../shared/markdown/shown-as-text.ts';
import type { ProcessStart } from '../definition/definition.ts';
import type { Migrated } from '../definition/migration-request.ts';
import type { ProcessViews, SearchAttributes } from '../definition/views.ts';
import type { Process } from '../process.ts';

export class OperatorView {
  /** Not shown yet. */
  #actedAt: Date | undefined;

  /**
   * The step that follows shows it, whatever else it shows.
   * @param at epoch milliseconds, in the real time
   */
  acted(at: number): void {
    this.#actedAt = new Date(at);
  }

  /** Details cost no event; attributes cost one, so those that differ are upserted, all together. */
  show(process: Process): void {
    setCurrentDetails(whenRead(() => detailsOf(process)));
    const { views } = process.definition;
    const { start, snapshot, halt, chart } = process;
    const attributes = views.searchAttributes(snapshot, { halted: halt, actors: chart.actors.view });
    const all = attributes ? { ...attributes, ...versionOf(views, start) } : {};
    // By the act and not by its moment: two acts in one task have the same.
    const acted = actedOf(views, this.#actedAt).map(pairOf);
    const upserted = [...Object.entries(all).map(pairOf).filter(isNews), ...acted];
    if (upserted.length > 0) upsertSearchAttributes(upserted);
    this.#actedAt = undefined;
  }
}

type Value = SearchAttributes[string];

/**
 * Temporal writes what it is given as JSON when somebody looks at a process, and at no other time. Nobody looks at most steps, and the
 * text of one is a tenth of what our own code computes in it.
 */
const whenRead = (text: () => string): string => ({ toJSON: text }) as unknown as string;

function detailsOf({ definition: { views }, snapshot, pending, migrations }: Process): string {
  return detailsAbove(views) + views.details(snapshot, pending) + formatLast(migrations.done);
}

const actedOf = ({ actedAttribute }: ProcessViews, at: Date | undefined): [string, Value][] =>
  actedAttribute === undefined || !at ? [] : [[actedAttribute, at]];

/** TemporalChangeVersion does not show which versions are in use, because it is lost at continue-as-new. */
const versionOf = (
  { versionAttribute }: ProcessViews,
  { flow, version }: ProcessStart,
): Readonly<Record<string, string>> =>
  versionAttribute === undefined ? {} : { [versionAttribute]: `${flow}@${version}` };

/** A run that continues another one has lost its static details. */
function detailsAbove({ detailsMemo }: ProcessViews): string {
  const { continuedFromExecutionRunId, memo } = workflowInfo();
  const text = detailsMemo !== undefined && continuedFromExecutionRunId ? memo?.[detailsMemo] : undefined;
  return typeof text === 'string' ? `${text}\n\n` : '';
}

function formatLast(migrations: readonly Migrated[]): string {
  const last = migrations.at(-1);
  if (!last) return '';
  const { from, to, by, why, at } = last;
  return `\n- migrated from version ${from} to ${to} by ${shownAsText(by)} at ${at}: ${shownAsText(why)}`;
}

type Pair = Extract<Parameters<typeof upsertSearchAttributes>[0], readonly unknown[]>[number];

/** What the start has set, or a former run, costs no event once more. */
function isNews({ key: { name }, value }: Pair): boolean {
  const known = workflowInfo().searchAttributes[name] ?? [];
  return JSON.stringify([value].flat()) !== JSON.stringify(known);
}

function pairOf([name, value]: readonly [string, Value]): Pair {
  if (value instanceof Date) return { key: { name, type: 'DATETIME' }, value };
  if (typeof value === 'string') return { key: { name, type: 'KEYWORD' }, value: keyword(value) };
  return { key: { name, type: 'KEYWORD_LIST' }, value: keywords(value) };
}

// Temporal ends a process that sets a longer one; some less, for the quotes and commas.
const LIST_BYTES = 1_900;

/** The last value of a list that has more values than fit. */
const MORE = '…';

/** As many whole values as fit; MORE says that some are left out. */
function keywords(values: readonly string[]): string[] {
  let left = LIST_BYTES - sizeInList(MORE);
  const kept = values.filter((each) => {
    if (keyword(each) !== each) return false;
    left -= sizeInList(each);
    return left >= 0;
  });
  return kept.length < values.length ? [...kept, MORE] : kept;
}

/** With its quotes and comma. */
const sizeInList = (value: string): number => new TextEncoder().encode(JSON.stringify(value)).length + 1;

// The limit of a visibility store on Postgres or MySQL. With more than 2,048 Temporal ends the process.
const KEYWORD_BYTES = 255;

/** As much of it as fits. */
function keyword(text: string): string {
  // Three bytes at most for each of its units.
  if (text.length * 3 <= KEYWORD_BYTES) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(KEYWORD_BYTES));
  return text.slice(0, read);
}
