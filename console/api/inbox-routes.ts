// The inboxes: what processes ask people, and programs in their place; and everything else that waits for a person.

import { z } from 'zod';
import { formatAttribution } from '../../contract/flows/attribution.ts';
import { itemBecame } from '../../contract/flows/item-out.ts';
import { instant } from '../../contract/wire/fields.ts';
import { callTemporal } from '../../processes/at-temporal.ts';
import { claimParked } from '../../processes/commands/claim-parked.ts';
import { drop } from '../../processes/commands/end.ts';
import { settleItem } from '../../processes/commands/settle-item.ts';
import type { Inbox } from '../../processes/inbox/inbox.ts';
import { inboxEntries } from '../../processes/inbox/inbox-entry.ts';
import { formatLocker } from '../../processes/inbox/locker-name.ts';
import { reportEmptied } from '../../processes/inbox/report-emptied.ts';
import { snooze, wake } from '../../processes/inbox/snooze.ts';
import { workOf } from '../../processes/inbox/work.ts';
import { orThrow } from '../../processes/outcome.ts';
import { key as processKey, why } from '../../processes/views/process-fields.ts';
import { openQuestions, questions } from '../../processes/views/questions.ts';
import type { RowSubjects } from '../../processes/views/row-subjects.ts';
import { t } from '../../shared/texts/text.ts';
import { requireRight } from '../access/rights.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { thatDidNotOpenToLook } from '../door-refusal.ts';
import { withAbout } from '../find/entries-about.ts';
import { actingAs } from './acting.ts';
import { searchable } from './fields.ts';
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
    ...lockerRoutes(parts),
    itemOutRoute(parts),
    ...parkedRoutes(parts),
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
      'Decisions of processes, their questions, late cases, starts that failed, doors that stayed shut or stand open, walls that are offline, items left in lockers or still out, and unmatched callbacks. Several of one cause are one entry. Each has its actions as forms, with the request that does it. The texts are for people.',
    answers: { 200: { description: 'The entries', schema: inboxEntries } },
    isOfPeople: true,
    handle: async ({ query: { dueBefore: end } }) => {
      const view = workOf(await inbox.read(), end === undefined ? undefined : Date.parse(end));
      return await withAbout(parts, subjects, view);
    },
    sharedMs: SHARED_MS,
  });

const done = z.object({ done: z.string().meta({ description: 'In words, for people' }) });
const isDone = { 200: { description: 'It is done', schema: done } };
const nothing = z.strictObject({});

const ofLocker = z.object({ lockerUid: processKey.meta({ description: 'lockerUid', examples: ['l-7'] }) });
/** As long as the service takes. */
const whyOpened = why.max(500).meta({ description: 'Why; the service keeps it with who and when' });

const ofParked = z.object({
  id: processKey.meta({ description: 'The workflow id of the unmatched callback', examples: ['parked:s-1'] }),
});

const acts = {
  method: 'POST',
  right: 'decide',
  tag: 'Inbox',
  headers: ['OnBehalfOf'],
  answers: isDone,
} as const;

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
    example: { id: 'late:order-1042', until: '2031-05-02T08:00:00Z' },
    handle: async ({ body: { id, until }, caller, request }) => {
      const acting = actingAs(parts, { caller, request });
      if (until === null) await wake(acting, id);
      else await snooze(acting, id, new Date(until));
      request.log.info({ by: caller.by, id, until }, 'an entry of Work was snoozed, or woken');
      return { done: until === null ? t`it is seen again` : t`it is out of sight until ${until}` };
    },
  });

