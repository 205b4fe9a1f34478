// Stock: an item is put into a locker for nobody in particular yet.
import type { Declaration } from './declaration.ts';
import { newStock } from './legs.ts';

export const stock = {
  name: 'Stock',
  operation: 'CreateLocalShipmentAsStock',
  meaning: 'The dispatcher drops an item off, to be issued later.',
  legs: { stock: newStock() },
} satisfies Declaration;
