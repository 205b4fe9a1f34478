// A feature of xstate in a machine that uses it, and what happens to that machine: the driver must do as xstate does.
import type { AnyStateMachine } from 'xstate';

/** An event, its type, or milliseconds that pass. */
export type Happening = { readonly type: string; readonly [field: string]: unknown } | string | number;

/** By the feature's name in docs/driver.md. */
export type Features = Readonly<Record<string, readonly [AnyStateMachine, ...Happening[]]>>;