function lockerRoutes(parts: ConsoleParts): ApiRoute[] {
  return [
    apiRoute({
      ...acts,
      name: 'reportEmptied',
      path: '/v1/items-left/{lockerUid}/emptied',
      params: ofLocker,
      summary: 'Says that a locker is empty: the item that was left in it is taken out',
      body: nothing,
      problems: [409, 502],
      handle: async ({ params: { lockerUid }, caller, request }) => {
        const acting = actingAs(parts, { caller, request });
        const wasToBeEmptied = await reportEmptied(acting, lockerUid);
        request.log.info({ by: caller.by, lockerUid }, 'somebody said that a locker is empty');
        const locker = await formatLocker(acting.service, lockerUid);
        const how = wasToBeEmptied ? t`is empty, said by ${formatAttribution(acting)}` : t`was empty already`;
        return { done: `${locker} ${how}` };
      },
    }),
    apiRoute({
      ...acts,
      name: 'setOutOfOrder',
      path: '/v1/lockers/{lockerUid}/out-of-order',
      params: ofLocker,
      summary: 'Takes a locker out of order, or puts it in order again',
      body: z.strictObject({ outOfOrder: z.boolean() }),
      example: { outOfOrder: true },
      problems: [409, 502],
      handle: async ({ params: { lockerUid }, body: { outOfOrder }, caller, request }) => {
        const acting = actingAs(parts, { caller, request });
        await acting.service.call('SetLockerOutOfOrder', { lockerUid, outOfOrder });
        request.log.info(
          { by: caller.by, lockerUid, outOfOrder },
          'a locker was taken out of order, or put in',
        );
        const how = outOfOrder ? t`out of order` : t`in order again`;
        const locker = await formatLocker(acting.service, lockerUid);
        return { done: t`${locker} is ${how}, said by ${formatAttribution(acting)}` };
      },
    }),
    apiRoute({
      ...acts,
      name: 'openToLook',
      path: '/v1/lockers/{lockerUid}/open',
      params: ofLocker,
      summary:
        'Opens a locker to look inside: nothing counts as put in or taken out, and no shipment changes',
      body: z.strictObject({ why: whyOpened }),
      example: { why: 'a customer says that it was empty' },
      problems: [404, 409, 502],
      handle: async ({ params: { lockerUid }, body, caller, request }) => {
        const acting = actingAs(parts, { caller, request, why: body.why });
        // Before it opens: no door opens without the reason in the log.
        request.log.info({ by: caller.by, lockerUid, why: body.why }, 'a locker is opened to look inside');
        await acting.service.call('OpenLocker', { lockerUid, reason: body.why }).catch(thatDidNotOpenToLook);
        const locker = await formatLocker(acting.service, lockerUid);
        return { done: t`${locker} was opened to look inside, by ${formatAttribution(acting)}` };
      },
    }),
  ];
}

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
      const acting = actingAs(parts, { caller, request, why: reason });
      const settled = orThrow(await settleItem.do(acting, shipmentUid, { became }));
      request.log.info({ by: caller.by, shipmentUid, became }, 'an item that was out was settled over HTTP');
      return { done: t`${settleItem.formatResult(settled)}, said by ${formatAttribution(acting)}` };
    },
  });

function parkedRoutes(parts: ConsoleParts): ApiRoute[] {
  return [
    apiRoute({
      ...acts,
      name: 'claimParked',
      path: '/v1/parked/{id}/claim',
      params: ofParked,
      summary: 'Gives the reports of an unmatched callback to a process',
      body: z.strictObject({ to: processKey, why }),
      example: { to: 'order-1042', why: 'its booking was made by hand' },
      problems: [404, 409],
      handle: async ({ params: { id }, body, caller, request }) => {
        const acting = actingAs(parts, { caller, request, why: body.why });
        orThrow(await claimParked.do(acting, id, { to: body.to }));
        request.log.info({ by: caller.by, id, to: body.to }, 'an unmatched callback was claimed over HTTP');
        return { done: t`${id}: claimed by ${formatAttribution(acting)}` };
      },
    }),
    apiRoute({
      ...acts,
      name: 'dropParked',
      path: '/v1/parked/{id}/drop',
      params: ofParked,
      summary: 'Closes an unmatched callback: no process gets its reports',
      body: z.strictObject({ why }),
      example: { why: 'another system has booked it' },
      problems: [404, 409],
      handle: async ({ params: { id }, body, caller, request }) => {
        const acting = actingAs(parts, { caller, request, why: body.why });
        orThrow(await drop.do(acting, id, {}));
        request.log.info({ by: caller.by, id }, 'an unmatched callback was dropped over HTTP');
        return { done: t`${id}: dropped by ${formatAttribution(acting)}` };
      },
    }),
  ];
}
