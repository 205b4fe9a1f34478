// The charts that run, by flow name: the newest version of each, as JSON.
import { declarations } from '../flows/built-in/flows.ts';
import { onboardingChart } from './accounts/chart.ts';
import type { ChartData } from './chart-data.ts';
import { shipmentChart } from './shipments/chart.ts';

export const charts: Readonly<Record<string, ChartData>> = {
  ...Object.fromEntries(declarations.map((flow) => [flow.name, shipmentChart(flow)])),
  OnboardAccount: onboardingChart,
};
