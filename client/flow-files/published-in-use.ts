// Which published flow files some texts invoke, and which those invoke in turn. Asked by name: there may be thousands of
// others.
import type { Client } from '@temporalio/client';
import { builtInFlows } from '../../contract/index.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { kindOfActor } from '../../flows/language/machine/actor-kinds.ts';
import { invokesOf, nodesOf, workOf } from '../../flows/language/reading/walk.ts';
import { publishedFlow, publishedFlows } from './published-flows.ts';

// For more names, one list is cheaper than a query for each.
const MAX_ASKED = 100;

/** All that are published where one name is not: the error then names a near one. */
export async function publishedInUse(
  client: Client,
  contents: readonly unknown[],
): Promise<readonly FlowFile[]> {
  const files: FlowFile[] = [];
  const asked = new Set<string>([...builtInFlows, ...contents.flatMap((data) => flowNameOf(data) ?? [])]);
  let names = new Set(contents.flatMap(namesIn));
  while (true) {
    const next = [...names].filter((name) => !asked.has(name) && kindOfActor(name) === 'flow');
    if (next.length === 0) return files;
    const answers = next.length > MAX_ASKED ? [] : await all(client, next);
    if (answers.length < next.length) return (await publishedFlows(client)).map(({ file }) => file);
    files.push(...answers);
    for (const name of next) asked.add(name);
    names = new Set(answers.flatMap(invokedIn));
  }
}

async function all(client: Client, names: readonly string[]): Promise<FlowFile[]> {
  const published = await Promise.all(names.map((name) => publishedFlow(client, name)));
  return published.flatMap((each) => each?.file ?? []);
}

const invokedIn = (file: FlowFile): string[] =>
  nodesOf(file)
    .flatMap(invokesOf)
    .flatMap((each) => [workOf(each).invoke.src, ...(each.invoke.undo ? [each.invoke.undo.src] : [])]);

/** Every text under a key `src`: the data may have any form yet. */
function namesIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) =>
    key === 'src' && typeof value === 'string' ? [value] : namesIn(value),
  );
}

/** The flow's name in the data, if it has one. */
export function flowNameOf(data: unknown): string | undefined {
  const name: unknown = typeof data === 'object' && data !== null && 'name' in data ? data.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
