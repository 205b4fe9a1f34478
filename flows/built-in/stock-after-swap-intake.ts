// StockAfterSwapIntake: whoever collects an intake puts a new stock item in its place.
import type { Declaration } from './declaration.ts';
import { existingIntake, stockAfterSwapOf } from './legs.ts';

export const stockAfterSwapIntake = {
  name: 'StockAfterSwapIntake',
  operation: 'CreateLocalShipmentAsStockAfterSwapIntake',
  meaning: 'The dispatcher picks up an intake that exists and leaves a stock item in its locker.',
  legs: { intake: existingIntake(), stock: stockAfterSwapOf('intake') },
} satisfies Declaration;
