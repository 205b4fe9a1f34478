// The statechart of OnboardAccount, as JSON: find or create the account, then set the differing fields, if the caller
// may. vocabulary.ts says what its names mean.
import type { ChartData, StateData } from '../chart-data.ts';

/** More microsteps than any event can need; an endless loop is a defect that must be seen at once. */
const MAXIMUM_MICROSTEPS = 50;

export const onboardingChart: ChartData = {
  id: 'OnboardAccount',
  context: { function: 'nothingKnown' },
  output: { function: 'ending' },
  options: { maxIterations: MAXIMUM_MICROSTEPS },
  initial: 'finding',
  on: { cancelRequested: { actions: 'noteCancellation' } },
  states: {
    finding: step('findAccount', 'accountSought', { target: 'found', actions: 'noteAccount' }),
    found: next('hasOtherPickUpPoint', 'settingPickUpPoint', 'placed'),
    settingPickUpPoint: step('setPickUpPoint', 'pickUpPointToSet', { target: 'placed' }),
    placed: next('hasDetailsToSet', 'settingDetails', 'detailed'),
    settingDetails: step('setDetails', 'detailsToSet', { target: 'detailed', actions: 'noteDetailsSet' }),
    detailed: next('hasOtherFlags', 'settingMutationConfig', 'ended'),
    settingMutationConfig: step('setMutationConfig', 'flagsToSet', { target: 'ended' }),
    ended: { type: 'final', entry: 'notifyEnd' },
  },
};

/** A refusal after a cancellation ends the flow as cancelled; any other ends it with the code of the service. */
function step(
  src: string,
  input: string,
  onDone: { readonly target: string; readonly actions?: string },
): StateData {
  return {
    invoke: {
      src,
      input: { function: input },
      onDone,
      onError: [
        { guard: 'isCancelled', target: 'ended' },
        { target: 'ended', actions: 'noteFailure' },
      ],
    },
  };
}

function next(guard: string, target: string, otherwise: string): StateData {
  return { always: [{ guard: 'isCancelled', target: 'ended' }, { guard, target }, { target: otherwise }] };
}
