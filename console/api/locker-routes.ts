// What people do at lockers: say that one is empty or out of order, look into one, have one opened for its shipment, or say that it was
// opened by hand. The service keeps who and why.
import { z } from 'zod';
import { formatAttribution } from '../../contract/flows/attribution.ts';
import { takeLockerOutOfOrder } from '../../processes/commands/out-of-order.ts';
import { formatLocker } from '../../processes/inbox/locker-name.ts';
import { reportEmptied } from '../../processes/inbox/report-emptied.ts';
import { key as uidPart, why } from '../../processes/views/process-fields.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { thatCannotBeReported, thatDidNotOpen, thatDidNotOpenToLook } from '../door-refusal.ts';
import { commandContextOf } from './command-context.ts';
import { acts } from './inbox-act.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const ofLocker = z.object({ lockerUid: uidPart.meta({ description: 'lockerUid', examples: ['l-7'] }) });
export const ofShipment = z.object({
  shipmentUid: uidPart.meta({ description: 'shipmentUid', examples: ['s-1'] }),
});
/** As long as the service takes. */
const whyOpened = why.max(500).meta({ description: 'Why; the service keeps it with who and when' });
const goals = ['DropOff', 'PickUp'] as const;

export const lockerRoutes = (parts: ConsoleParts): ApiRoute[] => [...ofLockers(parts), ...ofShipments(parts)];

function ofLockers(parts: ConsoleParts): ApiRoute[] {
  return [
    apiRoute({
      ...acts,
      name: 'reportEmptied',
      path: '/v1/items-left/{lockerUid}/emptied',
      params: ofLocker,
      summary: 'Says that a locker is empty: the item that was left in it is taken out',
      body: z.strictObject({}),
      problems: [409, 502],
      handle: async ({ params: { lockerUid }, caller, request }) => {
        const commandContext = commandContextOf(parts, { caller, request });
        const wasToBeEmptied = await reportEmptied(commandContext, lockerUid);
        request.log.info({ by: caller.by, lockerUid }, 'somebody said that a locker is empty');
        const locker = await formatLocker(commandContext.service, lockerUid);
        const how = wasToBeEmptied
          ? t`is empty, said by ${formatAttribution(commandContext)}`
          : t`was empty already`;
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
        const commandContext = commandContextOf(parts, { caller, request });
        await commandContext.service.call('SetLockerOutOfOrder', { lockerUid, outOfOrder });
        request.log.info(
          { by: caller.by, lockerUid, outOfOrder },
          'a locker was taken out of order, or put in',
        );
        const how = outOfOrder ? t`out of order` : t`in order again`;
        const locker = await formatLocker(commandContext.service, lockerUid);
        return { done: t`${locker} is ${how}, said by ${formatAttribution(commandContext)}` };
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
        const commandContext = commandContextOf(parts, { caller, request, why: body.why });
        // Before it opens: no door opens without the reason in the log.
        request.log.info({ by: caller.by, lockerUid, why: body.why }, 'a locker is opened to look inside');
        await commandContext.service
          .call('OpenLocker', { lockerUid, reason: body.why })
          .catch(thatDidNotOpenToLook);
        const locker = await formatLocker(commandContext.service, lockerUid);
        return { done: t`${locker} was opened to look inside, by ${formatAttribution(commandContext)}` };
      },
    }),
  ];
}

function ofShipments(parts: ConsoleParts): ApiRoute[] {
  return [
    apiRoute({
      ...acts,
      name: 'openForShipment',
      path: '/v1/shipments/{shipmentUid}/open',
      params: ofShipment,
      summary: 'Opens the locker of a shipment without a code',
      body: z.strictObject({
        goal: z.enum(goals).nullable().meta({
          description:
            'The access that the opening counts as; null: none, and nothing becomes of the shipment',
        }),
        why: whyOpened,
      }),
      example: { goal: 'PickUp', why: 'her code is lost' },
      problems: [404, 409, 502],
      handle: async ({ params: { shipmentUid }, body: { goal, why: reason }, caller, request }) => {
        const commandContext = commandContextOf(parts, { caller, request });
        // Before it opens: no door opens without the reason in the log.
        request.log.info(
          { by: caller.by, shipmentUid, goal, why: reason },
          'a locker is opened without a code',
        );
        await commandContext.service
          .call('UnlockShipmentLocker', { shipmentUid, unlockGoal: goal }, { why: reason })
          .catch(thatDidNotOpen);
        return { done: opened()[goal ?? 'none'] };
      },
    }),
    apiRoute({
      ...acts,
      name: 'reportAccess',
      path: '/v1/shipments/{shipmentUid}/access-by-hand',
      params: ofShipment,
      summary: 'Says that the locker of a shipment was opened by hand, and its item put in or taken out',
      description:
        'For a door that does not open: somebody has a key. The shipment goes on as after that access; no door is asked to open.',
      body: z.strictObject({
        goal: z.enum(goals).meta({ description: 'What became of the item' }),
        why: whyOpened,
        outOfOrder: z
          .boolean()
          .optional()
          .meta({ description: 'true: and takes the locker out of order, before anybody else gets it' }),
      }),
      example: { goal: 'PickUp', why: 'the door is stuck; opened with the key' },
      problems: [404, 409, 502],
      handle: async ({ params: { shipmentUid }, body, caller, request }) => {
        const { goal, why: reason, outOfOrder } = body;
        const commandContext = commandContextOf(parts, { caller, request, why: reason });
        if (outOfOrder) await takeLockerOutOfOrder(commandContext.service, shipmentUid, reason);
        await commandContext.service
          .call('ReportShipmentAccess', { shipmentUid, accessGoal: goal, reason })
          .catch(thatCannotBeReported);
        request.log.info(
          { by: caller.by, shipmentUid, goal, why: reason, outOfOrder },
          'somebody said that a locker was opened by hand',
        );
        return {
          done:
            goal === 'PickUp'
              ? t`Handed out by hand, said by ${formatAttribution(commandContext)}`
              : t`Put in by hand, said by ${formatAttribution(commandContext)}`,
        };
      },
    }),
  ];
}

const opened = (): Readonly<Record<(typeof goals)[number] | 'none', string>> => ({
  DropOff: t`The door is open: put the item in, and shut it.`,
  PickUp: t`The door is open: take the item out, and shut it.`,
  none: t`The door is open.`,
});
