// The settings that worker and receiver share, beside the service's: both send reports to flows and keep the others.
import { z } from 'zod';
import { TASK_QUEUE } from '../../contract/flows/flow-types.ts';
import { serviceProfileSettings } from '../../contract/wire/service-profile.ts';

export const orchestratorSettings = serviceProfileSettings.extend({
  /** How long a callback without a flow is kept. */
  KEEP_UNMATCHED_FOR: z
    .string()
    .regex(/^P(?=.)(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/, 'must be a duration like P30D')
    .default('P30D'),
  LOCKERFLOW_TASK_QUEUE: z.string().min(1).default(TASK_QUEUE),
});
