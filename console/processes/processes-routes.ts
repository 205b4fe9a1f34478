// The processes: searched, paged by Temporal's own tokens, live; and what is done to many of them at once.

import type { FastifyPluginAsync } from 'fastify';
import { roles, stages } from '../../contract/flows/flow-input.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import { everyFound } from '../../processes/views/found-flows.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { accessOf } from '../sign-in/user.ts';
import { askedTemporal } from '../temporal-asked.ts';
import { bulkRequest, carryOut, preview } from './bulk-actions.ts';
import { addLiveList } from './live-list.ts';
import type { Choices } from './processes-view.ts';
import { queryOf, readSearch } from './search.ts';

/** More at once nobody looks through before confirming. */
const MOST_CHOSEN = 5_000;

export const processesRoutes =
  (parts: ConsoleParts): FastifyPluginAsync =>
  async (app) => {
    const list = addLiveList(parts);
    app.addHook('onClose', async () => list.stop());

    app.get('/api/processes/choices', accessOf('look'), async (): Promise<Choices> => {
      // Those built in can be chosen, also where no worker tells of the others.
      const published = await askedTemporal(parts, () => parts.flows.published()).catch(() => []);
      const names = new Set([...flowTypes, ...published.map(({ file }) => file.name)]);
      const deadlines = roles.flatMap((role) => stages.map((stage) => ({ role, stage })));
      return { flows: [...names].sort(), deadlines };
    });

    // The keys of a whole search, for an action.
    app.get('/api/processes/keys', accessOf('look'), async (request) => {
      const search = readSearch(new URLSearchParams(request.url.split('?')[1] ?? ''));
      const query = queryOf({ ...search, state: 'open' });
      return askedTemporal(parts, async () => {
        const keys: string[] = [];
        for await (const { workflowId } of everyFound(parts.client, query)) {
          keys.push(workflowId);
          if (keys.length > MOST_CHOSEN)
            throw new ConsoleRefusal(
              409,
              'TooMany',
              `The search finds more than ${MOST_CHOSEN} processes. Narrow it, or use npx lockerflow.`,
            );
        }
        return { keys };
      });
    });

    app.post('/api/processes/preview', accessOf('decide'), async (request) => {
      const wanted = bulkRequest.parse(request.body, inPlainWords);
      return { outcomes: await preview(parts.as(request.user), wanted) };
    });

    app.post('/api/processes/action', accessOf('decide'), async (request) => {
      const { user } = request;
      const wanted = bulkRequest.parse(request.body, inPlainWords);
      const outcomes = await carryOut(parts.as(user), wanted);
      request.log.info(
        { by: user.name, verb: wanted.action.verb, keys: wanted.keys },
        'a person acted on processes',
      );
      parts.live.changed('processes');
      return { outcomes };
    });
  };
