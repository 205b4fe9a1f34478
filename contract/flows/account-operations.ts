// Two operations that flow files have of lockerflow itself, beside those of the interface. What they answer of an account are names of
// fields: the values that it has are in no history.
import { z } from 'zod';
import { operations } from '../operations/operations.ts';
import { mutationFlagNames } from '../wire/fields.ts';
import { parseInput, requireShortInput } from './flow-input-check.ts';
import { accountDetailNames, detailIssues, groupsOf, onboardInputSchema } from './onboard-input.ts';

/** What SetAccount can set, of a request as CreateAccount takes it. */
const accountFieldNames = ['pickUpPointUid', ...accountDetailNames, ...mutationFlagNames] as const;

const { request, applyDetails } = onboardInputSchema.shape;
const details = z.array(z.enum(accountDetailNames));
const fields = z.array(z.enum(accountFieldNames));

const setAccountSchema = z.strictObject({
  userUid: operations.SetAccountPickUpPoint.request.shape.userUid.meta({ description: 'The account' }),
  request: request.partial().meta({ description: 'Fields of an account, as FindAccount takes them' }),
  fields: fields.meta({
    description:
      'Those of them that are set. With one of the name or the address, all of it must be there, and is set',
  }),
});

/** What a file gives them, and what it gets. */
export const accountOperationSchemas = {
  FindAccount: {
    input: z.strictObject({
      request: request.meta({ description: 'The account, as CreateAccount takes it' }),
      applyDetails: applyDetails.meta({
        description: 'True: `toSet` has the details that differ or are not shown, too',
      }),
    }),
    result: z.object({
      userUid: z.string().meta({ description: 'The account' }),
      isExisting: z.boolean().nullable().meta({ description: 'null: the service does not say' }),
      canManageUser: z
        .boolean()
        .nullable()
        .meta({ description: 'false: another tenant manages it; null: the service does not say' }),
      differingDetails: details.meta({
        description: 'The fields of the request that an existing account does not have',
      }),
      unknownDetails: details.meta({ description: 'Those that the service does not show' }),
      toSet: z.object({ pickUpPoint: fields, details: fields, mutationConfig: fields }).meta({
        description: 'What the account lacks, and you may set: details only if `applyDetails` is true',
      }),
    }),
  },
  SetAccount: { input: setAccountSchema, result: z.object({}) },
} as const;

export type AccountOperation = keyof typeof accountOperationSchemas;

export const isAccountOperation = (name: string): name is AccountOperation =>
  Object.hasOwn(accountOperationSchemas, name);

/** The answer of FindAccount. `toSet` has names for SetAccount. */
export type FindAccountAnswer = z.infer<(typeof accountOperationSchemas)['FindAccount']['result']>;

/** What SetAccount is to set, all of which has a value. Throws ContractError (InvalidRequest). */
export function checkSetAccount(input: unknown): AccountChange {
  requireShortInput(input);
  const given = setAccountSchema.safeParse(input).data;
  return changeIn(parseInput(setAccountSchema, input, given ? issuesOf(changeIn(given)) : []));
}

type AccountChange = ReturnType<typeof changeIn>;

function changeIn({ userUid, request, fields }: z.infer<typeof setAccountSchema>) {
  const among = <Name extends string>(names: readonly Name[]) =>
    names.filter((name) => (fields as readonly string[]).includes(name));
  return {
    userUid,
    request,
    setsPickUpPoint: fields.includes('pickUpPointUid'),
    details: among(accountDetailNames),
    flags: among(mutationFlagNames),
  };
}

function issuesOf({ request, setsPickUpPoint, details, flags }: AccountChange) {
  const { pickUpPointUid, mutationConfig } = request;
  const absent = [
    ...(setsPickUpPoint && pickUpPointUid == null ? ['pickUpPointUid'] : []),
    ...details.filter((name) => request[name] == null),
    ...flags.filter((name) => mutationConfig?.[name] == null).map((name) => `mutationConfig.${name}`),
  ].map((name) => ({ field: `request.${name}`, message: 'is required, because fields names it' }));
  const known = new Set(absent.map(({ field }) => field));
  const ofGroups = detailIssues(request, groupsOf(details), 'because fields names a part of its group');
  return [...absent, ...ofGroups.filter(({ field }) => !known.has(field))];
}
