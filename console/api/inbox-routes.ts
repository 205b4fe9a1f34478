// The inboxes: what processes ask people, and programs in their place; and everything else that waits for a person.
import { z } from 'zod';
import { claim } from '../../processes/commands/claim.ts';
import { drop } from '../../processes/commands/drop.ts';
import { orThrow } from '../../processes/outcome.ts';
import { openQuestions } from '../../processes/views/open-questions.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { mendings } from '../inbox/disagreements.ts';
import { Inbox } from '../inbox/inbox.ts';
import { entryKinds } from '../inbox/inbox-view.ts';
import { sayEmptied } from '../inbox/items-left.ts';
import { actingAs } from './acting.ts';
import { choice, key as processKey, why } from './fields.ts';
import { requireRight } from './rights.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const query = z.strictObject({
  of: z
    .string()
    .min(1)
    .max(80)
    .regex(/^[ !#-[\]-~\u00a0-\uffff]*$/, 'must have no quotes and no backslash')
    .optional()
    .meta({ description: 'The name of an inbox, like desk. Without it all inboxes, which needs flows:read' }),
});

const field = z.object({
  type: z.enum(['text', 'number', 'yesNo', 'date']).optional(),
  choice: z.array(z.string()).optional(),
  many: z.boolean().optional().meta({ description: 'Several of the choices; the value is a list' }),
  minLength: z.int().optional().meta({ description: 'Without the white space around the text' }),
  maxLength: z.int().optional(),
  pattern: z.string().optional().meta({ description: 'What the whole text looks like' }),
  min: z.unknown().optional().meta({ description: 'Of a number or a date; of many: how many at least' }),
  max: z.unknown().optional(),
  default: z.unknown().optional().meta({ description: 'What the answer has if the field is left out' }),
  label: z.string().optional(),
  optional: z.boolean().optional(),
});

const question = z
  .object({
    key: z.string().meta({ description: 'The process that asks' }),
    runId: z.string(),
    flow: z.string(),
    question: z.string().meta({ description: 'Its id, by which it is answered' }),
    of: z.string().meta({ description: 'The inbox' }),
    text: z.string(),
    fields: z.record(z.string(), field),
    askedAt: z.string(),
    until: z.string().nullable(),
  })
  .meta({ title: 'Question' });

export function inboxRoutes(parts: ConsoleParts): ApiRoute[] {
  const inbox = new Inbox(parts);
  return [
    questionsRoute(parts),
    entriesRoute(inbox),
    emptiedRoute(parts),
    claimRoute(parts),
    dropRoute(parts),
    ...comparisonRoutes(parts, inbox),
  ];
}

const questionsRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    ...{ name: 'getInbox', method: 'GET', path: '/v1/inbox', right: 'readInbox', tag: 'Inbox', query },
    summary: 'Lists the open questions, the oldest first',
    description: 'Answer one with POST /v1/processes/{key}/answers.',
    answers: {
      200: {
        description: 'The questions',
        schema: z.object({
          items: z.array(question),
          unasked: z.int().meta({ description: 'Processes that did not say in time what they ask' }),
        }),
      },
    },
    handle: async ({ query: { of: name }, caller }) => {
      requireRight(caller, name === undefined ? 'read' : 'readInbox', name);
      const { waiting, unasked } = await openQuestions(parts, { name, taskQueue: parts.taskQueue });
      const items = waiting.map(
        ({ workflowId, runId, flow, id, of, question: text, fields, askedAt, until }) => ({
          ...{ key: workflowId, runId, flow, question: id, of, text, fields, askedAt, until },
        }),
      );
      return { items, unasked };
    },
  });

// A look asks each waiting process: often enough for a person, seldom enough for a worker.
const LOOK_EVERY_MS = 3_000;

