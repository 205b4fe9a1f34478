// Checks flow files and publishes them, all or none. The registry's workflows keep them, so a worker must run.
import { z } from 'zod';
import type { PublishResult } from '../../flows/language/registry.ts';
import { t } from '../../shared/texts/text.ts';
import { CommandError, commandErrorOf } from '../outcome.ts';
import { type CommandContext, withDeadline } from '../temporal-context.ts';
import { openByVersion, versionsUpTo } from '../views/flow-status.ts';
import { command } from './command.ts';

const input = z.strictObject({
  /** YAML or JSON; `path` only names a file in errors. */
  files: z.array(z.strictObject({ path: z.string(), text: z.string() })).min(1),
});
type Input = z.infer<typeof input>;

const versionInput = z.strictObject({ version: z.int().min(1) });

interface PublishDone extends PublishResult {
  /** The open processes on other versions, newest version first: they stay there. */
  readonly stay: readonly { readonly version: number; readonly open: number }[];
}

async function withThoseThatStay(
  { client, flows }: CommandContext,
  result: PublishResult,
): Promise<PublishDone> {
  const { name, version, isNew, insteadOf } = result;
  if (!isNew && insteadOf === undefined) return { ...result, stay: [] };
  const { newest } = await flows.publishedAs(name);
  const others = await openByVersion(client, name, versionsUpTo(newest));
  const stay = others.filter(({ version: on, open }) => on !== version && open > 0);
  return { ...result, stay: stay.map(({ version: on, open }) => ({ version: on, open })) };
}

const formatHead = ({ name, version, isNew, insteadOf }: PublishDone): string => {
  if (insteadOf !== undefined)
    return t`${name}@${version} is the current version again, instead of ${name}@${insteadOf}: new processes begin on it`;
  return isNew ? t`${name}@${version} is published` : t`${name}@${version} has this content already`;
};

function formatPublished(done: PublishDone): string {
  const { name, stay } = done;
  const those = stay.map(({ version: before, open }) => t`${open} on ${name}@${before}`).join(', ');
  const more = t`open processes stay where they are: ${those}; lockerflow migrate ${name} says what would become of them`;
  return [formatHead(done), ...(stay.length > 0 ? [`  ${more}`] : [])].join('\n');
}

/** It has no target: what a file is called stands in it. */
export const publish = command({
  name: 'publish',
  right: 'publish',
  why: 'optional',
  input,
  flowOf: async () => null,
  async preview(commandContext, _target: null, { files }: Input): Promise<readonly string[]> {
    const checked = await commandContext.flows.checkFiles(files);
    return checked.map(({ name }) => name);
  },
  async act(commandContext, _target, { files }): Promise<readonly PublishDone[]> {
    try {
      const results = await withDeadline(commandContext, () => commandContext.flows.publish(files));
      return await withDeadline(commandContext, () =>
        Promise.all(results.map((each) => withThoseThatStay(commandContext, each))),
      );
    } catch (cause) {
      const { kind, code, message } = commandErrorOf(cause) ?? {};
      if (kind === undefined || code !== 'NoWorker') throw cause;
      const more = t`It may still be published when a worker is back: publish again then, the same content is the same version`;
      throw new CommandError(kind, code, `${message}. ${more}`, { cause });
    }
  },
  formatPreview: (names) => t`${names.join(', ')} can be published`,
  formatResult: (results) => results.map(formatPublished).join('\n'),
});

/** Makes a former version current again, by its number. Its target is the name of the flow. */
export const publishVersion = command({
  name: 'publish',
  right: 'publish',
  why: 'optional',
  input: versionInput,
  flowOf: async () => null,
  preview: async (commandContext, flow: string) => await commandContext.flows.publishedAs(flow),
  async act(commandContext, flow, { version }): Promise<PublishDone> {
    const result = await withDeadline(commandContext, () =>
      commandContext.flows.publishVersion(flow, version),
    );
    return await withDeadline(commandContext, () => withThoseThatStay(commandContext, result));
  },
  formatPreview: ({ file }) => t`${file.name} can be published`,
  formatResult: formatPublished,
});
