// One process as a person looks at it: where it stands on its chart, its history step by step, the doors of its lockers.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { choice } from '../../processes/choices/choice.ts';
import { type ShownProcesses, shownProcess, timelineOfProcess } from '../../processes/views/shown-process.ts';
import { timeline } from '../../processes/views/timeline.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { DOORS_EVERY_MS, doorsOf } from '../process/doors.ts';
import { DetailedProcesses } from '../process/process-details.ts';
import { Replayer } from '../process/replayer.ts';
import { Replays } from '../process/replays.ts';
import { ofProcess } from './fields.ts';
import { drawing } from './flow-routes.ts';
import { type ApiRoute, apiRoute } from './route.ts';

/** Between two looks at a process that somebody has on the screen. */
const EVERY_MS = 400;

const paths = z.array(z.string());
const timer = z.object({ state: z.string(), event: z.string(), until: z.string() });
const taken = z.object({ from: z.string(), words: z.string(), names: z.array(z.string()) });

const details = z
  .looseObject({
    ...shownProcess.shape,
    chartId: z.string().nullable().meta({ description: 'Null: `chartMissing` says why' }),
    chartMissing: z.string().nullable().meta({ description: 'In words, for people' }),
    active: paths.meta({ description: 'The states in which it is, by their paths' }),
    nextLines: paths.meta({ description: 'The lines of the drawing that it may take next' }),
    timers: z.array(timer),
    takes: z.array(taken).meta({ description: 'What it would take now' }),
    asOf: z.string().nullable().meta({
      description: 'It does not answer now: what it says of itself is as it was then. Null: it is as of now',
    }),
    choices: z.array(choice),
    cost: z.object({ events: z.int(), bytes: z.int() }),
    clockAheadMs: z.number(),
    temporalUi: z.string(),
  })
  .meta({ title: 'ProcessDetails' });

const step = z.looseObject({
  number: z.int(),
  at: z.string(),
  what: z.string(),
  by: z.string().nullable(),
  did: z.array(z.string()),
  active: paths,
});

const steps = z.object({
  steps: z.array(step).nullable().meta({ description: 'Null: `why` says why there are none' }),
  why: z.string().nullable(),
  actions: z.int().meta({ description: 'Temporal’s billable actions' }),
  runs: z.int(),
});

const statusAfter = z.looseObject({
  number: z.int(),
  takes: z.array(taken),
  nextLines: paths,
  timers: z.array(timer),
  progress: z.looseObject({}),
});

const ofStep = ofProcess.extend({
  number: z.coerce.number().int().min(0).max(1_000_000).meta({ type: 'integer' }),
});

const door = z.object({
  pupUid: z.string(),
  lockerName: z.string(),
  door: z.string().meta({ description: 'Open, Closed, or Unknown: the wall cannot be reached' }),
  stayedShut: z.string().nullable(),
});

const words = { method: 'GET', right: 'read', tag: 'Processes', params: ofProcess, problems: [404] } as const;

export function detailsRoutes(app: FastifyInstance, parts: ConsoleParts, shown: ShownProcesses): ApiRoute[] {
  const replayer = new Replayer(parts.variables);
  app.addHook('onClose', async () => replayer.stop());
  const replays = new Replays(parts, replayer);
  const detailed = new DetailedProcesses(parts, shown);
  const read = ({ params }: { params: z.output<typeof ofProcess> }) => detailed.read(params.key);
  const doors = async ({ params }: { params: z.output<typeof ofProcess> }) => ({
    items: await doorsOf(parts, (await shown.read(params.key)).progress),
  });
  return [
    apiRoute({
      ...{ ...words, name: 'getProcessDetails', path: '/v1/processes/{key}/details' },
      summary: 'Reads a process with where it is on its chart, what it would take, and what a person may do',
      description: 'The texts are for people. It can be followed.',
      answers: { 200: { description: 'The process', schema: details } },
      handle: read,
      follow: { everyMs: EVERY_MS, read },
    }),
    apiRoute({
      ...{ ...words, name: 'getProcessDrawing', path: '/v1/processes/{key}/drawing' },
      summary: 'Reads the chart that a process runs, with a place for everything in it',
      answers: { 200: { description: 'The drawing', schema: drawing } },
      handle: ({ params }) => detailed.drawing(params.key),
    }),
    historyRoute(parts, shown),
    apiRoute({
      ...{ ...words, name: 'getProcessSteps', path: '/v1/processes/{key}/steps' },
      summary: 'Reads the history of a process, step by step',
      answers: { 200: { description: 'The steps', schema: steps } },
      handle: async ({ params }) => {
        await shown.flowOf(params.key);
        return await replays.steps(params.key);
      },
    }),
    apiRoute({
      ...{ ...words, name: 'getProcessAfterStep', path: '/v1/processes/{key}/steps/{number}' },
      ...{ params: ofStep, summary: 'Reads a process as it stood after one of its steps' },
      answers: { 200: { description: 'The process then', schema: statusAfter } },
      handle: async ({ params }) => {
        await shown.flowOf(params.key);
        return await replays.status(params.key, params.number);
      },
    }),
    apiRoute({
      ...{ ...words, name: 'getDrawingAfterStep', path: '/v1/processes/{key}/steps/{number}/drawing' },
      ...{ params: ofStep, summary: 'Reads the chart that a process ran after one of its steps' },
      answers: { 200: { description: 'The drawing', schema: drawing } },
      handle: async ({ params }) => {
        await shown.flowOf(params.key);
        return await replays.drawing(params.key, params.number);
      },
    }),
    apiRoute({
      ...{ ...words, name: 'getProcessDoors', path: '/v1/processes/{key}/doors' },
      summary: 'Reads the doors of the lockers in which the shipments of a process are',
      description: 'It can be followed.',
      answers: {
        200: {
          description: 'The doors',
          schema: z.object({
            items: z
              .array(door)
              .nullable()
              .meta({ description: 'Null: the locker service does not tell them' }),
          }),
        },
      },
      handle: doors,
      follow: { everyMs: DOORS_EVERY_MS, read: doors },
    }),
  ];
}

const historyRoute = (parts: ConsoleParts, shown: ShownProcesses): ApiRoute =>
  apiRoute({
    ...{ ...words, name: 'getProcessHistory', path: '/v1/processes/{key}/history' },
    summary: 'Reads what happened in a process, in words, and what it cost',
    description: 'As `lockerflow show --history` has it. The texts are for people.',
    answers: { 200: { description: 'What happened', schema: timeline } },
    handle: async ({ params }) => await timelineOfProcess(parts, await shown.read(params.key)),
  });
