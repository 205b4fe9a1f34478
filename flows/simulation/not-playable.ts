// Why a step cannot be played.
import type { Rejection } from '../../engine/commands.ts';
import type { Obstacle } from '../../engine/migration-plan.ts';
import { expressionFailureIn } from '../language/expressions/failure.ts';

/** A step that cannot be played. The message says why, and the process has not changed. */
export class NotPlayable extends Error {
  override readonly name = 'NotPlayable';
}

/** What a process refuses, with the code that the update has. */
export class PlayRefused extends NotPlayable {
  readonly code: string;

  constructor({ code, message }: Rejection) {
    super(message);
    this.code = code;
  }
}

/** The process cannot go over to the other version where it is. */
export class NotCarried extends NotPlayable {
  readonly obstacles: readonly Obstacle[];

  constructor(obstacles: readonly Obstacle[]) {
    super(obstacles.map(({ code, reason, remedy }) => `${code}: ${reason}; ${remedy}`).join('. '));
    this.obstacles = obstacles;
  }
}

/** The message of a failure of the file, or of a step that cannot be played. Any other error is a defect of ours. */
export function playingProblem(error: unknown): string {
  const failure = expressionFailureIn(error);
  if (failure) return failure.message;
  if (error instanceof NotPlayable) return error.message;
  throw error;
}
