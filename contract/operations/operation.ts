// What a row of the operations table says. Generic code branches on these fields, never on an operation's name.
import type { z } from 'zod';
import type { ErrorCode } from '../wire/errors.ts';

export interface Operation<
  Request extends z.ZodObject = z.ZodObject,
  Response extends z.ZodObject = z.ZodObject,
> {
  readonly path: `/v1/${string}`;
  readonly meaning: string;
  /** The section of the published interface, or of the decisions, that this row writes down. */
  readonly source: string;
  /** none: it only reads. repeatable: done twice is as done once. once: done twice has two effects. */
  readonly effect: 'none' | 'repeatable' | 'once';
  /** It only reads, but what it tells opens a locker: who has read it stands in the audit log. */
  readonly audited?: true;
  /** Its answer may have a key that was newly made: whoever keeps the answer must encrypt it. */
  readonly answersKeys?: true;
  readonly body: 'json' | 'multipart';
  readonly request: Request;
  /** Beside success, error and message, which every answer carries. */
  readonly response: Response;
  /** Beside the generic codes, which every operation may answer with. */
  readonly errors: readonly ErrorCode[];
  /** Fields whose absence or wrong form has a code of its own in place of InvalidRequest, the weightiest first. */
  readonly fieldErrors?: Readonly<Record<string, ErrorCode>>;
}

/** Keeps the exact types of a row's schemas while its form is checked. */
export const operation = <const Row extends Operation>(row: Row): Row => row;
