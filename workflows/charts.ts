// The chart of each built-in flow, by flow name, in its newest version.
import { declarations } from '../flows/built-in/flows.ts';
import { onboardingChart } from './accounts/chart.ts';
import type { ChartData } from './chart-data.ts';
import { shipmentChart } from './shipments/chart.ts';

export const charts: Readonly<Record<string, ChartData>> = {
  ...Object.fromEntries(declarations.map((flow) => [flow.name, shipmentChart(flow)])),
  OnboardAccount: onboardingChart,
};
