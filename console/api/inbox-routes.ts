// The inboxes: what processes ask people, and programs in their place; and everything else that waits for a person.

import { z } from 'zod';
import { formatAttribution } from '../../contract/flows/attribution.ts';
import { itemBecame } from '../../contract/flows/item-out.ts';
import { instant } from '../../contract/wire/fields.ts';
import { claimUnmatched } from '../../processes/commands/claim-unmatched.ts';
import { drop } from '../../processes/commands/end.ts';
import { settleItem } from '../../processes/commands/settle-item.ts';
import type { Inbox } from '../../processes/inbox/inbox.ts';
import { inboxEntries } from '../../processes/inbox/inbox-entry.ts';
import { snooze, wake } from '../../processes/inbox/snooze.ts';
import { workOf } from '../../processes/inbox/work.ts';
import { orThrow } from '../../processes/outcome.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import { key as processKey, why } from '../../processes/views/process-fields.ts';
import { openQuestions, questions } from '../../processes/views/questions.ts';
import type { RowSubjects } from '../../processes/views/row-subjects.ts';
import { t } from '../../shared/texts/text.ts';
import { requireRight } from '../access/rights.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { withAbout } from '../find/entries-about.ts';
import { commandContextOf } from './command-context.ts';
import { searchable } from './fields.ts';
import { acts } from './inbox-act.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const query = z.strictObject({
  holder: z.string().min(1).max(200).optional().meta({ description: 'Only those that this person holds' }),
  of: searchable
    .min(1)
    .max(80)
    .optional()
    .meta({ description: 'The name of an inbox, like desk. Without it all inboxes, which needs flows:read' }),
});

export function inboxRoutes(parts: ConsoleParts, inbox: Inbox, subjects: RowSubjects): ApiRoute[] {
  return [
    questionsRoute(parts, inbox),
    entriesRoute(parts, inbox, subjects),
    snoozeRoute(parts),
    itemOutRoute(parts),
    ...unmatchedRoutes(parts),
  ];
}

const questionsRoute = (parts: ConsoleParts, inbox: Inbox): ApiRoute =>
  apiRoute({
    name: 'getInbox',
    method: 'GET',
    path: '/v1/inbox',
    right: 'readInbox',
    tag: 'Inbox',
    query,
    summary: 'Lists the open questions: the highest priority first, then what is due, then the oldest',
    description:
      'Answer one with POST /v1/processes/{key}/answers; claim it before, if others work on the same inbox: POST /v1/processes/{key}/commands/claim.',
    answers: {
      200: {
        description: 'The questions',
        schema: questions,
      },
    },
    handle: async ({ query: { of: name, holder }, caller }) => {
      requireRight(caller, name === undefined ? 'read' : 'readInbox', name);
      return await callTemporal(parts, () => openQuestions(parts, { name, holder }, inbox.keptQuestions));
    },
  });

// A look asks Temporal about each waiting process: often enough for a person, seldom enough for its search.
const SHARED_MS = 3_000;

const entriesWanted = z.strictObject({
  dueBefore: instant.optional().meta({
    description: 'The end of the day of who reads it: 24 hours from now, if absent',
    examples: ['2031-05-02T00:00:00Z'],
  }),
});

const entriesRoute = (parts: ConsoleParts, inbox: Inbox, subjects: RowSubjects): ApiRoute =>
  apiRoute({
    name: 'getInboxEntries',
    method: 'GET',
    path: '/v1/inbox/entries',
    right: 'read',
    tag: 'Inbox',
    query: entriesWanted,
    summary:
      'Lists everything that waits for a person: what is urgent, then what is for today, then the rest',
    description:
      'Decisions of processes, their questions, late cases, starts that failed, doors that stayed shut or stand open, walls that are offline, items left in lockers or still out, unmatched callbacks, and lockers that are out of order. Several of one cause are one entry. Each has its actions as forms, with the request that does it. The texts are for people.',
    answers: { 200: { description: 'The entries', schema: inboxEntries } },
    isOfPeople: true,
    handle: async ({ query: { dueBefore: end } }) => {
      const view = workOf(await inbox.read(), end === undefined ? undefined : Date.parse(end));
      return await withAbout(parts, subjects, view);
    },
    sharedMs: SHARED_MS,
  });

