// The published flow files, from the memos of the registry's workflows: reading them needs no worker.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import {
  type CurrentVersion,
  currentIn,
  DEFINITIONS,
  definitionWorkflowId,
  type Published,
  type PublishResult,
} from '../../flows/language/registry.ts';
import { untilListed } from './until-listed.ts';

const ENCRYPTED =
  'the published flow files are encrypted: set LOCKERFLOW_PAYLOAD_KEYS to the keys that the workers have';

// In the SDK's words: a payload that no codec has decoded.
const withoutKeys = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Unknown encoding: binary/encrypted';

/** The current version of each. */
export const publishedFlows = (client: Client): Promise<CurrentVersion[]> =>
  decoded(async () => {
    const all: CurrentVersion[] = [];
    for await (const each of client.workflow.list({ query: DEFINITIONS })) {
      const current = currentIn(each);
      if (current) all.push(current);
    }
    return all.sort((one, other) => one.file.name.localeCompare(other.file.name));
  });

const NAMES_PER_QUERY = 100;

/** Waits until `publishedFlows` has these versions. */
export const untilPublishedListed = (client: Client, results: readonly PublishResult[]): Promise<void> =>
  untilListed(
    results.filter(({ isNew, insteadOf }) => isNew || insteadOf !== undefined),
    async (missing) => {
      const listed = await listedVersions(client, missing.slice(0, NAMES_PER_QUERY));
      return missing.filter((each) => !isListed(each, listed.get(each.name)));
    },
  );

/** Somebody else may have published another version since. */
const isListed = ({ version, isNew }: PublishResult, listed: CurrentVersion | undefined): boolean =>
  listed !== undefined && (isNew ? listed.newest >= version : listed.version === version);

async function listedVersions(
  client: Client,
  results: readonly PublishResult[],
): Promise<ReadonlyMap<string, CurrentVersion>> {
  const ids = results.map(({ name }) => `'${definitionWorkflowId(name)}'`).join(', ');
  const versions = new Map<string, CurrentVersion>();
  for await (const each of client.workflow.list({ query: `${DEFINITIONS} AND WorkflowId IN (${ids})` })) {
    const current = currentIn(each);
    if (current) versions.set(current.file.name, current);
  }
  return versions;
}

/** Its current version; undefined if no published file has this name. */
export const publishedFlow = (client: Client, name: string): Promise<CurrentVersion | undefined> =>
  decoded(async () => {
    try {
      return currentIn(await client.workflow.getHandle(definitionWorkflowId(name)).describe());
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  });

/** The file of that version; where that is not known or not kept, or no worker answers for another one, the current one. */
export async function publishedVersion(
  client: Client,
  name: string,
  version: number | undefined,
): Promise<Published | undefined> {
  const current = await publishedFlow(client, name);
  if (current === undefined || version === undefined || current.version === version) return current;
  return (await earlierVersion(client, name, version)) ?? current;
}

/** That version and no other; undefined where it is not kept, or no worker answers for an earlier one. */
export async function publishedExactly(
  client: Client,
  name: string,
  version: number,
): Promise<Published | undefined> {
  const current = await publishedFlow(client, name);
  return current === undefined || current.version === version
    ? current
    : ((await earlierVersion(client, name, version)) ?? undefined);
}

async function earlierVersion(client: Client, name: string, version: number): Promise<Published | null> {
  const registry = client.workflow.getHandle(definitionWorkflowId(name));
  const ask = () => registry.query<Published | null, [number]>('published', version);
  return await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, ask).catch(() => null);
}

const ANSWER_WITHIN_MS = 2_000;

async function decoded<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (cause) {
    throw withoutKeys(cause) ? new Error(ENCRYPTED, { cause }) : cause;
  }
}
