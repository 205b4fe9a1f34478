// The inbox's part of the API: what waits for a person, and what a person decides about it.
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { ServiceReader } from '../../activities/api/compared-service.ts';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import { peerSettings, readPeer } from '../../contract/wire/peer.ts';
import { fieldsOf } from '../../processes/commands/read-values.ts';
import { readSettings } from '../../runtime/settings/read-settings.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { accessOf } from '../sign-in/user.ts';
import { Comparisons } from './comparisons.ts';
import { decisions } from './decisions.ts';
import { disagreements } from './disagreements.ts';
import { itemsLeft } from './items-left.ts';
import { LateCallbacks } from './late-callbacks.ts';
import { parked } from './parked.ts';
import { ProcessClocks } from './process-clocks.ts';
import { questions } from './questions.ts';
import { readInbox } from './read-inbox.ts';
import type { InboxSource } from './source.ts';

// A look asks each waiting process: often enough for a person, seldom enough for a worker.
const LOOK_EVERY_MS = 3_000;

const chosenAction = z.object({
  id: z.string().min(1).max(2_000),
  action: z.string().min(1).max(100),
  values: z.record(z.string(), z.unknown()).default({}),
});

export const inboxRoutes =
  (parts: ConsoleParts): FastifyPluginAsync =>
  async (app) => {
    const reader = serviceReader(parts);
    const comparisons = new Comparisons(parts, reader);
    const late = new LateCallbacks(parts, reader);
    const asked = questions(new ProcessClocks());
    const sources = [decisions, asked, itemsLeft, parked, disagreements({ comparisons, late })];
    const read = () => readInbox(parts, sources, { comparisons, late });
    parts.live.topic('inbox', 'look', read, LOOK_EVERY_MS);

    app.get('/api/inbox', accessOf('look'), read);

    app.post('/api/inbox/act', accessOf('decide'), async (request) => {
      const { user: person } = request;
      const by = person.name;
      const { id, action, values } = parsed(request.body);
      const { source, key } = sourceOf(sources, id);
      const done = await source.act({ ...parts, ...parts.as(person) }, key, { action, values });
      request.log.info({ by, id, action }, 'a person decided in the inbox');
      parts.live.changed('inbox');
      return { done };
    });

    app.post('/api/inbox/compare', accessOf('decide'), async () => {
      const found = await comparisons.now();
      parts.live.changed('inbox');
      const count = found.disagreements.length;
      return {
        done: `${found.flows} processes and ${found.shipments} shipments compared: ${count} disagreements`,
      };
    });

    app.post('/api/inbox/compare-daily', accessOf('administer'), async (request) => {
      const { name: by } = request.user;
      await comparisons.daily();
      parts.live.changed('inbox');
      request.log.info({ by }, 'flows are compared with the locker service every day from now on');
      return { done: 'The workers compare once a day from now on, and now for the first time.' };
    });
  };

function serviceReader({ service, variables }: ConsoleParts): ServiceReader {
  const head = 'The console cannot start; these settings are wrong';
  const peer = readPeer(readSettings(head, peerSettings, variables));
  return { peer, call: (operation, request) => service.call(operation, request) };
}

function parsed(body: unknown): z.infer<typeof chosenAction> {
  const { success, data, error } = chosenAction.safeParse(body, inPlainWords);
  if (success) return data;
  throw new ConsoleRefusal(
    400,
    'InvalidRequest',
    'Expected id, action and values of an entry of the inbox.',
    fieldsOf(error),
  );
}

function sourceOf(sources: readonly InboxSource[], id: string): { source: InboxSource; key: string } {
  const at = id.indexOf(':');
  const source = sources.find(({ kind }) => kind === id.slice(0, at));
  if (!source) throw new ConsoleRefusal(404, 'NotFound', `The inbox has no entry ${id}; look at it again.`);
  return { source, key: id.slice(at + 1) };
}
