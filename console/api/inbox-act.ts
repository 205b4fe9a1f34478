// What the routes have in common by which a person settles something that is no process.
import { z } from 'zod';

export const acts = {
  method: 'POST',
  right: 'decide',
  tag: 'Inbox',
  headers: ['OnBehalfOf'],
  answers: {
    200: {
      description: 'It is done',
      schema: z.object({ done: z.string().meta({ description: 'In words, for people' }) }),
    },
  },
} as const;
