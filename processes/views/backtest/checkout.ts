// The versions of the built-in flows in this checkout. They are loaded only when they are asked for: a service that starts flows
// has installed the package without what workflows need.
import { Refusal } from '../../outcome.ts';

export interface Checkout {
  readonly definitionsOf: typeof import('../../../workflows/comparing/played-flow.ts').definitionsOf;
  readonly backtestFlow: typeof import('../../../workflows/comparing/played-flow.ts').backtestFlow;
  readonly declarationsOf: typeof import('../../../workflows/comparing/declaration-diff.ts').declarationsOf;
  readonly declarationDiff: typeof import('../../../workflows/comparing/declaration-diff.ts').declarationDiff;
}

/** Throws Refusal. */
export async function checkout(): Promise<Checkout> {
  try {
    const played = await import('../../../workflows/comparing/played-flow.ts');
    return { ...played, ...(await import('../../../workflows/comparing/declaration-diff.ts')) };
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw needsWorkerPackages('a built-in flow', cause);
  }
}

export const needsWorkerPackages = (what: string, cause: unknown): Refusal =>
  new Refusal(
    'misconfigured',
    'NoWorkerLibrary',
    `${what} needs the packages of a worker: npm install @temporalio/worker @temporalio/workflow @temporalio/activity`,
    { cause },
  );