const ofUnmatched = z.object({
  id: processKey.meta({
    description: 'The workflow id of the unmatched callback',
    examples: ['unmatched:s-1'],
  }),
});

const DAY_MS = 86_400_000;
/** One that may be sent as it is, while the console runs for less than a month. */
const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString();

const snoozeRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    ...acts,
    name: 'snoozeEntry',
    path: '/v1/inbox/entries/snooze',
    summary: 'Puts an entry of Work out of sight until a moment, or back; nothing becomes of its process',
    body: z.strictObject({
      id: z.string().min(1).max(2_000).meta({ description: 'Of the entry' }),
      until: instant.nullable().meta({ description: 'At most 31 days ahead; null: it is seen again' }),
    }),
    example: { id: 'late:order-1042', until: tomorrow() },
    handle: async ({ body: { id, until }, caller, request }) => {
      const commandContext = commandContextOf(parts, { caller, request });
      if (until === null) await wake(commandContext, id);
      else await snooze(commandContext, id, new Date(until));
      request.log.info({ by: caller.by, id, until }, 'an entry of Work was snoozed, or woken');
      return { done: until === null ? t`it is seen again` : t`it is out of sight until ${until}` };
    },
  });

const itemOutRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    ...acts,
    name: 'settleItem',
    path: '/v1/items-out/{shipmentUid}/settled',
    params: z.object({
      shipmentUid: processKey.meta({
        description: 'Of the shipment that was to bring it back',
        examples: ['s-1'],
      }),
    }),
    summary: 'Says what became of an item that somebody had, and that no process waited for any more',
    body: z.strictObject({ became: z.enum(itemBecame), why }),
    example: { became: 'Back', why: 'she handed it in' },
    problems: [404, 409],
    handle: async ({ params: { shipmentUid }, body: { became, why: reason }, caller, request }) => {
      const commandContext = commandContextOf(parts, { caller, request, why: reason });
      const settled = orThrow(await settleItem.do(commandContext, shipmentUid, { became }));
      request.log.info({ by: caller.by, shipmentUid, became }, 'an item that was out was settled over HTTP');
      return { done: t`${settleItem.formatResult(settled)}, said by ${formatAttribution(commandContext)}` };
    },
  });

function unmatchedRoutes(parts: ConsoleParts): ApiRoute[] {
  return [
    apiRoute({
      ...acts,
      name: 'claimUnmatched',
      path: '/v1/unmatched/{id}/claim',
      params: ofUnmatched,
      summary: 'Gives the reports of an unmatched callback to a process',
      body: z.strictObject({ to: processKey, why }),
      example: { to: 'order-1042', why: 'its booking was made by hand' },
      problems: [404, 409],
      handle: async ({ params: { id }, body, caller, request }) => {
        const commandContext = commandContextOf(parts, { caller, request, why: body.why });
        orThrow(await claimUnmatched.do(commandContext, id, { to: body.to }));
        request.log.info({ by: caller.by, id, to: body.to }, 'an unmatched callback was claimed over HTTP');
        return { done: t`${id}: claimed by ${formatAttribution(commandContext)}` };
      },
    }),
    apiRoute({
      ...acts,
      name: 'dropUnmatched',
      path: '/v1/unmatched/{id}/drop',
      params: ofUnmatched,
      summary: 'Closes an unmatched callback: no process gets its reports',
      body: z.strictObject({ why }),
      example: { why: 'another system has booked it' },
      problems: [404, 409],
      handle: async ({ params: { id }, body, caller, request }) => {
        const commandContext = commandContextOf(parts, { caller, request, why: body.why });
        orThrow(await drop.do(commandContext, id, {}));
        request.log.info({ by: caller.by, id }, 'an unmatched callback was dropped over HTTP');
        return { done: t`${id}: dropped by ${formatAttribution(commandContext)}` };
      },
    }),
  ];
}
