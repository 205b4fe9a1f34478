// Checks the whole input of OnboardAccount. One error names every invalid field. The client checks before it starts the
// flow; the first activity checks again, because other SDKs start flows too.
import { z } from 'zod';
import { operations, type Request } from '../operations/operations.ts';
import { ContractError } from '../wire/errors.ts';
import { inPlainWords } from '../wire/format-issue.ts';
import { type FlowClock, flowClocks, type Tell } from './flow-input.ts';
import { fieldIssues, notificationSchema, requireShortInput, unknownFields } from './flow-input-check.ts';

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
export const accountDetailGroups: readonly (readonly AccountDetail[])[] = [
  ['firstName', 'lastName'],
  ['phoneNumber'],
  ['languageCode'],
  addressNames,
];

export interface OnboardInput {
  readonly request: Request<'CreateAccount'>;
  /** True: the flow changes the details of an existing account that differ from the request (SetAccountDetails). */
  readonly applyDetails?: boolean | null;
  /** What the outside is told; nothing if not given. It has no deadlines, and never needs a person. */
  readonly tell?: Tell | null;
  /** What the flow's time is; the real time if not given. */
  readonly clock?: FlowClock | null;
}

/** Without the rules of the account. */
export const onboardInputShape = z.strictObject({
  request: z.record(z.string(), z.unknown()),
  applyDetails: z.boolean().nullish(),
  tell: notificationSchema(['ended']).nullish(),
  clock: z.enum(flowClocks).nullish(),
});

/** Throws ContractError (InvalidRequest). */
export function checkOnboardInput(input: unknown): OnboardInput {
  requireShortInput(input);
  const outer = onboardInputShape.safeParse(input, inPlainWords);
  // Every part is checked even where another is wrong, so that one error names all faults.
  const {
    request: given,
    applyDetails,
    tell,
    clock,
  } = z.object(onboardInputShape.partial().shape).safeParse(input).data ?? {};
  const { request: schema } = operations.CreateAccount;
  const { data, error } = schema.safeParse(given, inPlainWords);
  const issues = [
    ...unknownFields(onboardInputShape, input, []),
    ...(outer.error ? fieldIssues([], outer.error) : []),
    ...unknownFields(schema, given, ['request']),
    ...(given && error ? fieldIssues(['request'], error) : []),
    ...(given && applyDetails ? groupIssues(given) : []),
  ];
  if (issues.length > 0 || !data) throw new ContractError('InvalidRequest', issues);
  return {
    request: data,
    ...(applyDetails == null ? {} : { applyDetails }),
    ...(tell == null ? {} : { tell: tell as Tell }),
    ...(clock == null ? {} : { clock }),
  };
}

/** The check refuses what SetAccountDetails would refuse, before the flow creates an account. */
function groupIssues(request: Readonly<Record<string, unknown>>) {
  const details = Object.fromEntries(addressNames.map((name) => [name, request[name]]));
  const { error } = operations.SetAccountDetails.request.safeParse(
    { userUid: 'a uid', ...details },
    inPlainWords,
  );
  return fieldIssues(['request'], error ?? new z.ZodError([])).map(({ field, message }) => ({
    field,
    message: `${message}, because applyDetails is true`,
  }));
}
