// What the page shows first, the numbers above the lists, and what a search finds.
export type { ProcessCounts } from '../../processes/views/overview/counts.ts';
export type {
  OverviewEntry,
  OverviewPart,
  OverviewPartName,
  OverviewView,
} from '../../processes/views/overview/overview.ts';
export type { Found, FoundKind, SearchView } from '../../processes/views/overview/search.ts';
