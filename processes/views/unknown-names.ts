// The names in a search that nothing has, and that are most likely misspelt: without a word, an empty list looks like an answer.
import { FlowNotPublished } from '../../client/flow-files/flow-not-published.ts';
import { isBuiltIn } from '../../contract/flows/flow-types.ts';
import { formatExpected } from '../../flows/language/nearest-names.ts';
import type { TemporalContext } from '../temporal-context.ts';
import { type FlowQueryOptions, flowQuery } from './flow-query.ts';

/**
 * What is wrong with them, in sentences; nothing where the published flow files cannot be read.
 * @param found by the search
 */
export async function unknownNames(
  temporal: TemporalContext,
  { flow = [], definition, where = [] }: FlowQueryOptions,
  found: readonly { readonly flow: string }[],
): Promise<readonly string[]> {
  const has = new Set(found.map((each) => each.flow));
  const named = [...flow, ...(definition === undefined ? [] : [definition.replace(/@\d+$/, '')])];
  const missing = [...new Set(named)].filter((name) => !isBuiltIn(name) && !has.has(name));
  const problems = [
    ...missing.map((name) => flowProblem(temporal, name)),
    ...(where.length > 0 && has.size === 0 ? [keyProblems(temporal, where)] : []),
  ];
  const read = await Promise.all(problems).catch(() => []);
  return read.flat();
}

/** Processes of a file that was published once have ended since, perhaps. */
async function flowProblem({ client, flows, taskQueue }: TemporalContext, name: string): Promise<string[]> {
  try {
    await flows.publishedAs(name);
    return [];
  } catch (error) {
    if (!(error instanceof FlowNotPublished)) throw error;
    const { count } = await client.workflow.count(flowQuery({ flow: [name] }, taskQueue));
    return count > 0 ? [] : [error.message];
  }
}

async function keyProblems({ flows }: TemporalContext, where: readonly string[]): Promise<string[]> {
  const published = await flows.published();
  const known = published.flatMap(({ file }) => Object.keys(file.correlate ?? {}));
  const keys = new Set(where.map((pair) => pair.slice(0, pair.indexOf('='))));
  return [...keys]
    .filter((key) => !known.includes(key))
    .map((key) => `no published flow has the key ${key} in correlate; ${formatExpected(key, known)}`);
}
