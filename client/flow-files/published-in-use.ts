// Which published flow files some texts invoke, and which those invoke in turn. Asked by name: there may be thousands of
// others.
import type { Client } from '@temporalio/client';
import { builtInFlows } from '../../contract/index.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { kindOfActor } from '../../flows/language/machine/actor-kinds.ts';
import { invokesOf, nodesOf, workOf } from '../../flows/language/reading/walk.ts';
import { pinOf, pinsIn } from '../../flows/language/registry.ts';
import { keptVersions, publishedFlow, publishedFlows, publishedVersion } from './published-flows.ts';

// For more names, one list is cheaper than a query for each.
const MAX_ASKED = 100;

export interface PublishedInUse {
  /** A version that a text names has its name, such as `Loan@3`. */
  readonly files: readonly FlowFile[];
  /** Such as `Loan@3`: all versions of the flows of which the texts name some. Not given if they were not asked for. */
  readonly kept?: readonly string[];
}

/**
 * All that are published where one name is not: the error then names a near one.
 * @param withVersions whether those that the texts name are asked for, which needs a worker
 */
export async function publishedInUse(
  client: Client,
  contents: readonly unknown[],
  withVersions = true,
): Promise<PublishedInUse> {
  const pins = withVersions ? await pinnedIn(client, contents) : { files: [] };
  const found: FlowFile[] = [...pins.files];
  const asked = new Set<string>([...builtInFlows, ...contents.flatMap((data) => flowNameOf(data) ?? [])]);
  let names = new Set([...contents.flatMap(namesIn), ...pins.files.flatMap(invokedIn)].map(flowIn));
  while (true) {
    const next = [...names].filter((name) => !asked.has(name) && kindOfActor(name) === 'flow');
    if (next.length === 0) return { ...pins, files: found };
    const answers = next.length > MAX_ASKED ? [] : await all(client, next);
    if (answers.length < next.length)
      return { ...pins, files: [...pins.files, ...(await publishedFlows(client)).map(({ file }) => file)] };
    found.push(...answers);
    for (const name of next) asked.add(name);
    names = new Set(answers.flatMap(invokedIn).map(flowIn));
  }
}

/** The versions of other flows that the contents name under `src`. A worker must run if there are some. */
export async function pinnedIn(
  client: Client,
  contents: readonly unknown[],
): Promise<Required<PublishedInUse>> {
  const pins = [...new Set(contents.flatMap(pinsIn))];
  const flows = [...new Set(pins.map(flowIn))];
  const versions = await Promise.all(
    flows.map(async (flow) => (await keptVersions(client, flow)).map((version) => `${flow}@${version}`)),
  );
  const kept = versions.flat();
  const files = await Promise.all(
    pins
      .filter((pin) => kept.includes(pin))
      .map(async (pin) => {
        const { flow, version = 0 } = pinOf(pin);
        const published = await publishedVersion(client, flow, version);
        return published ? [{ ...published.file, name: pin }] : [];
      }),
  );
  return { files: files.flat(), kept };
}

const flowIn = (src: string): string => pinOf(src).flow;

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