const entry = z
  .object({
    id: z.string(),
    kind: z.enum(entryKinds),
    since: z.string().nullable(),
    clockAheadMs: z
      .number()
      .optional()
      .meta({ description: 'How far the clock of `since` is ahead of the real time; 0 if absent' }),
    title: z.string(),
    why: z.string(),
    ifNothing: z.string().meta({ description: 'What follows if nobody does anything' }),
    toDo: z.string(),
    workflowId: z.string().nullable(),
    pupUid: z.string().nullable(),
    lockerName: z.string().nullable(),
    shipmentUid: z.string().nullable(),
    actions: z.array(choice),
  })
  .meta({ title: 'InboxEntry' });

const entries = z.object({
  entries: z.array(entry),
  unread: z
    .array(z.object({ what: z.string(), why: z.string() }))
    .meta({ description: 'What could not be read, or not whole: then something may wait that is not here' }),
  compared: z
    .object({
      lookedAt: z.string().nullable().meta({ description: 'When the shipments that changed last were' }),
      at: z.string().nullable().meta({ description: 'When all were' }),
      isPlanned: z.boolean(),
    })
    .meta({ description: 'When processes were compared with the locker service' }),
});

const entriesRoute = (inbox: Inbox): ApiRoute =>
  apiRoute({
    ...{ name: 'getInboxEntries', method: 'GET', path: '/v1/inbox/entries', right: 'read', tag: 'Inbox' },
    summary: 'Lists everything that waits for a person, the oldest first',
    description:
      'Decisions of processes, their questions, items left in lockers, parked callbacks, and what processes and the locker service disagree about. Each has its actions as forms, with the request that does it. The texts are for people. It can be followed.',
    answers: { 200: { description: 'The entries', schema: entries } },
    handle: () => inbox.read(),
    follow: { everyMs: LOOK_EVERY_MS, read: () => inbox.read() },
  });

const done = z.object({ done: z.string().meta({ description: 'In words, for people' }) });
const isDone = { 200: { description: 'It is done', schema: done } };
const nothing = z.strictObject({});

const emptiedRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    ...{ name: 'sayEmptied', method: 'POST', path: '/v1/items-left/{lockerUid}/emptied', right: 'decide' },
    tag: 'Inbox',
    summary: 'Says that a locker is empty: the item that was left in it is taken out',
    ...{ params: z.object({ lockerUid: processKey.meta({ description: 'lockerUid', examples: ['l-7'] }) }) },
    ...{ body: nothing, headers: ['OnBehalfOf'], answers: isDone, problems: [409, 502] },
    handle: async ({ params: { lockerUid }, caller, request }) => {
      const acting = actingAs(parts, { caller, request });
      const wasToBeEmptied = await sayEmptied(acting, lockerUid);
      request.log.info({ by: caller.by, lockerUid }, 'somebody said that a locker is empty');
      parts.live.changed('/v1/inbox/entries');
      parts.live.changed('/api/walls/');
      return {
        done: wasToBeEmptied
          ? `${lockerUid} is empty, said by ${acting.by}`
          : `${lockerUid} was empty already`,
      };
    },
  });

const ofParked = z.object({
  id: processKey.meta({ description: 'The workflow id of the parked callback', examples: ['parked:s-1'] }),
});

const claimRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    ...{ name: 'claimParked', method: 'POST', path: '/v1/parked/{id}/claim', right: 'decide', tag: 'Inbox' },
    summary: 'Gives the reports of a parked callback to a process',
    ...{ params: ofParked, body: z.strictObject({ to: processKey, why }) },
    example: { to: 'order-1042', why: 'its booking was made by hand' },
    ...{ headers: ['OnBehalfOf'], answers: isDone, problems: [404, 409] },
    handle: async ({ params: { id }, body: { to, why: because }, caller, request }) => {
      const acting = { ...actingAs(parts, { caller, request }), why: because };
      orThrow(await claim.do(acting, id, { to }));
      request.log.info({ by: caller.by, id, to }, 'a parked callback was claimed over HTTP');
      parts.live.changed('/v1/inbox/entries');
      return { done: `${id}: claimed by ${acting.by}` };
    },
  });

const dropRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    ...{ name: 'dropParked', method: 'POST', path: '/v1/parked/{id}/drop', right: 'decide', tag: 'Inbox' },
    summary: 'Closes a parked callback: no process gets its reports',
    ...{ params: ofParked, body: z.strictObject({ why }), example: { why: 'another system has booked it' } },
    ...{ headers: ['OnBehalfOf'], answers: isDone, problems: [404, 409] },
    handle: async ({ params: { id }, body: { why: because }, caller, request }) => {
      const acting = { ...actingAs(parts, { caller, request }), why: because };
      orThrow(await drop.do(acting, id, {}));
      request.log.info({ by: caller.by, id }, 'a parked callback was dropped over HTTP');
      parts.live.changed('/v1/inbox/entries');
      return { done: `${id}: dropped by ${acting.by}` };
    },
  });

const mended = z.strictObject({
  disagreement: z
    .string()
    .min(1)
    .max(1_000)
    .meta({ description: 'As its entry in the inbox has it', examples: ['noFlow:s-1:'] }),
  mending: z.enum(mendings),
  why: why.optional(),
});

const comparisonRoutes = (parts: ConsoleParts, inbox: Inbox): ApiRoute[] => [
  apiRoute({
    ...{ name: 'getComparison', method: 'GET', path: '/v1/comparison', right: 'read', tag: 'Inbox' },
    summary: 'Reads what the last comparison of all processes with the locker service found',
    answers: {
      200: {
        description: 'The newest one',
        schema: z.object({
          isPlanned: z.boolean().meta({ description: 'Whether the workers compare by a schedule' }),
          comparison: z.looseObject({}).nullable().meta({ description: 'Null: there was none yet' }),
        }),
      },
    },
    handle: () => inbox.comparisons.last(),
  }),
  apiRoute({
    ...{ name: 'compare', method: 'POST', path: '/v1/comparison', right: 'decide', tag: 'Inbox' },
    summary: 'Compares all processes with the locker service, now',
    description: 'It answers when it is done, which takes minutes for very many processes.',
    ...{ body: nothing, answers: isDone },
    handle: async () => {
      const { disagreements, flows, shipments } = await inbox.comparisons.now();
      parts.live.changed('/v1/inbox/entries');
      return {
        done: `${flows} processes and ${shipments} shipments compared: ${disagreements.length} disagreements`,
      };
    },
  }),
  apiRoute({
    ...{ name: 'compareDaily', method: 'POST', path: '/v1/comparison/daily', right: 'administer' },
    tag: 'Inbox',
    summary: 'Lets the workers compare once a day from now on',
    ...{ body: nothing, answers: isDone },
    handle: async ({ caller, request }) => {
      await inbox.comparisons.daily();
      parts.live.changed('/v1/inbox/entries');
      request.log.info({ by: caller.by }, 'processes are compared with the locker service every day');
      return { done: 'The workers compare once a day from now on, and now for the first time.' };
    },
  }),
  apiRoute({
    ...{ name: 'mend', method: 'POST', path: '/v1/comparison/mendings', right: 'decide', tag: 'Inbox' },
    summary: 'Mends what a process and the locker service disagree about',
    description: 'Nothing is done where they do not disagree any more.',
    ...{ body: mended, example: { disagreement: 'noFlow:s-1:', mending: 'cancelShipment' } },
    ...{ headers: ['OnBehalfOf'], answers: isDone, problems: [409, 502] },
    handle: async ({ body: { why: because, ...wanted }, caller, request }) => {
      const acting = { ...actingAs(parts, { caller, request }), why: because };
      const words = await inbox.mend(acting, wanted);
      request.log.info({ by: caller.by, ...wanted }, 'a disagreement was mended over HTTP');
      parts.live.changed('/v1/inbox/entries');
      return { done: words };
    },
  }),
];
