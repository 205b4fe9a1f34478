// What is searched for by what open processes say of themselves: Temporal does not know it.
import type { RowState, Step } from './row-state.ts';

export interface Standing {
  /** Only those whose item is with a person. */
  readonly withThem?: boolean | undefined;
  /** Only those for which this is next. */
  readonly step?: Step | undefined;
}

export const isAsked = ({ withThem = false, step }: Standing): boolean => withThem || step !== undefined;

export const standsSo = (
  { where, next }: Pick<RowState, 'where' | 'next'>,
  { withThem = false, step }: Standing,
): boolean => (!withThem || where?.isWithPerson === true) && (step === undefined || next?.step === step);
