// The registry of one flow file's published versions; there is no other store. A process fetches the current version when it
// starts, and records it in its history. Versions in use are kept too, because a migration may need them.

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
import { jsonBytes } from '../../flows/language/json-bytes.ts';
import { chainedRenames, type Renames, renamesOf } from '../../flows/language/machine/migration.ts';
import {
  CURRENT_MEMO,
  type CurrentVersion,
  nameOfDefinition,
  type Published,
  type PublishOptions,
  type PublishResult,
} from '../../flows/language/registry.ts';
import { shownAsText } from '../../shared/markdown/shown-as-text.ts';

const publish = defineUpdate<PublishResult, [FlowFile, PublishOptions]>('publish');
const publishVersion = defineUpdate<PublishResult, [number]>('publishVersion');
const published = defineQuery<Published | null, [number?]>('published');
const namesBetween = defineQuery<Renames, [number, number]>('namesBetween');

/** Kept for viewing and rollback, even if no process runs on them. */
const KEPT_VERSIONS = 10;

/** For all versions together: half of Temporal's limit for a workflow's argument. */
const MAX_BYTES = 1024 * 1024;

// A publication waits for this. A local activity adds a single history event.
const { versionsInUse } = proxyLocalActivities<MigrationActivities>({
  startToCloseTimeout: '10 s',
  scheduleToCloseTimeout: '30 s',
  retry: { initialInterval: '100 ms', maximumInterval: '5 s' },
});

/** What is left of a version whose file was dropped: its renames, for migrations across it. */
interface DroppedVersion {
  readonly version: number;
  readonly names: Renames;
}

export async function FlowDefinition(
  versions: readonly Published[] = [],
  dropped: readonly DroppedVersion[] = [],
  current?: number,
): Promise<void> {
  const name = nameOfDefinition(workflowInfo().workflowId);
  const registry = new Versions(name, versions, dropped, current);
  setHandler(published, (version) => registry.at(version) ?? null);
  setHandler(namesBetween, (from, to) => registry.namesBetween(from, to), {
    description: 'What names of one version have become in a later one',
  });
  setHandler(publish, (file, options) => registry.publish(file, options), {
    description: 'Publishes a flow file: the same content is the same version, other content the next one',
    validator: (file, _options) => requireFlowFile(name, file),
  });
  setHandler(publishVersion, (version) => registry.publishVersion(version), {
    description: 'Takes back what was published since: new processes begin on this version again',
    validator: (version) => registry.require(version),
  });
  registry.show();
  await condition(() => workflowInfo().continueAsNewSuggested && allHandlersFinished());
  // Continue-as-new keeps the memo.
  await continueAsNew<typeof FlowDefinition>(registry.kept, registry.dropped, registry.at()?.version);
}

class Versions {
  readonly #name: string;
  #kept: readonly Published[];
  #dropped: readonly DroppedVersion[];
  /** The number of the version on which new processes begin. */
  #current: number | undefined;
  /** Serializes publications. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param current not given: the newest */
  constructor(
    name: string,
    kept: readonly Published[],
    dropped: readonly DroppedVersion[],
    current = kept.at(-1)?.version,
  ) {
    this.#name = name;
    this.#kept = kept;
    this.#dropped = dropped;
    this.#current = current;
  }

  get kept(): readonly Published[] {
    return this.#kept;
  }

  get dropped(): readonly DroppedVersion[] {
    return this.#dropped;
  }

  /** The current one if no version is given. */
  at(version = this.#current): Published | undefined {
    return this.#kept.find((each) => each.version === version);
  }

  namesBetween(from: number, to: number): Renames {
    const names: Renames[] = [];
    for (let version = from + 1; version <= to; version++) {
      const file = this.at(version)?.file;
      const known = file ? renamesOf(file) : this.#dropped.find((each) => each.version === version)?.names;
      if (known) names.push(known);
    }
    return chainedRenames(names);
  }

  publish(file: FlowFile, options: PublishOptions = {}): Promise<PublishResult> {
    return this.#inTurn(() => this.#publishNext(file, options));
  }

