// Checks flow files and publishes them, all or none. The registry's workflows keep them, so a worker must run.
import { z } from 'zod';
import { checkedFiles } from '../../client/flow-files/publish.ts';
import type { PublishResult } from '../../flow-files/registry.ts';
import { answered } from '../at-temporal.ts';
import { Refusal, refusalOf } from '../outcome.ts';
import { command } from './command.ts';

const input = z.strictObject({
  /** YAML or JSON; `path` only names a file in errors. */
  files: z.array(z.strictObject({ path: z.string(), text: z.string() })).min(1),
});
type Input = z.infer<typeof input>;

/** It has no target: what a file is called stands in it. */
export const publish = command({
  ...{ name: 'publish', right: 'publish', why: 'optional', input },
  flowOf: async () => null,
  async preview({ client }, _target: null, { files }: Input): Promise<readonly string[]> {
    return (await checkedFiles(client, files, null)).map(({ name }) => name);
  },
  async act(acting, _target, { files }): Promise<readonly PublishResult[]> {
    try {
      return await answered(acting, () => acting.flows.publish(files));
    } catch (cause) {
      const { kind, code, message } = refusalOf(cause) ?? {};
      if (kind === undefined || code !== 'NoWorker') throw cause;
      const more =
        'It may still be published when a worker is back: publish again then, the same content is the same version';
      throw new Refusal(kind, code, `${message}. ${more}`, { cause });
    }
  },
  would: (names) => `${names.join(', ')} can be published`,
  did: (results) =>
    results
      .map(({ name, version, isNew }) =>
        isNew ? `${name}@${version} is published` : `${name}@${version} has this content already`,
      )
      .join('\n'),
});
