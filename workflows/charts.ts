// The built-in flows as they are declared, by name, each in its newest version: flow files, and one chart.
import { declarations } from '../flows/built-in/flows.ts';
import type { FlowFile } from '../flows/language/flow-file.ts';
import { fileOf } from '../flows/shipped/files.ts';
import { onboardingChart } from './accounts/chart.ts';
import type { ChartData } from './chart-data.ts';

export const shippedFiles: Readonly<Record<string, FlowFile>> = Object.fromEntries(
  declarations.map((flow) => [flow.name, fileOf(flow)]),
);

export const charts: Readonly<Record<string, ChartData>> = { OnboardAccount: onboardingChart };
