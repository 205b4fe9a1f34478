// What the page shows of what is silent.
export type { HealthPart, HealthView, Silent } from '../processes/views/health.ts';
