// What OnboardAccount answers: its result, and its part of the answer to the query `progress`.
import { z } from 'zod';
import { processProgressSchema } from './flow-answers.ts';
import { accountDetailNames } from './onboard-input.ts';
import type { Of } from './schema-types.ts';

const details = z.array(z.enum(accountDetailNames));

export const onboardResultSchema = z.object({
  outcome: z.literal('Done'),
  userUid: z.string(),
  isExisting: z
    .boolean()
    .nullable()
    .meta({ description: 'null: the service answered MutationConfigFailed, which does not say' }),
  canManageUser: z.boolean().nullable().meta({
    description: 'false: another tenant manages the account, so the flow compared and changed nothing',
  }),
  differingDetails: details.meta({
    description: 'Fields of the request that the account still does not have',
  }),
  unknownDetails: details.meta({ description: 'Fields of the request that the service does not show' }),
});

export const onboardProgressSchema = z.object({
  ...processProgressSchema.shape,
  flow: z.string().meta({ const: 'OnboardAccount' }),
  step: z.string().meta({ description: 'Where it stands in its chart, like `finding` or `settingDetails`' }),
  account: z
    .object({ userUid: z.string() })
    .nullable()
    .meta({ description: 'What is known of the account; null until it is found or created' }),
});

/** The result of OnboardAccount. */
export type OnboardResult = Of<typeof onboardResultSchema>;
export type OnboardProgress = Of<typeof onboardProgressSchema>;
