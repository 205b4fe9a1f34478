// A duration as people and programs write it, in a flow's input and to a staging service.
import { z } from 'zod';

// At most six digits each: a timer of more than some thousand years is a mistake, and Temporal cannot keep it. Zero is a
// mistake too: it could mean "at once" or "never".
const DURATION = /^P(?=.*[1-9])(\d{1,6}W)?(\d{1,6}D)?(T(?=.)(\d{1,6}H)?(\d{1,6}M)?(\d{1,6}(\.\d{1,3})?S)?)?$/;

export const duration = z
  .string()
  .regex(
    DURATION,
    'must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, like P3D or PT2H30M, longer than zero',
  );