  publishVersion(version: number): Promise<PublishResult> {
    return this.#inTurn(async () => {
      this.require(version);
      return this.#makeCurrent(version);
    });
  }

  /** Throws an ApplicationFailure (VersionUnknown) if it is not kept. */
  require(version: number): void {
    if (version !== undefined && this.at(version)) return;
    const kept = this.#kept.map((each) => each.version).join(', ') || 'none';
    throw ApplicationFailure.nonRetryable(
      `${this.#name} has no version ${JSON.stringify(version)}, expected one of ${kept}`,
      'VersionUnknown',
    );
  }

  #inTurn(publishes: () => Promise<PublishResult>): Promise<PublishResult> {
    const result = this.#last.then(publishes);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #publishNext(file: FlowFile, { keepsCurrent = false }: PublishOptions): Promise<PublishResult> {
    const content = JSON.stringify(file);
    const candidates = [this.at() ?? [], this.#kept.toReversed()].flat();
    const same = candidates.find((each) => JSON.stringify(each.file) === content);
    if (same && keepsCurrent) return this.#unchanged(same.version);
    if (same) return this.#makeCurrent(same.version);
    const version = (this.#kept.at(-1)?.version ?? 0) + 1;
    const next = { file, version, publishedAt: new Date(Date.now()).toISOString() };
    this.#keep(await withinSizeLimit([...this.#kept, next], (unused) => this.#inUse(unused)));
    this.#makeCurrent(version);
    return { name: this.#name, version, isNew: true };
  }

  #unchanged(version: number): PublishResult {
    const current = this.#current;
    const isOther = current !== undefined && current !== version;
    return { name: this.#name, version, isNew: false, ...(isOther && { current }) };
  }

  #makeCurrent(version: number): PublishResult {
    const before = this.#current;
    const result = { name: this.#name, version, isNew: false };
    if (version === before) return result;
    this.#current = version;
    this.show();
    const current = this.at() as Published;
    const newest = this.#kept.at(-1)?.version ?? version;
    upsertMemo({ [CURRENT_MEMO]: { ...current, newest } satisfies CurrentVersion });
    return before === undefined ? result : { ...result, insteadOf: before };
  }

  /** For the Web UI. */
  show(): void {
    const name = shownAsText(this.#name);
    const current = this.at();
    const lines = this.#kept.map(({ version, publishedAt }) => {
      const isTakenBack = current !== undefined && version > current.version;
      return `- ${name}@${version}, published ${publishedAt}${isTakenBack ? ', taken back' : ''}`;
    });
    const meaning = shownAsText(current?.file.meaning ?? 'nothing is published yet');
    setCurrentDetails([`**${name}**: ${meaning}`, ...lines].join('\n'));
  }

  #inUse(versions: readonly Published[]): Promise<readonly number[]> {
    return versionsInUse({ flow: this.#name, versions: versions.map(({ version }) => version) });
  }

  #keep(kept: readonly Published[]): void {
    const isKept = new Set(kept);
    const dropped = this.#kept
      .filter((each) => !isKept.has(each))
      .map(({ version, file }) => ({ version, names: renamesOf(file) }));
    const oldest = kept[0]?.version ?? 0;
    this.#dropped = [...this.#dropped, ...dropped].filter(
      ({ version, names }) =>
        version > oldest && Object.values(names).some((each) => Object.keys(each).length > 0),
    );
    this.#kept = kept;
  }
}

/** Drops older versions that no process runs on, and newer ones too if all together are too large. */
async function withinSizeLimit(
  versions: readonly Published[],
  inUse: (versions: readonly Published[]) => Promise<readonly number[]>,
): Promise<readonly Published[]> {
  const withoutUnused = async (some: readonly Published[]): Promise<readonly Published[]> => {
    // If the versions in use cannot be determined, none is dropped.
    const used = some.length === 0 ? [] : await inUse(some).catch(() => some.map(({ version }) => version));
    return versions.filter((each) => !some.includes(each) || used.includes(each.version));
  };
  const kept = await withoutUnused(versions.slice(0, -KEPT_VERSIONS));
  if (jsonBytes(kept) <= MAX_BYTES) return kept;
  const fewer = await withoutUnused(versions.slice(0, -1));
  if (jsonBytes(fewer) <= MAX_BYTES) return fewer;
  const numbers = fewer.slice(0, -1).map(({ version }) => version);
  throw ApplicationFailure.nonRetryable(
    `processes run on the versions ${numbers.join(', ')}, which are too large together with this one (${MAX_BYTES} bytes); migrate the processes of the oldest ones first`,
    'TooManyVersionsInUse',
  );
}

/** The publisher validates the file. This only keeps other data out of the registry. */
function requireFlowFile(name: string, file: FlowFile): void {
  if (typeof file !== 'object' || file === null || file.name !== name)
    throw ApplicationFailure.nonRetryable(`expected a flow file of the name ${name}`, 'InvalidDefinition');
  if (jsonBytes(file) > bounds.fileBytes)
    throw ApplicationFailure.nonRetryable(
      `expected a file of at most ${bounds.fileBytes} bytes`,
      'InvalidDefinition',
    );
}
