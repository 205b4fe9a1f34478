// A message about a shipment that no case follows.
import { z } from 'zod';
import { sentText } from '../../processes/commands/read-values.ts';
import { messageAboutShipment } from '../../processes/commands/shipment-message.ts';
import { orThrow } from '../../processes/outcome.ts';
import { shipmentMessage } from '../../processes/outreach/shipment-messages.ts';
import { why } from '../../processes/views/process-fields.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { commandContextOf, type IdempotentAnswers } from './command-context.ts';
import { flag } from './fields.ts';
import { ofShipment } from './locker-routes.ts';
import { type ApiRoute, apiRoute } from './route.ts';

export const shipmentRoutes = (parts: ConsoleParts, answers: IdempotentAnswers): ApiRoute[] => [
  apiRoute({
    name: 'messageAboutShipment',
    method: 'POST',
    path: '/v1/shipments/{shipmentUid}/message',
    right: 'decide',
    tag: 'Inbox',
    summary: 'Sends a message to the person whom a shipment is for that no case follows',
    description:
      'To the receiver, or to the sender while the item is to be brought. Refused as `HasCase` where a process follows the shipment: take its command `message`. Refused as `AlreadySent` while an earlier message about it is on its way, as `CodeInMessage` for a text with an access code, and as `NoConnector` where MESSAGE_CONNECTOR is not set.',
    params: ofShipment,
    query: z.strictObject({ dryRun: flag('false', 'true: only say what would be sent') }),
    body: z.strictObject({
      text: sentText.optional().meta({
        description: 'What the person is to read; left out: what is proposed',
      }),
      why: why.optional(),
    }),
    example: { text: 'The lockers at Central cannot be opened at the moment. Please do not come yet.' },
    headers: ['IdempotencyKey', 'OnBehalfOf'],
    answers: {
      200: {
        description: 'It is on its way, or for a dry run what would be sent',
        schema: z.object({
          isDone: z.boolean(),
          to: z.object({ userUid: z.string(), name: z.string().nullable() }),
          text: z.string().nullable().meta({ description: 'Null: nothing is proposed' }),
          sent: shipmentMessage.nullable().meta({
            description: 'The last message about the shipment, whoever has sent it; null: this is the first',
          }),
          words: z.string(),
        }),
      },
    },
    problems: [404, 409, 422],
    handle: async ({ params: { shipmentUid }, query: { dryRun }, body, caller, request }) => {
      const { why: reason, ...values } = body;
      const by = { caller, request, why: reason };
      const input = orThrow(messageAboutShipment.read(values));
      if (dryRun) {
        const previewed = orThrow(
          await messageAboutShipment.preview(commandContextOf(parts, by), shipmentUid, input),
        );
        return { isDone: false, ...previewed, words: messageAboutShipment.formatPreview(previewed) };
      }
      return await answers.once(by, ['message', shipmentUid, body], async (id) => {
        const given = { ...input, ...(id && { request: id }) };
        const outcome = await messageAboutShipment.do(commandContextOf(parts, by), shipmentUid, given);
        const begun = orThrow(outcome);
        const { to, text, sent } = begun;
        request.log.info({ by: caller.by, shipmentUid }, 'a message about a shipment was sent over HTTP');
        return { isDone: true, to, text, sent, words: messageAboutShipment.formatResult(begun) };
      });
    },
  }),
];
