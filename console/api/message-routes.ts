// Whom something was told lately about which processes.
import { z } from 'zod';
import { toldCase, toldCases } from '../../processes/outreach/sent-messages.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type ApiRoute, apiRoute } from './route.ts';

/** Every page with a button for a message asks for the same. */
const SHARED_MS = 2_000;

export const messagesRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    name: 'getMessages',
    method: 'GET',
    path: '/v1/messages',
    right: 'read',
    tag: 'Inbox',
    summary: 'Lists whom messages were sent to within a day, and about which processes',
    description:
      'Of each process and person the last message, the newest first; what the other side has refused is left out.',
    answers: { 200: { description: 'The messages', schema: z.object({ told: z.array(toldCase) }) } },
    handle: async ({ caller, request }) => {
      const told = await parts.shared.of(request.url, SHARED_MS, () => toldCases(parts));
      return { told: caller.may('decide') ? told : told.map((each) => ({ ...each, to: null })) };
    },
  });
