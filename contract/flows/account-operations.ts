// Two operations that flow files have of lockerflow itself, beside those of the interface. What they answer of an account are names of
// fields: the values that it has are in no history.
import { z } from 'zod';
import { operations, type Request } from '../operations/operations.ts';
import { mutationFlagNames } from '../wire/fields.ts';
import { parseInput } from './flow-input-check.ts';
import { accountDetailNames, onboardInputSchema } from './onboard-input.ts';

/** What SetAccount sets, of a request as CreateAccount takes it. */
export const accountFieldNames = ['pickUpPointUid', ...accountDetailNames, ...mutationFlagNames] as const;
export type AccountField = (typeof accountFieldNames)[number];

const { request, applyDetails } = onboardInputSchema.shape;
const details = z.array(z.enum(accountDetailNames));
const fields = z.array(z.enum(accountFieldNames));

const setAccountSchema = z.strictObject({
  userUid: operations.SetAccountPickUpPoint.request.shape.userUid,
  request: request.meta({ description: 'As FindAccount takes it' }),
  fields: fields.meta({ description: 'The fields of the request that are set' }),
});

/** What a file gives them, and what it gets. */
export const accountOperations = {
  FindAccount: {
    input: z.strictObject({
      request: request.optional(),
      applyDetails,
      isWhole: z.boolean().optional().meta({
        description:
          'True: it takes what the process was started with, as OnboardAccount does, in place of the other fields',
      }),
    }),
    result: z.object({
      userUid: z.string(),
      isExisting: z.boolean().nullable(),
      canManageUser: z.boolean().nullable(),
      differingDetails: details.meta({
        description: "The request's details that an existing account does not have",
      }),
      unknownDetails: details.meta({ description: 'Those that the service does not show' }),
      toSet: z.object({ pickUpPoint: fields, details: fields, mutationConfig: fields }).meta({
        description: 'What the account lacks and the caller may set: details only if `applyDetails` is true',
      }),
    }),
  },
  SetAccount: { input: setAccountSchema, result: z.object({}) },
} as const;

export type AccountOperation = keyof typeof accountOperations;

export const isAccountOperation = (name: string): name is AccountOperation =>
  Object.hasOwn(accountOperations, name);

/** The answer of FindAccount. `toSet` has names for SetAccount. */
export type FindAccountAnswer = z.infer<(typeof accountOperations)['FindAccount']['result']>;

export interface SetAccountInput {
  readonly userUid: string;
  readonly request: Request<'CreateAccount'>;
  readonly fields: readonly AccountField[];
}

/** Throws ContractError (InvalidRequest). */
export const checkSetAccount = (input: unknown): SetAccountInput =>
  parseInput(setAccountSchema, input) as SetAccountInput;
