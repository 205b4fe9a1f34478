// The published versions of one flow file. It has no other store: a process fetches the newest version at its start and
// keeps it in its own history. Versions on which processes run are kept too: a process that is migrated may need them.
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineUpdate,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { MigrationActivities } from '../../contract/flows/migrations.ts';
import { bounds, type FlowFile } from '../../flows/language/flow-file.ts';
import { jsonBytes } from '../../flows/language/machine/context.ts';
import { chainedNames, type FormerNames, formerNames } from '../../flows/language/machine/former-names.ts';
import {
  NEWEST_MEMO,
  nameOfDefinition,
  PINS_MEMO,
  type Published,
  type PublishResult,
  pinsIn,
} from '../../flows/language/registry.ts';

const publish = defineUpdate<PublishResult, [FlowFile]>('publish');
const published = defineQuery<Published | null, [number?]>('published');
const keptVersions = defineQuery<readonly number[]>('versions');
const namesBetween = defineQuery<FormerNames, [number, number]>('namesBetween');

/** Those that can be looked at, and gone back to, whether a process runs on them or not. */
const KEPT_VERSIONS = 10;

/** All together: half of what Temporal takes as the argument of a run. */
const MOST_BYTES = 1024 * 1024;

// A publication waits for it. A local activity costs a single event of history.
const { versionsInUse } = proxyLocalActivities<MigrationActivities>({
  startToCloseTimeout: '10 s',
  scheduleToCloseTimeout: '30 s',
  retry: { initialInterval: '100 ms', maximumInterval: '5 s' },
});

/** A version whose file is not kept: what the version after it needs to know. */
interface Dropped {
  readonly version: number;
  readonly names: FormerNames;
}

export async function FlowDefinition(
  versions: readonly Published[] = [],
  before: readonly Dropped[] = [],
): Promise<void> {
  const name = nameOfDefinition(workflowInfo().workflowId);
  const registry = new Versions(name, versions, before);
  setHandler(published, (version) => registry.at(version) ?? null);
  setHandler(keptVersions, () => registry.kept.map(({ version }) => version));
  setHandler(namesBetween, (from, to) => registry.namesBetween(from, to), {
    description: 'What names of one version have become in a later one',
  });
  setHandler(publish, (file) => registry.publish(file), {
    description: 'Publishes a flow file: the same content is the same version, other content the next one',
    validator: (file) => refuseOther(name, file),
  });
  tell(name, registry.kept);
  await condition(() => workflowInfo().continueAsNewSuggested && allHandlersFinished());
  // The memo goes along.
  await continueAsNew<typeof FlowDefinition>(registry.kept, registry.dropped);
}

class Versions {
  readonly #name: string;
  #kept: readonly Published[];
  #dropped: readonly Dropped[];
  /** One publication after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(name: string, kept: readonly Published[], dropped: readonly Dropped[]) {
    this.#name = name;
    this.#kept = kept;
    this.#dropped = dropped;
  }

  get kept(): readonly Published[] {
    return this.#kept;
  }

  get dropped(): readonly Dropped[] {
    return this.#dropped;
  }

  /** The newest if no version is given. */
  at(version?: number): Published | undefined {
    return version === undefined ? this.#kept.at(-1) : this.#kept.find((each) => each.version === version);
  }

  namesBetween(from: number, to: number): FormerNames {
    const names: FormerNames[] = [];
    for (let version = from + 1; version <= to; version++) {
      const file = this.at(version)?.file;
      const known = file ? formerNames(file) : this.#dropped.find((each) => each.version === version)?.names;
      if (known) names.push(known);
    }
    return chainedNames(names);
  }

  publish(file: FlowFile): Promise<PublishResult> {
    const result = this.#last.then(() => this.#publishNext(file));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #publishNext(file: FlowFile): Promise<PublishResult> {
    const name = this.#name;
    const newest = this.at();
    if (newest && JSON.stringify(newest.file) === JSON.stringify(file))
      return { name, version: newest.version, isNew: false };
    const version = (newest?.version ?? 0) + 1;
    const hadPins = pinsIn(this.#kept).length > 0;
    const next = { file, version, publishedAt: new Date(Date.now()).toISOString() };
    this.#keep(await fitting([...this.#kept, next], (asked) => this.#inUse(asked)));
    tell(name, this.#kept);
    const pins = pinsIn(this.#kept);
    // Nothing else keeps the versions that this flow begins children on.
    upsertMemo({ [NEWEST_MEMO]: next, ...((hadPins || pins.length > 0) && { [PINS_MEMO]: pins }) });
    return { name, version, isNew: true };
  }

  #inUse(versions: readonly Published[]): Promise<readonly number[]> {
    return versionsInUse({ flow: this.#name, versions: versions.map(({ version }) => version) });
  }

  #keep(kept: readonly Published[]): void {
    const isKept = new Set(kept);
    const dropped = this.#kept
      .filter((each) => !isKept.has(each))
      .map(({ version, file }) => ({ version, names: formerNames(file) }));
    const oldest = kept[0]?.version ?? 0;
    this.#dropped = [...this.#dropped, ...dropped].filter(
      ({ version, names }) =>
        version > oldest && Object.values(names).some((each) => Object.keys(each).length > 0),
    );
    this.#kept = kept;
  }
}

/** Without the older ones on which no process runs; without newer ones too where all would be too large together. */
async function fitting(
  versions: readonly Published[],
  inUse: (versions: readonly Published[]) => Promise<readonly number[]>,
): Promise<readonly Published[]> {
  const without = async (some: readonly Published[]): Promise<readonly Published[]> => {
    // Where nobody can say which are in use, none is dropped.
    const used = some.length === 0 ? [] : await inUse(some).catch(() => some.map(({ version }) => version));
    return versions.filter((each) => !some.includes(each) || used.includes(each.version));
  };
  const kept = await without(versions.slice(0, -KEPT_VERSIONS));
  if (jsonBytes(kept) <= MOST_BYTES) return kept;
  const fewer = await without(versions.slice(0, -1));
  if (jsonBytes(fewer) <= MOST_BYTES) return fewer;
  const numbers = fewer.slice(0, -1).map(({ version }) => version);
  throw ApplicationFailure.nonRetryable(
    `processes run on the versions ${numbers.join(', ')}, which are too large together with this one (${MOST_BYTES} bytes); migrate the processes of the oldest ones first`,
    'TooManyVersionsInUse',
  );
}

function tell(name: string, kept: readonly Published[]): void {
  const lines = kept.map(({ version, publishedAt }) => `- ${name}@${version}, published ${publishedAt}`);
  setCurrentDetails(
    [`**${name}**: ${kept.at(-1)?.file.meaning ?? 'nothing is published yet'}`, ...lines].join('\n'),
  );
}

/** The whole check is the publisher's: here it is only that nothing else can get into the registry. */
function refuseOther(name: string, file: FlowFile): void {
  if (typeof file !== 'object' || file === null || file.name !== name)
    throw ApplicationFailure.nonRetryable(`expected a flow file of the name ${name}`, 'InvalidDefinition');
  if (jsonBytes(file) > bounds.fileBytes)
    throw ApplicationFailure.nonRetryable(
      `expected a file of at most ${bounds.fileBytes} bytes`,
      'InvalidDefinition',
    );
}
