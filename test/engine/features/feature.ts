// A feature of xstate in a machine that uses it, and what happens to that machine: the engine must do as xstate does.
import type { AnyStateMachine } from 'xstate';

/** An event, its type, or milliseconds that pass. */
export type Happening = { readonly type: string; readonly [field: string]: unknown } | string | number;

/** By the feature's name in docs/statecharts.md. */
export type Features = Readonly<Record<string, readonly [AnyStateMachine, ...Happening[]]>>;
