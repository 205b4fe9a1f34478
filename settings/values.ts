// Settings as they are written in the environment: what several processes read in the same way.
import { z } from 'zod';

export const wholeNumber = (least: number, most: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(least).max(most));

export const yesOrNo = z.enum(['true', 'false']).transform((word) => word === 'true');
