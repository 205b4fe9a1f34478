// A file that takes what OnboardAccount takes (`src: FindAccount` with `isWhole`): what its processes say beside what every process of a
// flow file says.
import type { AnyMachineSnapshot } from 'xstate';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { OnboardProgress } from '../../contract/flows/onboard-answers.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import { code } from '../../shared/markdown/shown-as-text.ts';
import { endNotifications } from '../booking/notification-request.ts';
import type { FlowFile, Json } from '../language/flow-file.ts';
import type { FlowContext, FlowStart } from '../language/machine/machine-runtime.ts';
import { isOnboarding } from '../language/whole-process.ts';

type Known = Pick<OnboardProgress, 'step' | 'account'>;

export function withOnboarding(given: Definition, file: FlowFile): Definition {
  if (!isOnboarding(file)) return given;
  const { views, outgoing } = given;
  return {
    ...given,
    input: (start) => ({ ...(given.input?.(start) as FlowStart), start: start.input as Json }),
    views: {
      ...views,
      progress: (snapshot, ...more) => ({
        ...(views.progress(snapshot, ...more) as ProcessProgress),
        ...({ step: topState(snapshot), account: accountIn(snapshot) } satisfies Known),
      }),
      details: (snapshot, pending) => {
        const { userUid } = accountIn(snapshot) ?? {};
        return `${views.details(snapshot, pending)}${userUid ? `\n- account ${code(userUid)}` : ''}`;
      },
    },
    outgoing: {
      ...outgoing,
      atEnd: endNotifications,
    },
  };
}

/** What such a process says before it begins. */
export const onboardingAtStart = (file: FlowFile): Known | undefined =>
  isOnboarding(file) ? { step: file.initial ?? '', account: null } : undefined;

const topState = ({ value }: AnyMachineSnapshot): string =>
  typeof value === 'string' ? value : Object.keys(value).join(', ');

/** By the name under which OnboardAccount keeps what FindAccount answers. */
function accountIn({ context }: AnyMachineSnapshot): Known['account'] {
  const { account } = (context as FlowContext).context as { readonly account?: Partial<Known['account']> };
  return typeof account?.userUid === 'string' ? { userUid: account.userUid } : null;
}
