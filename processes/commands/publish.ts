// Checks flow files and publishes them, all or none. The registry's workflows keep them, so a worker must run.
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import type { PublishResult } from '../../flows/language/registry.ts';
import { t } from '../../shared/texts/text.ts';
import { answered } from '../at-temporal.ts';
import { CommandError, commandErrorOf } from '../outcome.ts';
import { openByVersion, versionsUpTo } from '../views/flow-status.ts';
import { command } from './command.ts';

const input = z.strictObject({
  /** YAML or JSON; `path` only names a file in errors. */
  files: z.array(z.strictObject({ path: z.string(), text: z.string() })).min(1),
});
type Input = z.infer<typeof input>;

interface PublishDone extends PublishResult {
  /** The open processes on earlier versions, newest version first: they stay there. */
  readonly stay: readonly { readonly version: number; readonly open: number }[];
}

async function withThoseThatStay(client: Client, result: PublishResult): Promise<PublishDone> {
  const { name, version, isNew } = result;
  const before = isNew ? await openByVersion(client, name, versionsUpTo(version - 1)) : [];
  const stay = before.filter(({ open }) => open > 0);
  return { ...result, stay: stay.map(({ version: on, open }) => ({ version: on, open })) };
}

function formatPublished({ name, version, isNew, stay }: PublishDone): string {
  if (!isNew) return t`${name}@${version} has this content already`;
  const those = stay.map(({ version: before, open }) => t`${open} on ${name}@${before}`).join(', ');
  const more = t`open processes stay where they are: ${those}; lockerflow migrate ${name} says what would become of them`;
  return [t`${name}@${version} is published`, ...(stay.length > 0 ? [`  ${more}`] : [])].join('\n');
}

/** It has no target: what a file is called stands in it. */
export const publish = command({
  name: 'publish',
  right: 'publish',
  why: 'optional',
  input,
  flowOf: async () => null,
  async preview(acting, _target: null, { files }: Input): Promise<readonly string[]> {
    const checked = await acting.flows.checkFiles(files);
    return checked.map(({ name }) => name);
  },
  async act(acting, _target, { files }): Promise<readonly PublishDone[]> {
    try {
      const results = await answered(acting, () => acting.flows.publish(files));
      return await answered(acting, () =>
        Promise.all(results.map((each) => withThoseThatStay(acting.client, each))),
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
