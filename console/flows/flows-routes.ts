// The flows: their charts, and how many processes stand where.

import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import { flowCounts, flowStatus } from '../../processes/views/flow-status.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { accessOf } from '../sign-in/user.ts';
import { allFlows, flowChart } from './flow-charts.ts';
import type { FlowRow } from './flows-view.ts';

/** Many processes are asked, or many queries made. */
const EVERY_MS = 5_000;

const ofFlow = z.object({ flow: z.string().min(1).max(200) });

export const flowsRoutes =
  (parts: ConsoleParts): FastifyPluginAsync =>
  async (app) => {
    parts.live.topic('flows', 'look', () => flowRows(parts), EVERY_MS);
    parts.live.topic(
      'flow',
      'look',
      (argument) => flowStatus(parts, ofFlow.parse({ flow: argument }, inPlainWords).flow),
      EVERY_MS,
    );
    app.get('/api/flows', accessOf('look'), () => flowRows(parts));
    app.get('/api/flows/:flow', accessOf('look'), ({ params }) =>
      flowChart(parts, ofFlow.parse(params, inPlainWords).flow),
    );
  };

async function flowRows(parts: ConsoleParts): Promise<FlowRow[]> {
  const all = await allFlows(parts);
  return await Promise.all(all.map(async (one) => ({ ...one, ...(await flowCounts(parts, one.flow)) })));
}
