// State codes as a staging tenant has renamed them (assumptions: A bare vendor), on their way out and back in.
import { type StateCode, stateCodes } from '../../contract/index.ts';
import type { Switches } from './switches.ts';

export const asRenamed = ({ renamedStates }: Switches, stateCode: StateCode): string =>
  renamedStates[stateCode] ?? stateCode;

/** Our codes for those that a caller named; a name that is nobody's is left out. */
export const formerNames = (switches: Switches, names: readonly string[]): StateCode[] =>
  stateCodes.filter((stateCode) => names.includes(asRenamed(switches, stateCode)));
