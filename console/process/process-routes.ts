// One process: where it stands, live; its chart; its history step by step; and what people may do to it.

import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { choicesOf } from '../decisions/action-choices.ts';
import { doDecision } from '../decisions/do-decision.ts';
import { accessOf } from '../sign-in/user.ts';
import { DOORS_EVERY_MS, doorsOf } from './doors.ts';
import { takenOf } from './event-words.ts';
import { ProcessStatuses } from './process-status.ts';
import type { LookedProcess } from './process-view.ts';
import { Replayer } from './replayer.ts';
import { Replays } from './replays.ts';

/** Between two looks at a process that somebody has on the screen. */
const EVERY_MS = 400;

// Temporal's limit.
const LONGEST_KEY = 1_000;
const ofProcess = z.object({ key: z.string().min(1).max(LONGEST_KEY) });
const ofStep = ofProcess.extend({ number: z.coerce.number().int().min(0) });
const chosen = z.strictObject({
  id: z.string().max(200),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});

export const processRoutes =
  (parts: ConsoleParts): FastifyPluginAsync =>
  async (app) => {
    const replayer = new Replayer(parts.variables);
    const replays = new Replays(parts, replayer);
    const statuses = new ProcessStatuses(parts);
    app.addHook('onClose', async () => replayer.stop());

    const looked = async (key: string): Promise<LookedProcess> => {
      const status = await statuses.status(ofProcess.parse({ key }, inPlainWords).key);
      return { ...status, takes: takenOf(status.next), choices: choicesOf(status) };
    };
    parts.live.topic('process', 'look', looked, EVERY_MS);
    parts.live.topic('doors', 'look', (argument) => doorsOf(parts, argument), DOORS_EVERY_MS);
    app.get('/api/process/:key', accessOf('look'), ({ params }) =>
      looked(ofProcess.parse(params, inPlainWords).key),
    );
    app.get('/api/process/:key/chart', accessOf('look'), ({ params }) =>
      statuses.chart(ofProcess.parse(params, inPlainWords).key),
    );
    app.get('/api/process/:key/steps', accessOf('look'), ({ params }) =>
      replays.steps(ofProcess.parse(params, inPlainWords).key),
    );
    app.get('/api/process/:key/steps/:number', accessOf('look'), ({ params }) => {
      const { key, number } = ofStep.parse(params, inPlainWords);
      return replays.status(key, number);
    });
    app.post('/api/process/:key/do', accessOf('decide'), async (request) => {
      const { user } = request;
      const { key } = ofProcess.parse(request.params, inPlainWords);
      const { id, values } = chosen.parse(request.body, inPlainWords);
      await doDecision(parts.as(user), { key, id, values });
      request.log.info({ by: user.name, key, choice: id }, 'a person decided');
      parts.live.changed('process', key);
      return {};
    });
  };
