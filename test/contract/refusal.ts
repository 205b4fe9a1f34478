// What the contract refuses an action with; anything else that it throws goes through.
import { ContractError } from '../../contract/index.ts';

export function refusal(action: () => unknown): ContractError {
  try {
    action();
  } catch (error) {
    if (error instanceof ContractError) return error;
    throw error;
  }
  throw new Error('expected a ContractError, but nothing was refused');
}
