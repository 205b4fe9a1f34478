// The progress of a built-in flow of which nothing is known, but for what a test gives.
import type { Progress } from '../../contract/flows/flow-answers.ts';

export const newProgress = (given: Partial<Progress> = {}): Progress => ({
  flow: 'Issue',
  version: 1,
  phase: 'Open',
  outcome: null,
  activity: 'Following',
  waitingFor: [],
  shipments: {},
  unassigned: [],
  deadlines: [],
  itemsLeft: [],
  reportHistory: [],
  resolutions: [],
  ...given,
});
