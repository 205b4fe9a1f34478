// Events over HTTP: to one process, by business data, and those that wait for a process.
import { z } from 'zod';
import { clock } from '../../contract/flows/flow-input-check.ts';
import { duration } from '../../contract/wire/duration.ts';
import { EVENT_TYPE, KEY_NAME, LONGEST_VALUE, MAX_KEYS } from '../../flows/language/correlation.ts';
import { event, sendEvent } from '../../processes/commands/event.ts';
import { orThrow } from '../../processes/outcome.ts';
import { why } from '../../processes/views/process-fields.ts';
import { queuedEventsPage, readQueuedEvents } from '../../processes/views/queued-events.ts';
import type { ProcessReader } from '../../processes/views/shown-process.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { commandContextOf } from './command-context.ts';
import { json, ofProcess } from './fields.ts';
import { type ApiRoute, apiRoute } from './route.ts';

interface EventRouteParts {
  readonly parts: ConsoleParts;
  readonly shown: ProcessReader;
}

export const eventRoutes = (given: EventRouteParts): ApiRoute[] => [
  eventRoute(given),
  correlatedEventRoute(given),
  queuedEventsRoute(given),
];

const eventBody = z.strictObject({
  type: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ examples: ['payment.received'] }),
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Each id counts once; without one, each request does' }),
  data: json.optional(),
  why: why.optional(),
});

const eventRoute = ({ parts, shown }: EventRouteParts): ApiRoute =>
  apiRoute({
    name: 'sendEvent',
    method: 'POST',
    path: '/v1/processes/{key}/events',
    right: event.right,
    tag: 'Processes',
    summary: event.meaning,
    description:
      'The process has it when this answers. An event that no state takes changes nothing: `progress.events` names those that it takes now. One that no state of its file takes is refused as `EventUnknown`.',
    params: ofProcess,
    body: eventBody,
    example: event.example,
    headers: ['OnBehalfOf'],
    answers: {
      202: {
        description: 'The process has the event',
        schema: z.object({
          type: z.string(),
          id: z.string(),
          isTaken: z.boolean().nullable().meta({
            description:
              'Whether the process took it where it was; null: no worker could say, or the process has halted',
          }),
          isRepeated: z
            .boolean()
            .meta({ description: 'It was sent with this id before, and takes effect once' }),
          takes: z.array(z.string()).nullable().meta({
            description: 'What the process took where it was; null: no worker could say',
          }),
        }),
      },
    },
    problems: [409],
    handle: async ({ params: { key }, body, caller, request, reply }) => {
      await shown.requireFlowFile(key);
      const { why: reason, ...given } = body;
      const commandContext = commandContextOf(parts, { caller, request, why: reason });
      const sent = orThrow(await event.do(commandContext, key, given as never));
      request.log.info({ by: caller.by, key, event: body.type }, 'an event was sent over HTTP');
      reply.code(202);
      return sent;
    },
  });

const correlated = eventBody.extend({
  type: z
    .string()
    .max(200)
    .regex(EVENT_TYPE, 'expected words with dots between them, such as device.returned')
    .meta({ examples: ['device.returned'] }),
  where: z
    .record(
      z.string().regex(KEY_NAME, 'expected a name of letters, digits, - and _'),
      z.union([z.string().min(1).max(LONGEST_VALUE), z.number(), z.boolean()]),
    )
    .meta({
      minProperties: 1,
      maxProperties: MAX_KEYS,
      description:
        'The keys that a process must have: `correlate` of its file. Without them it only starts processes',
      examples: [{ device: 'laptop-7' }],
    })
    .optional(),
  keepFor: duration.optional().meta({
    description: 'How long it waits for a process that takes it, at most P30D; an hour unless given',
    examples: ['PT1H'],
  }),
  keepAnyway: z.boolean().optional().meta({
    description: 'Keeps it although no published flow listens for it: one may be published within `keepFor`',
  }),
  clock: clock.meta({
    description:
      "The time of the processes that it starts; those that run keep their clock. sandbox: the tenant's clock in a service in staging. The real time if not given",
  }),
});

