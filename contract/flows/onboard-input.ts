// Checks the whole input of OnboardAccount. One error names every invalid field. The client checks before it starts the
// flow; the first activity checks again, because other SDKs start flows too.
import { z } from 'zod';
import { operations, type Request } from '../operations/operations.ts';
import { plainMessages } from '../wire/format-issue.ts';
import type { FlowClock, Tell } from './flow-input.ts';
import {
  clock,
  fieldIssues,
  parseInput,
  requireShortInput,
  tellDescription,
  tellSchema,
} from './flow-input-check.ts';

const addressNames = ['streetName', 'streetNo', 'mailbox', 'city', 'countryCode'] as const;

/** The details of an existing account. The e-mail address is not among them: the flow finds the account by it. */
export const accountDetailNames = [
  'firstName',
  'lastName',
  'phoneNumber',
  'languageCode',
  ...addressNames,
] as const;
export type AccountDetail = (typeof accountDetailNames)[number];

/** interface: SetAccountDetails: where one field of a group is set, all of its group must be. */
const accountDetailGroups: readonly (readonly AccountDetail[])[] = [
  ['firstName', 'lastName'],
  ['phoneNumber'],
  ['languageCode'],
  addressNames,
];

/** These details, with all that must be set together with one of them. */
export const groupsOf = (details: readonly AccountDetail[]): AccountDetail[] =>
  accountDetailGroups.filter((group) => group.some((name) => details.includes(name))).flat();

export interface OnboardInput {
  readonly request: Request<'CreateAccount'>;
  /** True: the flow changes the details of an existing account that differ from the request (SetAccountDetails). */
  readonly applyDetails?: boolean | null;
  /** What the outside is told; nothing if not given. It has no deadlines, and asks nobody. */
  readonly tell?: Tell | null;
  /** What the flow's time is; the real time if not given. */
  readonly clock?: FlowClock | null;
}

export const onboardInputSchema = z.strictObject({
  request: operations.CreateAccount.request,
  applyDetails: z
    .boolean()
    .nullish()
    .meta({ description: 'True: change the details of an existing account that differ from the request' }),
  tell: tellSchema(['ended']).nullish().meta(tellDescription),
  clock,
});

/** Throws ContractError (InvalidRequest). */
export function checkOnboardInput(input: unknown): OnboardInput {
  requireShortInput(input);
  const details = applied.safeParse(input).data;
  // Before the flow creates an account.
  const issues = details ? detailIssues(details.request, addressNames, 'because applyDetails is true') : [];
  return parseInput(onboardInputSchema, input, issues) as OnboardInput;
}

const applied = z.object({ applyDetails: z.literal(true), request: z.record(z.string(), z.unknown()) });

/** What SetAccountDetails would refuse of these details. */
export function detailIssues(
  request: Readonly<Record<string, unknown>>,
  names: readonly AccountDetail[],
  why: string,
) {
  const { error } = operations.SetAccountDetails.request.safeParse(
    { userUid: 'a uid', ...Object.fromEntries(names.map((name) => [name, request[name]])) },
    plainMessages,
  );
  return fieldIssues(error ?? new z.ZodError([])).map(({ field, message }) => ({
    field: `request.${field}`,
    message: `${message}, ${why}`,
  }));
}
