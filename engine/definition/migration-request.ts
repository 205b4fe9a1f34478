// A migration: what is asked for, and what the process keeps of it.
import type { Plan } from '../migration-plan.ts';

/** Asks a running process to go over to another definition. */
export interface MigrationRequest {
  /** The rules of what a migration does. Fixed, so that an old history replays by the rules of its time. */
  readonly semantics: 1;
  /** The new definition, as the old one's `migrates` reads it. */
  readonly to: unknown;
  readonly plan?: Plan;
  readonly by: string;
  readonly why: string;
  /** Obstacles that the process leaves behind by itself are no refusal. */
  readonly wait?: boolean;
  /** The former definition again: exactly as it was, as long as nothing has been taken since. */
  readonly back?: boolean;
}

/** A migration that a process has been through. */
export interface Migrated {
  /** The update's id. */
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly by: string;
  readonly why: string;
  /** ISO 8601. */
  readonly at: string;
  readonly notes?: readonly string[];
  readonly back?: boolean;
}