const correlatedEventRoute = ({ parts }: EventRouteParts): ApiRoute =>
  apiRoute({
    name: 'sendCorrelatedEvent',
    method: 'POST',
    path: '/v1/events',
    right: sendEvent.right,
    tag: 'Processes',
    summary: 'Sends an event to all processes that have certain keys, and starts those that start by it',
    description:
      'Every process of a flow file that has the keys, and listens for the type, gets it once; also those that begin within `keepFor`. A file that has the type in its `starts` starts a process, once for the id, which needs the right to start that flow. It is not lost when this answers, whether a worker runs or not. Send it again with the same `id` after a request without an answer. A type, or a key, that no published flow knows is refused, unless `keepAnyway` is given, and so is data that fits no flow which listens.',
    body: correlated,
    example: {
      type: 'device.returned',
      where: { device: 'laptop-7' },
      id: 'scan-812',
      data: { desk: 'north' },
    },
    headers: ['OnBehalfOf'],
    answers: {
      202: {
        description: 'The event is kept, and on its way',
        schema: z.object({
          type: z.string(),
          id: z.string(),
          flows: z.array(z.string()).nullable().meta({
            description:
              'The published flows that listen for it under these keys; null: they could not be read',
          }),
          processes: z.number().int().nullable().meta({
            description: 'How many processes listened for it just before; null: no worker could say',
          }),
          isRepeated: z.boolean().nullable().meta({
            description:
              'Its queue knew the id just before: the event takes effect once. Null: no worker could say, or it has no `where`',
          }),
          started: z
            .array(
              z.object({
                flow: z.string(),
                key: z.string(),
                isNew: z.boolean().meta({
                  description:
                    'False: a process has the key already, or had it. It stays as it was started, whatever the data of the event',
                }),
              }),
            )
            .meta({ description: 'The processes of the flows that start by it' }),
        }),
      },
    },
    handle: async ({ body, caller, request, reply }) => {
      const { why: reason, ...given } = body;
      const commandContext = commandContextOf(parts, { caller, request, why: reason });
      const sent = orThrow(await sendEvent.do(commandContext, null, given as never));
      request.log.info({ by: caller.by, event: body.type }, 'an event by correlation was sent over HTTP');
      reply.code(202);
      return sent;
    },
  });

const PAIR = /^([^=]+)=(.+)$/s;
const MOST_EVENTS = 200;

const queuedQuery = z.strictObject({
  where: z
    .string()
    .regex(PAIR, 'must be a key and its value, like device=laptop-7')
    .optional()
    .meta({ description: 'Only those for this key and value', examples: ['device=laptop-7'] }),
  size: z.coerce
    .number({ error: `must be a whole number, 1 to ${MOST_EVENTS}` })
    .int()
    .min(1)
    .max(MOST_EVENTS)
    .default(50)
    .meta({ description: `How many at most, up to ${MOST_EVENTS}`, type: 'integer' }),
});

const queuedEventsRoute = ({ parts }: EventRouteParts): ApiRoute =>
  apiRoute({
    name: 'getQueuedEvents',
    method: 'GET',
    path: '/v1/events',
    right: 'read',
    tag: 'Processes',
    summary: 'Lists the events by business data that wait for a process, and those that nobody took',
    description:
      'The newest first, without what they say. Each is listed as long as it waits (`keepFor`), and one that nobody took for an hour at least. What has just been sent may come some moments later.',
    query: queuedQuery,
    answers: { 200: { description: 'The events', schema: queuedEventsPage } },
    handle: ({ query: { where, size } }) => {
      const [, key, value] = PAIR.exec(where ?? '') ?? [];
      return readQueuedEvents(parts, {
        size,
        ...(key !== undefined && value !== undefined && { where: { [key]: value } }),
      });
    },
  });
