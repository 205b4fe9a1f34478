// A setting that is a whole number within bounds, as it is written in the environment.
import { z } from 'zod';

export const wholeNumber = (least: number, most: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(least).max(most));
