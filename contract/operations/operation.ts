// The fields of a row of the operations table. Generic code branches on these fields, never on an operation's name.
import type { z } from 'zod';
import type { ErrorCode } from '../wire/errors.ts';

export interface Operation<
  Request extends z.ZodObject = z.ZodObject,
  Response extends z.ZodObject = z.ZodObject,
> {
  /** Its area, Logistics, Account or Platform, and its name. */
  readonly path: `/v1/${string}/${string}`;
  readonly meaning: string;
  /** The section of the published interface, or the heading of docs/assumptions.md, that this row comes from. */
  readonly source: string;
  /** none: it only reads. repeatable: twice has the same effect as once. once: twice has two effects. */
  readonly effect: 'none' | 'repeatable' | 'once';
  /** It only reads, but its answer opens a locker, so the audit log records each reading. */
  readonly audited?: true;
  /** Its answer may contain a new key. Code that stores the answer must encrypt it. */
  readonly answersKeys?: true;
  /** Its request holds a file: it is sent as multipart/form-data, all others as JSON. */
  readonly isMultipart?: true;
  readonly request: Request;
  /** Without success, error and message, which every answer has. */
  readonly response: Response;
  /** Without the generic codes, which every operation may answer with. */
  readonly errors: readonly ErrorCode[];
  /**
   * Fields with a code of their own, in place of InvalidRequest, when they are absent or malformed. The first one listed
   * wins.
   */
  readonly fieldErrors?: Readonly<Record<string, ErrorCode>>;
}

/** A row as it is written: the table gives it its path. */
export type Row = Omit<Operation, 'path'>;

/** Checks the form of a row and keeps the exact types of its schemas. */
export const operation = <const Written extends Row>(row: Written): Written => row;
