// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of flow files.
// A file whose process is as a whole what a built-in flow is: it takes what that is started with, and gives what that gives.
import type { AccountOperation } from '../../contract/flows/account-operations.ts';
import { type InvokeData, invokesIn, isMap, type StateData } from './flow-file.ts';

/** By which it books, if its booking is the whole process. */
export function operationOfWhole(file: StateData): string | undefined {
  const inputs = invokesIn(file).flatMap(({ invoke: { src, input } }) =>
    src === 'book' && isMap(input) ? [input] : [],
  );
  const operation = inputs.find(({ isWhole }) => isWhole === true)?.operation;
  return typeof operation === 'string' ? operation : undefined;
}

export const FIND_ACCOUNT = 'FindAccount' satisfies AccountOperation;

/** Whether it takes the start of its process in place of an input. */
export const isWholeOnboarding = ({ src, input }: Pick<InvokeData, 'src' | 'input'>): boolean =>
  src === FIND_ACCOUNT && isMap(input) && input.isWhole === true;

/** Whether it takes what OnboardAccount takes. */
export const isOnboarding = (file: StateData): boolean =>
  invokesIn(file).some(({ invoke }) => isWholeOnboarding(invoke));

/** The output of a built-in flow: that of its last state. */
export const outputOfLastState = '${event.?output.orValue(null)}';
/** The output of the last state of one that books: the result of its booking. */
export const outputOfBooking = '${event.output}';

/** The output of the last state of OnboardAccount, which keeps what FindAccount answers as `account`. */
export const outputOfOnboarding = {
  outcome: 'Done',
  userUid: '${context.account.userUid}',
  isExisting: '${context.account.isExisting}',
  canManageUser: '${context.account.canManageUser}',
  differingDetails: '${context.areDetailsSet ? [] : context.account.differingDetails}',
  unknownDetails: '${context.areDetailsSet ? [] : context.account.unknownDetails}',
} as const;

/** What the argument of a start may have. What is a whole process takes what its built-in flow takes. */
export const startFieldsOf = (file: StateData): readonly string[] => [
  'request',
  ...(operationOfWhole(file) === undefined ? [] : ['deadlines', 'onOverdue', 'waitForLocker', 'tell']),
  ...(isOnboarding(file) ? ['applyDetails', 'tell'] : []),
  'clock',
];
