// The published versions of one flow file. It has no other store: a process fetches the newest version at its start and
// keeps it in its own history.
import {
  ApplicationFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { bounds, type FlowFile } from '../../flow-files/flow-file.ts';
import { jsonBytes } from '../../flow-files/machine/context.ts';
import {
  NEWEST_MEMO,
  nameOfDefinition,
  type Published,
  type PublishResult,
} from '../../flow-files/registry.ts';

const publish = defineUpdate<PublishResult, [FlowFile]>('publish');
const published = defineQuery<Published | null, [number?]>('published');

/** Those that can be looked at, and gone back to. All together stay far below what a run may be started with. */
const KEPT_VERSIONS = 10;

export async function FlowDefinition(versions: readonly Published[] = []): Promise<void> {
  const name = nameOfDefinition(workflowInfo().workflowId);
  let kept = versions;
  setHandler(
    published,
    (version) =>
      (version === undefined ? kept.at(-1) : kept.find((each) => each.version === version)) ?? null,
  );
  setHandler(
    publish,
    (file) => {
      const newest = kept.at(-1);
      if (newest && JSON.stringify(newest.file) === JSON.stringify(file))
        return { name, version: newest.version, isNew: false };
      const version = (newest?.version ?? 0) + 1;
      kept = [...kept, { file, version, publishedAt: new Date(Date.now()).toISOString() }].slice(
        -KEPT_VERSIONS,
      );
      tell(name, kept);
      upsertMemo({ [NEWEST_MEMO]: kept.at(-1) });
      return { name, version, isNew: true };
    },
    {
      description: 'Publishes a flow file: the same content is the same version, other content the next one',
      validator: (file) => refuseOther(name, file),
    },
  );
  tell(name, kept);
  await condition(() => workflowInfo().continueAsNewSuggested);
  // The memo goes along.
  await continueAsNew<typeof FlowDefinition>(kept);
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
